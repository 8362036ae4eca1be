"""The upstream that is asked for a bot's replies, and the key that is sent to it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from webchat import encryption


class Upstream(models.Model):
    """The bot's own URL and key, else the site's. The key is stored encrypted."""

    base_url = models.URLField(
        _("address of the service"),
        blank=True,
        help_text=_(
            "The part before /api/public/chat in the service’s documentation. Leave blank for "
            "the address set for the whole site."
        ),
    )
    sealed_key = models.TextField(_("key"), blank=True, editable=False)

    class Meta:
        abstract = True

    def set_key(self, plain: str) -> None:
        self.sealed_key = encryption.seal(plain) if plain else ""

    @property
    def upstream_url(self) -> str:
        """Return the base URL of the bot's own upstream, or of the site's when the bot has none."""
        return self.base_url or settings.CHAT_BASE_URL

    @property
    def upstream_key(self) -> str:
        """The bot's own key, else the site's, which is sent to the site's own URL only; "" if there is none.

        A key that can't be decrypted counts as missing: with the site's key another bot would answer.
        """
        if self.sealed_key:
            try:
                return encryption.unseal(self.sealed_key)
            except encryption.CannotUnseal:
                return ""
        if self.upstream_url == settings.IN_PROCESS_URL:
            return settings.IN_PROCESS_KEY
        return settings.BOT_API_KEY if self.upstream_url == settings.CHAT_BASE_URL else ""

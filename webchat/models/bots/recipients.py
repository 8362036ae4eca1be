"""Who is notified of a bot's alarms and of visitors' requests."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from webchat import encryption


class Recipients(models.Model):
    """An e-mail address, and a webhook with the secret that signs what is sent to it."""

    alarm_email = models.EmailField(
        _("alarms go to"),
        blank=True,
        help_text=_("An e-mail address, told when the bot fails or its daily limit is reached."),
    )
    webhook_url = models.URLField(
        _("address of your program"),
        blank=True,
        help_text=_("It is told of requests and alarms, at an address with https://. Developers call this a webhook."),
    )
    sends_questions = models.BooleanField(
        _("send questions to teach"),
        default=False,
        help_text=_(
            "To your program: each question that the bot couldn’t answer, wasn’t sure of or got a thumb down for."
        ),
    )
    sealed_webhook_secret = models.TextField(_("your program’s secret"), blank=True, editable=False)

    class Meta:
        abstract = True

    def set_webhook_secret(self, plain: str) -> None:
        self.sealed_webhook_secret = encryption.seal(plain) if plain else ""

    @property
    def webhook_secret(self) -> str:
        """The secret; "" if there is none or if it can't be decrypted."""
        return encryption.unseal_or_empty(self.sealed_webhook_secret)

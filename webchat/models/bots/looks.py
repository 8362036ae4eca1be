"""How a bot looks: its colour and its pictures."""

import functools

from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from webchat.appearance import color_palette


class Looks(models.Model):
    """The bot's colour, its face and its logo."""

    accent = models.CharField(
        _("accent colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(color_palette.HEX.pattern + r"\Z", _("Use a colour such as #2f5bd0."))],
        help_text=_("Such as #2f5bd0. Shades that everyone can read are derived from it."),
    )
    face = models.ImageField(
        _("face"),
        upload_to="faces",
        blank=True,
        help_text=_("A picture, cropped to a square. Leave blank for the first letter of the name."),
    )
    logo = models.ImageField(
        _("logo"), upload_to="logos", blank=True, help_text=_("Shown at the top, before the name.")
    )

    class Meta:
        abstract = True

    @functools.cached_property
    def face_url(self) -> str:
        """The picture's URL. It changes with the picture, so that browsers may cache it for good."""
        return self._picture_url("face", self.face.name)

    @functools.cached_property
    def logo_url(self) -> str:
        return self._picture_url("logo", self.logo.name)

    def _picture_url(self, kind: str, name: str) -> str:
        return f"{reverse('chat:picture', args=[self.slug, kind])}?{slugify(name)}"

"""The settings that an owner enters at the desk for the whole site, unless the environment sets them."""

from typing import Any, ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from webchat import encryption


class Encryption(models.TextChoices):
    STARTTLS = "starttls", _("STARTTLS, usually port 587")
    TLS = "tls", _("TLS, usually port 465")
    NONE = "none", _("None, usually port 25: only for a server on your own network")


PORTS = {Encryption.STARTTLS: 587, Encryption.TLS: 465, Encryption.NONE: 25}


class SiteSettings(models.Model):
    """One row. `webchat.site` reads it; the password is stored encrypted."""

    mail_host = models.CharField(_("server"), max_length=253, blank=True)
    mail_encryption = models.CharField(_("encryption"), max_length=8, choices=Encryption, default=Encryption.STARTTLS)
    mail_port = models.PositiveIntegerField(
        _("port"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    mail_user = models.CharField(_("user name"), max_length=254, blank=True)
    sealed_mail_password = models.TextField(blank=True, editable=False)
    mail_from = models.CharField(_("sender"), max_length=254, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    url = models.CharField(_("address"), max_length=254, blank=True)

    current: ClassVar["SiteSettings"]  # as this process has last read it

    class Meta:
        verbose_name = verbose_name_plural = _("This site")
        default_permissions = ()

    def __str__(self) -> str:
        return str(self._meta.verbose_name)

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        type(self).current = self

    @classmethod
    def stored(cls) -> "SiteSettings":
        return cls.objects.filter(pk=1).first() or cls(pk=1)

    @property
    def mail_server(self) -> dict[str, Any]:
        """Return it as the options of Django's e-mail backend."""
        return {
            "host": self.mail_host,
            "port": self.mail_port or PORTS[Encryption(self.mail_encryption)],
            "username": self.mail_user,
            "password": encryption.unseal_or_empty(self.sealed_mail_password),
            "use_tls": self.mail_encryption == Encryption.STARTTLS,
            "use_ssl": self.mail_encryption == Encryption.TLS,
        }


SiteSettings.current = SiteSettings()

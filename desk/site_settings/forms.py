"""The form of the page "Site": mail server, time zone and address, as far as the environment leaves them open."""

import re
from email.utils import parseaddr
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import DisallowedHost, ValidationError
from django.core.validators import EmailValidator
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from desk.access import guard
from desk.bot.kept_secrets import SecretField
from desk.fields import EmailField, TimeZoneField
from webchat import encryption, origins
from webchat.conversation.forms import WRONG_EMAIL
from webchat.models import SiteSettings

SERVER = ("mail_host", "mail_encryption", "mail_port", "mail_user", "new_password", "forget_password")
MAIL = (*SERVER, "mail_from")
DECIDED_BY = {"EMAIL_URL": SERVER, "EMAIL_FROM": ("mail_from",), "TIME_ZONE": ("time_zone",), "SITE_URL": ("url",)}
HOST = re.compile(r"[\w.-]+|[0-9a-f:]+", re.IGNORECASE)
PORT_RANGE = _("A port is a number from 1 to 65535.")


class SiteForm(forms.ModelForm):
    new_password = SecretField(label=_("Password"), required=False, strip=False)
    forget_password = forms.BooleanField(label=_("Remove the password"), required=False)
    test_to = EmailField(label=_("Send it to"), required=False)

    class Meta:
        model = SiteSettings
        fields = ("mail_host", "mail_encryption", "mail_port", "mail_user", "mail_from", "time_zone", "url")
        field_classes = {"time_zone": TimeZoneField}
        help_texts = {
            "mail_host": _("Such as mail.example.com. Leave blank to send no e-mail."),
            "mail_port": _("Leave blank for the usual port."),
            "mail_from": _("Such as chat@example.com or Example <chat@example.com>; your mail server has to allow it."),
            "time_zone": _("Type a city, such as Berlin. Leave blank for UTC."),
            "url": _("Such as https://chat.example.com. Visitors can get replies by e-mail only if it is set."),
        }
        error_messages = {"mail_port": dict.fromkeys(("min_value", "max_value"), PORT_RANGE)}

    def __init__(self, *args: Any, owner: str, password_url: str, **kwargs: Any) -> None:
        """`owner`: whose form it is. `password_url`: the page that has to ask for their password first, or ""."""
        super().__init__(*args, **kwargs)
        self.password_url = password_url
        self.fields["new_password"].widget.owner = f"{owner} mail_password"
        self.fields["url"].widget.input_type = "url"
        self.fields["test_to"].widget.attrs["data-not-stored"] = True
        if self.instance.sealed_mail_password:
            self.fields["new_password"].help_text = _("Leave blank to keep the current password.")
        else:
            del self.fields["forget_password"]
        for variable in settings.SET_BY_SERVER:
            for name in DECIDED_BY[variable]:
                self.fields.pop(name, None)

    @property
    def saves(self) -> bool:
        return "test" not in self.data

    def clean_mail_host(self) -> str:
        host = self.cleaned_data["mail_host"].strip().lower()
        if host and not HOST.fullmatch(host):
            raise ValidationError(_("Enter only the server’s name, such as mail.example.com."))
        return host

    def clean_mail_from(self) -> str:
        sender = self.cleaned_data["mail_from"].strip()
        if sender:
            _name, email = parseaddr(sender)
            EmailValidator(WRONG_EMAIL)(email if sender.isprintable() else "")
        return sender

    def clean_url(self) -> str:
        typed = self.cleaned_data["url"].strip()
        if not typed:
            return ""
        try:
            (url,) = origins.parse(typed)
        except ValueError:
            url = "*"
        if "*" in url:
            raise ValidationError(_("Write https://chat.example.com, with nothing after it."))
        visit = HttpRequest()
        visit.META["HTTP_HOST"] = url.partition("://")[2]
        try:
            visit.get_host()
        except DisallowedHost as error:
            raise ValidationError(
                _("The site can’t be opened there: whoever runs the server has to add it to ALLOWED_HOSTS.")
            ) from error
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "new_password" in self.fields:
            self._clean_password(cleaned)
        if not self.saves:
            self._clean_test(cleaned)
        elif self.password_url:
            self.add_error(None, guard.ask_for_password(guard.NOT_SAVED, self.password_url))
        return cleaned

    def _clean_password(self, cleaned: dict[str, Any]) -> None:
        """Send a password only to the server that it was entered for."""
        moved = {"mail_host", "mail_port", "mail_encryption"} & set(self.changed_data)
        keeps = self.instance.sealed_mail_password and not cleaned.get("new_password")
        if moved and keeps and cleaned.get("mail_host") and not cleaned.get("forget_password"):
            self.add_error(
                "new_password", _("The server has changed: enter the password again, or remove the password.")
            )

    def _clean_test(self, cleaned: dict[str, Any]) -> None:
        if "mail_host" in self.fields and not cleaned.get("mail_host") and "mail_host" not in self.errors:
            self.add_error("mail_host", _("Enter the mail server."))
        if not cleaned.get("test_to") and "test_to" not in self.errors:
            self.add_error("test_to", _("Enter the address that gets the test."))

    def set_password(self) -> None:
        """Give the row the password that was entered; it isn't saved by this."""
        if self.cleaned_data.get("forget_password") or not self.instance.mail_host:
            self.instance.sealed_mail_password = ""
        if password := self.cleaned_data.get("new_password"):
            self.instance.sealed_mail_password = encryption.seal(password)

    def changes(self) -> list[str]:
        """Return what is not as it was before, in English, for the audit trail."""
        changed = [name for name in self.Meta.fields if name in self.changed_data]
        with translation.override(settings.LANGUAGE_CODE):
            names = [str(SiteSettings._meta.get_field(name).verbose_name) for name in changed]
        has_other = self.cleaned_data.get("new_password") or self.cleaned_data.get("forget_password")
        return [*names, *(["password"] if has_other else [])]

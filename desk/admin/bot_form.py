"""The form of a bot: what may stand in it, and secrets that go in and never come out again."""

from collections.abc import Callable
from functools import partial

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from webchat import business_hours, origins
from webchat.appearance import pictures
from webchat.models import Bot
from webchat.notifications import webhooks
from webchat.upstream.wire import is_allowed_address


class BotForm(forms.ModelForm):
    """The key goes in and never comes out again."""

    new_key = forms.CharField(
        label=_("Key"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "class": "vTextField"}),
        help_text=_(
            "Leave it empty to keep the present one. A bot without an address and a key of its own uses BOT_API_KEY."
        ),
    )
    forget_key = forms.BooleanField(label=_("Forget the key"), required=False)

    new_webhook_secret = forms.CharField(
        label=_("Webhook’s secret"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "class": "vTextField"}),
        help_text=_("What requests and alarms are signed with. Leave it empty to keep the present one."),
    )
    forget_webhook_secret = forms.BooleanField(label=_("Forget the secret"), required=False)

    class Meta:
        model = Bot
        fields = (
            *("name", "slug", "language", "switched_on"),
            *("greeting", "suggestions", "contact", "privacy_note", "consent"),
            *("accent", "face", "logo", "base_url", "daily_budget", "asks_for_proof", "retention_days"),
            *("origins", "launcher_icon", "launcher_label", "launcher_position", "teaser", "teaser_after"),
            *("hours", "time_zone", "closed", "closed_notice", "answers_when_closed"),
            *("in_portal", "handover", "handover_email", "handover_next", "webhook_url", "alarm_email"),
        )
        field_classes = dict.fromkeys(("base_url", "webhook_url"), partial(forms.URLField, assume_scheme="https"))

    def clean_face(self) -> object:
        return self._redrawn("face", pictures.face)

    def clean_logo(self) -> object:
        return self._redrawn("logo", pictures.logo)

    def _redrawn(self, field: str, redraw: Callable[[UploadedFile], ContentFile]) -> object:
        given = self.cleaned_data[field]
        return redraw(given) if isinstance(given, UploadedFile) else given  # else: as it was, or cleared

    def clean_origins(self) -> str:
        try:
            return "\n".join(origins.parse(self.cleaned_data["origins"]))
        except ValueError as error:
            sentence = _("%(line)s is not a website's origin. Write https://www.example.com, without a path.")
            raise ValidationError(sentence, params={"line": error}) from error

    def clean_hours(self) -> str:
        try:
            business_hours.parse(self.cleaned_data["hours"])
        except ValueError as error:
            sentence = _("%(line)s can’t be read as hours. Write a line such as Mon-Fri 9:00-12:00, 13:00-17:00.")
            raise ValidationError(sentence, params={"line": error}) from error
        return self.cleaned_data["hours"]

    def clean_time_zone(self) -> str:
        name = self.cleaned_data["time_zone"].strip()
        try:
            return name and business_hours.zone(name).key
        except ValueError as error:
            raise ValidationError(_("There is no time zone of that name. Write one such as Europe/Berlin.")) from error

    def clean_base_url(self) -> str:
        address = self.cleaned_data["base_url"].rstrip("/")
        if address and not is_allowed_address(address):
            raise ValidationError(_("Use https://…, or http://127.0.0.1:… for a bot on this machine."))
        return address

    def clean_webhook_url(self) -> str:
        address = self.cleaned_data["webhook_url"]
        if address and not webhooks.is_allowed(address):
            raise ValidationError(_("Use https://…: what is sent there is for nobody else to read."))
        return address

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        moved = "base_url" in self.changed_data and self.instance.sealed_key
        if moved and not cleaned.get("new_key") and not cleaned.get("forget_key"):
            # A key is only ever sent to the address that it was entered for.
            self.add_error("new_key", _("The address has changed: enter the key that belongs to it."))
        return cleaned

    def save(self, commit: bool = True) -> Bot:
        if self.cleaned_data["forget_key"]:
            self.instance.set_key("")
        if self.cleaned_data["new_key"]:
            self.instance.set_key(self.cleaned_data["new_key"].strip())
        if self.cleaned_data["forget_webhook_secret"]:
            self.instance.set_webhook_secret("")
        if self.cleaned_data["new_webhook_secret"]:
            self.instance.set_webhook_secret(self.cleaned_data["new_webhook_secret"].strip())
        return super().save(commit)

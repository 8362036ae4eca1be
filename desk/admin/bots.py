"""Bots: their words, their looks, their upstream and their rules."""

from collections.abc import Callable
from functools import partial

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from webchat import origins, pictures
from webchat.models import Bot
from webchat.upstream import is_allowed_address


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

    class Meta:
        model = Bot
        fields = (
            *("name", "slug", "greeting", "suggestions", "contact", "language", "in_portal"),
            *("accent", "face", "logo", "base_url", "daily_budget"),
            *("origins", "launcher_icon", "launcher_label", "launcher_position", "teaser", "teaser_after"),
        )
        field_classes = {"base_url": partial(forms.URLField, assume_scheme="https")}

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

    def clean_base_url(self) -> str:
        address = self.cleaned_data["base_url"].rstrip("/")
        if address and not is_allowed_address(address):
            raise ValidationError(_("Use https://…, or http://127.0.0.1:… for a bot on this machine."))
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
        return super().save(commit)


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    form = BotForm
    list_display = ("name", "slug", "upstream", "has_key", "daily_budget")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": ("name", "slug", "greeting", "suggestions", "contact", "language", "in_portal")}),
        (_("Looks"), {"fields": ("accent", "face", "logo")}),
        (
            _("On other websites"),
            {
                "fields": (
                    *("origins", "launcher_icon", "launcher_label", "launcher_position"),
                    *("teaser", "teaser_after"),
                ),
                "description": _("The line to copy and a check of your website stand at /embed/…/check."),
            },
        ),
        (_("Upstream"), {"fields": ("base_url", "new_key", "forget_key")}),
        (_("Limits"), {"fields": ("daily_budget",)}),
    )

    @admin.display(description=_("upstream"))
    def upstream(self, bot: Bot) -> str:
        return bot.base_url or _("the site’s own")

    @admin.display(description=_("own key"), boolean=True)
    def has_key(self, bot: Bot) -> bool:
        return bool(bot.sealed_key)

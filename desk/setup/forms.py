"""The forms of the set-up: the first login, the bot's service, its look, and the websites that show it."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.forms import GOOD_PASSWORD
from desk import trained_bots
from desk.bot.form import BotForm
from desk.bot.kept_secrets import SecretField
from desk.fields import EmailField, LinesField, WebsitesInput
from desk.trained_bots import QUESTIONS
from webchat.appearance.color_palette import HEX, STANDARD_ACCENT
from webchat.models import Bot
from webchat.upstream.wire import is_allowed_url


class LoginForm(forms.ModelForm):
    """Makes the first account, which may do everything."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=GOOD_PASSWORD,
    )

    class Meta:
        model = User
        fields = ("username", "email", "password")
        labels = {"username": _("User name"), "email": _("E-mail address (optional)")}
        help_texts = {"username": ""}
        field_classes = {"email": EmailField}
        error_messages = {"username": {"invalid": _("Use only letters, digits and @ . + - _, without spaces.")}}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username", "autofocus": True})}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("password"):
            try:
                password_validation.validate_password(cleaned["password"], self.instance)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def save(self, commit: bool = True) -> User:
        user = self.instance
        user.is_staff = user.is_superuser = True
        user.set_password(self.cleaned_data["password"])
        user.save()
        return user


class ServiceForm(forms.Form):
    """A bot that somebody has at a service."""

    base_url = forms.URLField(
        label=_("Address"),
        assume_scheme="https",
        error_messages={"invalid": _("Enter the service’s address, such as https://bots.example.com.")},
        help_text=_("The part before /api/public/chat in the service’s documentation."),
        widget=forms.URLInput(attrs={"placeholder": "https://bots.example.com"}),
    )
    new_key = SecretField(
        label=_("Key"),
        help_text=_("From the bot’s settings there. It is kept encrypted on this server and never shown again."),
    )

    def __init__(self, owner: str, *args: Any, **kwargs: Any) -> None:
        """`owner`: whose form it is, and for which bot."""
        super().__init__(*args, **kwargs)
        self.fields["new_key"].widget.owner = f"{owner} set-up"

    def clean_base_url(self) -> str:
        url = self.cleaned_data["base_url"].rstrip("/")
        if not is_allowed_url(url):
            raise ValidationError(_("Use https://…, or http://127.0.0.1:… for a bot on this machine."))
        return url

    def apply_to(self, bot: Bot) -> None:
        """Set the service and its key; the caller saves the bot."""
        bot.base_url = self.cleaned_data["base_url"]
        bot.set_key(self.cleaned_data["new_key"])


class LookForm(forms.ModelForm):
    """The bot's name, colour and first words."""

    class Meta:
        model = Bot
        fields = ("name", "accent", "greeting", "suggestions")
        help_texts = {
            "name": _("What visitors see above the conversation."),
            "accent": _("Made darker or lighter where text would be hard to read."),
            "greeting": _("Shown above an empty conversation. **Two stars** make words bold."),
        }
        field_classes = dict.fromkeys(("greeting", "suggestions"), LinesField)
        widgets = {
            "accent": forms.TextInput(attrs={"type": "color"}),
            "greeting": forms.Textarea(attrs={"rows": 3}),
            "suggestions": forms.Textarea(attrs={"rows": QUESTIONS}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["suggestions"].show_hidden_initial = True

    def clean_suggestions(self) -> str:
        """Keep what was filled in while the page was open: `steps.suggest_texts` does so after a training."""
        given = self.cleaned_data["suggestions"]
        return given if given or "suggestions" in self.changed_data else self.instance.suggestions

    def save(self, commit: bool = True) -> Bot:
        if "name" in self.changed_data:
            trained_bots.rename(self.instance, self.initial["name"])
        return super().save(commit)

    def clean_accent(self) -> str:
        """Read the page's own colour as "none of its own": a colour input always sends one."""
        accent = self.cleaned_data["accent"].lower()
        return self.instance.accent if accent == shown_accent(self.instance) else accent


class PlaceForm(forms.ModelForm):
    class Meta:
        model = Bot
        fields = ("origins",)
        labels = {"origins": _("Addresses of your websites")}
        help_texts = {
            "origins": _("Such as https://www.example.com, with nothing after it. No other site can show your bot.")
        }
        widgets = {"origins": WebsitesInput}

    clean_origins = BotForm.clean_origins


class PageForm(forms.Form):
    page = forms.URLField(
        label=_("A page of your website"),
        max_length=500,
        assume_scheme="https",
        error_messages={"invalid": _("Enter the website’s address, such as https://www.example.com.")},
    )


def shown_accent(bot: Bot) -> str:
    """Return the colour of the page, in a form that a colour input takes."""
    return bot.accent.lower() if HEX.fullmatch(bot.accent) else STANDARD_ACCENT

"""The forms of a bot's tabs: validation, the choice of the answering service, and write-only secrets."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from desk import trained_bots
from desk.access import guard
from desk.bot.kept_secrets import SecretField, SecretInput
from desk.bot.tabs import ON_SEVERAL_LINES, SECRETS
from desk.bot.week import HolidaysField, WeekField
from desk.fields import EmailField, LinesField, TimeZoneField, WebsitesInput
from desk.form_pictures import PictureInput
from docbot.models import TrainedBot
from webchat import origins
from webchat.appearance import pictures
from webchat.models import Bot, DetailsTiming
from webchat.notifications import webhooks
from webchat.upstream.wire import is_allowed_url

FORGETTING = ("forget_key", "forget_webhook_secret")
# Values of `answered_by`; TRAINED is followed by a primary key, NEW stands for one that is made with the bot.
OWN, SITE, TRAINED, NEW = "", "site", "trained-", "new"
NOT_HTTPS = _("Use https://…, so that nobody else can read what is sent there.")
Redraw = Callable[[UploadedFile], ContentFile]


class SliderField(forms.FloatField):
    """A number between two; its initial one if none is given."""

    def __init__(self, *, least: int, most: int, initial: int, **kwargs: Any) -> None:
        # Always from left to right: it is about a picture.
        slider = forms.NumberInput(attrs={"type": "range", "step": (most - least) / 60, "dir": "ltr"})
        limits = {"min_value": least, "max_value": most, "initial": initial}
        super().__init__(required=False, widget=slider, **limits, **kwargs)

    def clean(self, value: Any) -> float:
        given = super().clean(value)
        return self.initial if given is None else given


class BotForm(forms.ModelForm):
    """A bot's settings; each tab takes the fields that belong to it."""

    languages = forms.MultipleChoiceField(
        label=_("More languages"),
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("You can write your texts in each of them, on the tabs where they appear."),
    )

    hours = WeekField(
        label=_("Business hours"),
        required=False,
        help_text=_("A day without times is closed. No times at all: always open."),
    )

    # Which part of a newly chosen face is shown; the preview is cut out in the same way.
    face_zoom = SliderField(
        label=_("Zoom"),
        least=1,
        most=4,
        initial=1,
    )
    face_across = SliderField(label=_("Left to right"), least=0, most=100, initial=50)
    face_down = SliderField(label=_("Top to bottom"), least=0, most=100, initial=50)

    holidays = HolidaysField(
        label=_("Holidays"),
        required=False,
        help_text=_("Closed on these days, or open at the times you enter, whatever the weekday."),
    )

    may_check_websites = False  # whether the account may open the page that checks websites
    trained: TrainedBot | None = None  # whose documents' headings can be suggested as questions
    suggests = False  # whether they are now

    class Meta:
        model = Bot
        widgets = {"face": PictureInput, "logo": PictureInput, "origins": WebsitesInput}
        help_texts = {
            "accent": _("Such as #2f5bd0. Made darker or lighter where text would be hard to read."),
            "face": _(
                "A picture, cropped to a square with the sliders. To crop it again, choose its "
                "file again. Leave blank for the first letter of the name."
            ),
            "language": _("Of the page around the conversation."),
            "time_zone": _("Type a city, such as Berlin. Leave blank for the site’s own."),
        }
        fields = (
            *("name", "slug", "language", "languages", "switched_on"),
            *("greeting", "can_help", "cannot_help", "suggestions", "next_questions"),
            *("contact", "privacy_note", "consent"),
            *("accent", "face", "logo", "base_url", "daily_budget", "asks_for_proof", "retention_days"),
            *("origins", "launcher_icon", "launcher_label", "launcher_position"),
            *("widget_theme", "teaser", "teaser_after", "tells_page", "shares_text"),
            *("hours", "holidays", "time_zone", "closed", "closed_notice", "answers_when_closed"),
            *("people_answer", "takes_files", "notifies_visitors", "queue_minutes", "offers_person_when_not_known"),
            *("offers_person_after_thumbs_down", "offers_person_after_failures", "offers_person_when_asked_for"),
            *("asks_details", "asks_name", "name_purpose", "asks_email", "email_purpose"),
            *("own_details", "details_purpose"),
            *("in_portal", "handover", "handover_email", "handover_next", "alarm_email"),
            *("webhook_url", "sends_questions"),
        )
        error_messages = {
            "base_url": {"invalid": _("Enter the service’s address, such as https://bots.example.com.")},
            "webhook_url": {"invalid": NOT_HTTPS},
        }
        field_classes = {
            **dict.fromkeys(ON_SEVERAL_LINES, LinesField),
            **dict.fromkeys(("handover_email", "alarm_email"), EmailField),
            **dict.fromkeys(("base_url", "webhook_url"), partial(forms.URLField, assume_scheme="https")),
            "time_zone": TimeZoneField,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in set(BotForm.declared_fields).difference(self._meta.fields):
            del self.fields[name]  # on another tab; without a value it would count as changed
        if "language" in self.fields:
            self.fields["language"].choices = [("", _("The visitor’s own")), *settings.LANGUAGES]
        if "origins" in self.fields and self.may_check_websites:
            self.fields["origins"].widget.check_url = reverse("admin:setup_website", args=[self.instance.slug])
        self.as_of = hashlib.sha256(repr(self.initial).encode()).hexdigest()[:16]  # of what is stored
        self.initial["languages"] = self.instance.more_languages
        self.new_questions: list[str] = []
        if self.trained and "suggestions" in self.fields:
            self._suggest_questions()

    def _suggest_questions(self) -> None:
        """Link to more suggested questions and, once that link has been followed, add them to those in the box."""
        field, own = self.fields["suggestions"], self.instance.suggested_questions
        link = format_html('<a href="?suggest=1#id_suggestions">{}</a>', _("Suggest more from the documents"))
        field.help_text = format_html("{} {}", field.help_text, link)
        if self.suggests:
            found = trained_bots.suggest_questions(self.trained, len(own) + trained_bots.QUESTIONS)
            self.new_questions = [each for each in found if each not in own][: trained_bots.QUESTIONS]
            self.initial["suggestions"] = "\n".join([*own, *self.new_questions])

    def clean_languages(self) -> str:
        return ",".join(self.cleaned_data["languages"])

    def clean_face(self) -> object:
        sliders = {name: self.fields[f"face_{name}"] for name in ("zoom", "across", "down")}
        cut = {name: field.clean(self.data.get(f"face_{name}")) for name, field in sliders.items()}
        return self._redrawn("face", partial(pictures.face, **cut), keep=pictures.uncut)

    def clean_logo(self) -> object:
        return self._redrawn("logo", pictures.logo, keep=pictures.logo)

    def _redrawn(self, field: str, redraw: Redraw, *, keep: Redraw) -> object:
        given = self.cleaned_data[field]
        if not isinstance(given, UploadedFile):  # unchanged or cleared
            return given
        drawn = redraw(given)
        self.fields[field].widget.kept = partial(keep, given)
        return drawn

    def clean_origins(self) -> str:
        try:
            return "\n".join(origins.parse(self.cleaned_data["origins"]))
        except ValueError as error:
            self.fields["origins"].widget.wrong = str(error)
            sentence = _(
                "“%(line)s” is not the address of a website. Write https://www.example.com, with nothing after it."
            )
            raise ValidationError(sentence, params={"line": error}) from error

    def save(self, commit: bool = True) -> Bot:
        if "name" in self.changed_data:
            trained_bots.rename(self.instance, self.initial.get("name", ""))
        return super().save(commit)

    def clean_base_url(self) -> str:
        url = self.cleaned_data["base_url"].rstrip("/")
        if url and not is_allowed_url(url):
            raise ValidationError(_("Use https://…, or http://127.0.0.1:… for a bot on this machine."))
        return url

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if "accent" in self.errors:
            self.instance.accent = self["accent"].value()  # no shades beside it, instead of the stored colour's
        if self.data.get("as_of", self.as_of) != self.as_of:
            sentence = _("This page was changed after you opened it. Save again to replace those changes with yours.")
            self.add_error(None, sentence)
        asking = cleaned.get("asks_details")
        if asking == DetailsTiming.INSTEAD and not cleaned.get("handover"):
            self.add_error("asks_details", _("Turn on “requests for a person”, too: they are what the form sends."))
        elif asking and not any(cleaned.get(name) for name in ("asks_name", "asks_email", "own_details")):
            self.add_error("asks_details", _("Choose what to ask for: the name, the e-mail address, or a question."))
        return cleaned

    def clean_webhook_url(self) -> str:
        url = self.cleaned_data["webhook_url"]
        if url and not webhooks.is_allowed(url):
            raise ValidationError(NOT_HTTPS)
        return url


class ServiceForm(BotForm):
    """What answers for a bot, and its keys, which are never shown."""

    answered_by = forms.ChoiceField(
        label=_("Answered by"),
        required=False,
        help_text=_("A trained bot gets its key automatically: leave the address and the key blank."),
    )
    new_key = SecretField(
        label=_("Key"),
        required=False,
        widget=SecretInput({"class": "vTextField"}),
        help_text=_("Leave blank to keep the current one."),
    )
    forget_key = forms.BooleanField(label=_("Remove the key"), required=False)

    new_webhook_secret = SecretField(
        label=_("Your program’s secret"),
        required=False,
        widget=SecretInput({"class": "vTextField"}),
        help_text=_(
            "Lets your program verify that a message comes from this site. Leave blank to keep the current one."
        ),
    )
    forget_webhook_secret = forms.BooleanField(label=_("Remove the secret"), required=False)

    owner = ""  # whose form it is
    choosable = TrainedBot.objects.none()  # the trained bots that the account may choose
    may_make = False  # whether a new bot may get a trained bot of its own
    password_url = ""  # the page that asks for the password before a key or a secret is changed; "" when it needn't

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        makes = self.may_make and self.instance.pk is None
        self.fields["answered_by"].choices = [
            *([(NEW, _("Documents and websites of its own"))] if makes else []),
            (OWN, _("The address and the key below")),
            *[(f"{TRAINED}{bot.pk}", _("Trained bot: %(bot)s") % {"bot": bot}) for bot in self.choosable],
            (SITE, _("The site’s own bot: %(bot)s") % {"bot": _of_the_site()}),
        ]
        self.initial["answered_by"] = NEW if makes else _answers_for(self.instance)
        if not self.instance.sealed_key:
            self.fields["new_key"].help_text = ""  # there is none to keep
            self.fields["forget_key"].widget = forms.HiddenInput()
        if not self.instance.sealed_webhook_secret:
            self.fields["forget_webhook_secret"].widget = forms.HiddenInput()
        for name in SECRETS:
            self.fields[name].widget.owner = f"{self.owner} {self.instance.pk} {name}"

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        changed_secrets = [name for name in (*SECRETS, *FORGETTING) if cleaned.get(name)]
        self._clean_service(cleaned)
        if self.password_url:
            for name in changed_secrets:
                self.add_error(name, guard.ask_for_password(guard.NOT_SAVED, self.password_url))
        return cleaned

    def _clean_service(self, cleaned: dict[str, object]) -> None:
        if self._chosen:
            for name, given in (("new_key", True), ("base_url", "base_url" in self.changed_data)):
                if given and cleaned.get(name):
                    self.add_error(name, _("Leave it blank, or choose “The address and the key below”."))
            return
        keeps_key = self.instance.sealed_key and not cleaned.get("forget_key")
        has_own = cleaned.get("base_url") or cleaned.get("new_key") or keeps_key
        if not has_own and _answers_for(self.instance) != SITE and "base_url" not in self.errors:
            self.add_error("answered_by", self._nothing_answers())
        moved = "base_url" in self.changed_data and self.instance.sealed_key
        if moved and not cleaned.get("new_key") and not cleaned.get("forget_key"):
            # A key is only ever sent to the URL it was entered for.
            self.add_error("new_key", _("The address has changed: enter the key that belongs to it."))

    @property
    def _chosen(self) -> str:
        """Return the newly chosen service, or OWN if the choice has not changed."""
        is_chosen = self.instance.pk is None or "answered_by" in self.changed_data
        return self.cleaned_data.get("answered_by", OWN) if is_chosen else OWN

    def _nothing_answers(self) -> str:
        """Return the error for a bot without a service, which suggests a trained bot of the same name."""
        slug, name = self.cleaned_data.get("slug", ""), self.cleaned_data.get("name", "")
        namesake = self.choosable.filter(Q(slug=slug) | Q(name__iexact=name)).first()
        if namesake:
            return _("Nothing answers for this bot yet. Choose the trained bot “%(bot)s”?") % {"bot": namesake}
        return _("Nothing answers for this bot yet. Choose what does, or enter an address and a key.")

    def save(self, commit: bool = True) -> Bot:
        if self._chosen:
            self.instance.base_url = ""
            self.instance.set_key("")
        if self._chosen == NEW:
            trained_bots.link(self.instance, trained_bots.make_for(self.instance))
        elif self._chosen.startswith(TRAINED):
            trained_bots.link(self.instance, TrainedBot.objects.get(pk=self._chosen.removeprefix(TRAINED)))
        if self.cleaned_data["forget_key"]:
            self.instance.set_key("")
        if self.cleaned_data["new_key"]:
            self.instance.set_key(self.cleaned_data["new_key"])
        if self.cleaned_data["forget_webhook_secret"]:
            self.instance.set_webhook_secret("")
        if self.cleaned_data["new_webhook_secret"]:
            self.instance.set_webhook_secret(self.cleaned_data["new_webhook_secret"])
        return super().save(commit)


def _of_the_site() -> str:
    """Return the name of the service for bots that have neither a URL nor a key."""
    if settings.CHAT_BASE_URL != settings.IN_PROCESS_URL:
        return settings.CHAT_BASE_URL
    return str(trained_bots.of_the_site() or settings.DEFAULT_BOT)


def _answers_for(bot: Bot) -> str:
    """Return the value of `answered_by` for a bot as it is stored."""
    if bot.pk is not None and not bot.base_url and not bot.sealed_key:
        return SITE
    trained = trained_bots.answering_for(bot)
    return f"{TRAINED}{trained.pk}" if trained else OWN

"""What a bot asks visitors about themselves, for the people who read the conversation; it is never sent upstream."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from webchat.conversation.forms import WRONG_EMAIL, Refusal, TextField
from webchat.conversation.responses import surface_of
from webchat.conversation.visitor_session import visitor_of
from webchat.models import Bot, Conversation, Customer, Detail, DetailsTiming, Requirement, Surface, Turn
from webchat.upstream import failure_rules

PREFIX = "detail"
PURPOSE_ID = f"{PREFIX}-%s-for"
SURFACES = (Surface.CHAT, Surface.EMBED)  # the portal knows who it is; a kiosk's screen is everybody's
LONGEST = 200  # characters of an answer
LONGEST_QUESTION = 120


class DetailsForm(forms.Form):
    """The bot's fields in the page's language; empty ones are refused only where `requires`."""

    use_required_attribute = False  # the page says in its own language what is missing

    def __init__(self, bot: Bot, data: Any, *, checks: bool, requires: bool, with_email: bool = True) -> None:
        """`data`: what came with the request; without `checks` it is only shown again."""
        super().__init__(data if checks else None, prefix=PREFIX)
        self.requires = requires
        self.typed = {} if checks else data
        if bot.asks_name:
            is_needed = bot.asks_name == Requirement.REQUIRED
            words = "name_purpose"
            self._add(Detail.Kind.NAME, _("Your name"), bot.words.name_purpose, words, is_needed, autocomplete="name")
        if bot.asks_email and with_email:
            is_needed = bot.asks_email == Requirement.REQUIRED
            label, purpose, words = _("Your e-mail address"), bot.words.email_purpose, "email_purpose"
            self._add(Detail.Kind.EMAIL, label, purpose, words, is_needed, autocomplete="email", dir="ltr")
        for number, line in enumerate(bot.words.own_details.splitlines()):
            asked, _bar, purpose = line.partition("|")
            if question := asked.strip().rstrip("* ")[:LONGEST_QUESTION]:
                is_needed = asked.rstrip().endswith("*")
                name, words = f"{Detail.Kind.OWN}-{number}", "own_details"
                self._add(name, question, purpose.strip(), words, is_needed, autocomplete="off")

    def _add(self, name: str, label: Any, purpose: str, words: str, is_needed: bool, **attributes: str) -> None:
        """`words`: the field of the owner's from which the text comes, for its language."""
        sentence = _("Fill in “%(field)s” first.") % {"field": label}
        more = {"label": label, "help_text": purpose, "required": is_needed and self.requires, "label_suffix": ""}
        if name == Detail.Kind.EMAIL:
            errors = {"required": sentence, "invalid": WRONG_EMAIL}
            field = forms.EmailField(max_length=254, error_messages=errors, **more)
        else:
            field = TextField(max_length=LONGEST, error_messages={"required": sentence}, **more)
        described = f"{PURPOSE_ID % name} composer-refusal" if purpose else "composer-refusal"
        field.widget.attrs |= {"class": "field", "dir": "auto", "aria-describedby": described} | attributes
        field.initial = self.typed.get(f"{PREFIX}-{name}", "")
        field.words = words
        self.fields[name] = field

    def full_clean(self) -> None:
        super().full_clean()
        if first := next(iter(self.errors), None):
            self.fields[first].widget.attrs["autofocus"] = True

    @property
    def refusal(self) -> Refusal:
        """Return what is wrong with the first field that is wrong; ask only if one is."""
        [sentence, *_others] = next(iter(self.errors.values()))
        return Refusal(sentence, failure_rules.DETAILS_MISSING)

    @property
    def given(self) -> list[Detail]:
        """Return what was filled in, not stored yet."""
        return [
            Detail(kind=name.partition("-")[0], question=self._question(name), text=text)
            for name, text in self.cleaned_data.items()
            if text
        ]

    def _question(self, name: str) -> str:
        return self.fields[name].label if name.startswith(Detail.Kind.OWN) else ""


def asked(request: HttpRequest, bot: Bot, *, checks: bool = True) -> DetailsForm | None:
    """Return the fields that stand above the message box now; None if nothing is asked, or no longer."""
    if bot.asks_details not in (DetailsTiming.BEFORE, DetailsTiming.AFTER) or surface_of(request) not in SURFACES:
        return None
    visitor = visitor_of(request)
    if visitor and Customer.objects.behind(visitor):
        return None
    conversation = Conversation.objects.open_for(visitor, bot.slug, surface_of(request)).first()
    if conversation and conversation.details.exists():
        return None
    states = list(conversation.turns.values_list("state", flat=True)[:2]) if conversation else []
    if states != ([] if bot.asks_details == DetailsTiming.BEFORE else [Turn.State.ANSWERED]):
        return None
    return _with_fields(
        DetailsForm(bot, request.POST, checks=checks, requires=bot.asks_details == DetailsTiming.BEFORE)
    )


def asked_with_request(request: HttpRequest, bot: Bot, *, checks: bool = True) -> DetailsForm | None:
    """Return the fields of the form for a person where there is no chat. It has one for the e-mail address itself."""
    if not bot.has_only_form or request.webchat.customer:
        return None
    return _with_fields(DetailsForm(bot, request.POST, checks=checks, requires=True, with_email=False))


def _with_fields(form: DetailsForm) -> DetailsForm | None:
    return form if form.fields else None

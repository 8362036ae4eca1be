"""The form in which an answer is taught."""

from typing import Any

from django import forms
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from desk.fields import LinesField
from desk.models import TaughtChange
from desk.teaching.clusters import MOST_PHRASINGS
from docbot.models import TaughtAnswer, TrainedBot

LONGEST = 300  # characters of a question
MOST_TEXT = 2_000
SALT = "desk.teaching"


class TeachForm(forms.ModelForm):
    """An answer with its question; `tried` is the proof that exactly this was tried before it is saved."""

    paraphrases = forms.CharField(
        label=_("Other ways to ask it"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    tried = forms.CharField(required=False, widget=forms.HiddenInput)
    covered = forms.CharField(required=False, widget=forms.HiddenInput)  # other questions that it answers, on lines

    class Meta:
        model = TaughtAnswer
        fields = ("question", "paraphrases", "text", "valid_until")
        help_texts = {
            "text": _("Visitors get all of it, in exactly these words. **Two stars** make words bold."),
            "valid_until": _("Leave blank for no end."),
        }
        field_classes = {"text": LinesField}
        widgets = {
            "question": forms.TextInput(attrs={"dir": "auto"}),
            "text": forms.Textarea(attrs={"rows": 7, "dir": "auto", "maxlength": MOST_TEXT}),
            "valid_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, trained_bot: TrainedBot, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.trained_bot = trained_bot
        self._before = _content_of(self.instance)
        self.kind = _kind_of_change(self.instance)
        if self.instance.pk:
            self.initial["paraphrases"] = "\n".join(self.instance.paraphrases)
        explained = _("One on each line, at most %(most)d. Each is understood like the question itself.")
        self.fields["paraphrases"].help_text = explained % {"most": MOST_PHRASINGS}  # in the reader's language

    @classmethod
    def proposed(cls, trained_bot: TrainedBot, wordings: list[str], text: str = "") -> "TeachForm":
        """Return the form as it is opened, with the ways in which visitors asked."""
        asked = [wording for wording in wordings if len(wording) <= LONGEST][:MOST_PHRASINGS]
        question = asked[0] if asked else wordings[0][:LONGEST]
        return cls(trained_bot, initial={"question": question, "paraphrases": "\n".join(asked[1:]), "text": text})

    def clean_paraphrases(self) -> list[str]:
        lines = [" ".join(line.split()) for line in self.cleaned_data["paraphrases"].splitlines()]
        lines = [line for line in lines if line]
        if len(lines) > MOST_PHRASINGS:
            raise forms.ValidationError(_("That is too many: at most %(most)d."), params={"most": MOST_PHRASINGS})
        if any(len(line) > LONGEST for line in lines):
            raise forms.ValidationError(
                _("One of them is too long: at most %(most)d characters."), params={"most": LONGEST}
            )
        return lines

    def clean_text(self) -> str:
        text = self.cleaned_data["text"].strip()
        if len(text) > MOST_TEXT:
            raise forms.ValidationError(_("This is too long: at most 2,000 characters."))
        return text

    def clean_valid_until(self) -> object:
        day = self.cleaned_data["valid_until"]
        if day and day < timezone.localdate():
            raise forms.ValidationError(_("This date is in the past."))
        return day

    @property
    def done(self) -> list[str]:
        """Return the wordings that get the answer, as far as they were tried."""
        return [*self.instance.phrasings, *self.cleaned_data["covered"].splitlines()]

    @property
    def proof(self) -> str:
        """Return the proof that this content was tried, and that nobody has changed the answer since."""
        content = [self.instance.trained_bot.pk, self.instance.pk, self._before, _content_of(self.instance)]
        return signing.Signer(salt=SALT).signature(repr(content))

    @property
    def changes_what_visitors_read(self) -> bool:
        """Return whether visitors will read something new: not if only `valid_until` of a taught answer has changed."""
        return self.kind != TaughtChange.Kind.CHANGED or _content_of(self.instance) != self._before

    @property
    def was_tried(self) -> bool:
        return self.cleaned_data["tried"] == self.proof


def _content_of(taught: TaughtAnswer) -> list[object]:
    return [taught.question, taught.paraphrases, taught.text]


def _kind_of_change(taught: TaughtAnswer) -> TaughtChange.Kind:
    """Return how teaching the answer is recorded, from its stored state before."""
    if not taught.pk:
        return TaughtChange.Kind.TAUGHT
    return TaughtChange.Kind.AGAIN if taught.is_draft or taught.has_ended else TaughtChange.Kind.CHANGED

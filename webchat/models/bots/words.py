"""What the owner has written for visitors to read, in one language or in several."""

import functools
import hashlib
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class Words(models.Model):
    """What the owner has written for visitors to read, in one language."""

    greeting = models.TextField(
        _("greeting"), blank=True, help_text=_("Shown above an empty conversation. **Two stars** make words bold.")
    )
    can_help = models.CharField(
        _("what it can help with"),
        max_length=200,
        blank=True,
        help_text=_("Below the greeting, after “I can help with”, such as: opening hours, prices, repairs."),
    )
    cannot_help = models.CharField(
        _("what it can’t help with"),
        max_length=200,
        blank=True,
        help_text=_("Beside it, after “I can’t help with”, such as: orders that you have placed."),
    )
    suggestions = models.TextField(_("suggested questions"), blank=True, help_text=_("One on each line."))
    next_questions = models.TextField(
        _("questions to ask next"),
        blank=True,
        help_text=_(
            "One on each line. Below the newest reply stand the first three that the visitor hasn’t asked yet, "
            "unless the bot itself offers some."
        ),
    )
    launcher_label = models.CharField(
        _("text beside the button"),
        max_length=60,
        blank=True,
        help_text=_("Such as: Ask us. Leave blank for the button alone."),
    )
    teaser = models.CharField(
        _("teaser"), max_length=140, blank=True, help_text=_("A line that appears beside the button after a while.")
    )
    closed_notice = models.TextField(
        _("closed notice"), blank=True, help_text=_("Shown while it is closed. Leave blank for a standard sentence.")
    )
    privacy_note = models.TextField(
        _("privacy note"),
        blank=True,
        help_text=_(
            "Shown below the greeting. Write a link like this: [our privacy notice](https://www.example.com/privacy)."
        ),
    )
    consent = models.TextField(
        _("consent"),
        blank=True,
        help_text=_("What a visitor has to agree to before the first message. Leave blank to ask nothing."),
    )
    handover_next = models.CharField(
        _("what happens next"),
        max_length=300,
        blank=True,
        help_text=_("Shown beside the form. Leave blank for: A person will read your message and answer by e-mail."),
    )
    own_details = models.TextField(
        _("your own questions"),
        blank=True,
        help_text=_(
            "One on each line. A * makes it required, and after a | you can say what it is for: "
            "Order number * | So that we find your order."
        ),
    )
    name_purpose = models.CharField(
        _("what the name is for"),
        max_length=200,
        blank=True,
        help_text=_("Shown below the field, such as: So that we know how to address you."),
    )
    email_purpose = models.CharField(
        _("what the e-mail address is for"),
        max_length=200,
        blank=True,
        help_text=_("Shown below the field, such as: So that we can write to you if we get cut off."),
    )
    details_purpose = models.CharField(
        _("why you ask"),
        max_length=300,
        blank=True,
        help_text=_("Shown above all fields, such as: So that we can find your order."),
    )

    class Meta:
        abstract = True

    @property
    def suggested_questions(self) -> list[str]:
        return _lines(self.suggestions)

    @property
    def questions_to_ask_next(self) -> list[str]:
        return _lines(self.next_questions)


WORDS = tuple(field.name for field in Words._meta.local_fields)


class WordsInLanguages(Words):
    """The owner's words in the default language, and where to find those in further languages."""

    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=settings.LANGUAGES,
        help_text=_("Of the page around the conversation. Leave blank for the visitor’s own."),
    )
    languages = models.CharField(  # codes, with commas between them
        _("more languages"),
        max_length=100,
        blank=True,
        help_text=_("Your texts can be written in these, too. What is missing, visitors read in the default language."),
    )

    class Meta:
        abstract = True

    @property
    def more_languages(self) -> list[str]:
        """Return the languages besides the default one that the owner's words are written in."""
        return [code for code in self.languages.split(",") if code and code != self.language]

    @property
    def words(self) -> Words:
        """Return the owner's words in the page's language; the default's where they are missing."""
        if not self.languages or (language := translation.get_language()) not in self.more_languages:
            return self
        written = self._translations.get(language) or BotWords()
        return BotWords(language=language, **{name: getattr(written, name) or getattr(self, name) for name in WORDS})

    def language_of(self, name: str) -> str:
        """Return the language in which `words` has that field; "" where nobody has said which it is."""
        language = translation.get_language()
        written = self._translations.get(language) if language in self.more_languages else None
        return written.language if written and getattr(written, name) else self.language

    @property
    def consents(self) -> list[str]:
        """Return the text that visitors agree to, in each language."""
        return [each.consent for each in (self, *self._translations.values()) if each.consent]

    @property
    def consent_version(self) -> str:
        """Return what a form sends to say which text its visitor agrees to; "" where nothing is asked."""
        text = self.words.consent
        return hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""

    @property
    def greetings(self) -> list[str]:
        """Return what an empty page shows, in each language."""
        words = ("greeting", "can_help", "cannot_help", "suggestions")
        return ["\n".join(getattr(each, name) for name in words) for each in (self, *self._translations.values())]

    @functools.cached_property
    def _translations(self) -> "dict[str, BotWords]":
        """Return the translations with one statement; with none while the bot has one language."""
        more = self.more_languages
        return {each.language: each for each in self.translations.all() if each.language in more} if more else {}


class BotWords(Words):
    """A bot's words in one of its further languages. A blank field is missing, and the default is shown instead."""

    bot = models.ForeignKey("Bot", on_delete=models.CASCADE, related_name="translations")
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "language"], name="words_once_in_a_language")]
        verbose_name = pgettext_lazy("texts of a bot", "words")
        verbose_name_plural = pgettext_lazy("texts of a bot", "words")

    def __str__(self) -> str:
        return _("%(label)s: %(text)s") % {"label": self.bot, "text": self.get_language_display()}

    def missing(self, names: Iterable[str] = WORDS) -> list[str]:
        """Return the fields that the default has words for and this language has none."""
        return [name for name in names if getattr(self.bot, name) and not getattr(self, name)]

"""The interface's strings: all are in the catalogs and translated into every language."""

import re
from functools import cache
from html.parser import HTMLParser

import pytest
import regex
from babel.messages.catalog import Message
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.utils import translation

from tests import messages

PLACEHOLDERS = re.compile(r"%\(\w+\)[sd]|\{\w*\}|#|</?bdi>|%(?!\()")
ENDS = {".": ".。।", "?": "?？؟", ":": ":："}
# Plural forms that may spell out their number ("about a minute left"): for one and two in Arabic, for one elsewhere.
FORMS_IN_WORDS = {"ar": (0, 1, 2)}
# Languages share words; a translation equal to a source of more words than this was forgotten.
MOST_WORDS_SHARED = 2
every_language = pytest.mark.parametrize("language", messages.LANGUAGES)


@pytest.fixture(scope="module")
def source_strings() -> set[tuple]:
    """Return the strings of templates and modules, each with its context."""
    return {(message.id, message.context) for message in messages.extract_strings() if message.id}


catalog_of = cache(messages.read)


def translations(language: str) -> list[tuple[Message, list[str]]]:
    """Return each string with its translated forms."""
    catalog = [message for message in catalog_of(language) if message.id]
    return [(message, list(message.string) if message.pluralizable else [message.string]) for message in catalog]


@every_language
def test_every_string_is_in_the_catalog_translated_with_its_placeholders_and_punctuation(language, source_strings):
    """All in one test: reading a catalog takes longer than checking it."""
    catalog = catalog_of(language)
    assert {(message.id, message.context) for message in catalog if message.id} == source_strings, "run `make messages`"
    assert not catalog.obsolete
    for message, forms in translations(language):
        assert all(forms), message.id
        assert not message.fuzzy, message.id
        words = regex.findall(r"\p{L}+", PLACEHOLDERS.sub("", str(message.id)))
        assert message.id not in forms or len(words) <= MOST_WORDS_SHARED
        assert not list(message.check(catalog)), message.id
        check_forms(message, forms, language)
    binary = messages.catalog_path(language).with_suffix(".mo").read_bytes()
    assert messages.is_same_catalog(binary, messages.compile_catalog(catalog)), "run `make messages`"


def check_forms(message: Message, forms: list[str], language: str) -> None:
    """Check that each form has the placeholders of its source, and ends with the same punctuation."""
    source = message.id[0] if message.pluralizable else message.id
    needed = set(PLACEHOLDERS.findall(message.id[-1] if message.pluralizable else message.id))
    for number, form in enumerate(forms):
        given = set(PLACEHOLDERS.findall(form))
        assert given <= needed, form
        in_words = message.pluralizable and number in FORMS_IN_WORDS.get(language, (0,))
        assert len(needed - given) <= bool(in_words), form
        assert form == form.strip(" ")
        if source[-1] != ">":  # the end of a tag
            assert form[-1] in ENDS.get(source[-1], set(form) - set(ENDS["."])), form


@pytest.mark.parametrize(
    ("language", "number", "expected"),
    [
        *(("pl", n, word) for n, word in [(1, "sekundę"), (2, "sekundy"), (5, "sekund"), (22, "sekundy")]),
        *(("ar", n, word) for n, word in [(0, "0 ثانية"), (1, "بعد ثانية واحدة"), (2, "بعد ثانيتين"), (3, "3 ثوانٍ")]),
        *(("ar", n, word) for n, word in [(11, "11 ثانية"), (100, "100 ثانية")]),
    ],
)
def test_the_number_selects_the_plural_form(language, number, expected):
    one = "You’ve sent a lot of messages. You can send this one in %(wait)d second."
    with translation.override(language):
        sentence = translation.ngettext(one, one.replace("second.", "seconds."), number) % {"wait": number}
    assert expected in sentence


def test_french_has_no_break_spaces_at_its_signs():
    texts = [text for _, forms in translations("fr") for text in forms]
    assert [text for text in texts if re.search(r" [:;?!»]|« ", text)] == []


NAMES = {"F2", "HTML", "JSON"}
WITHOUT_WORDS = ("bodyclass", "body_attributes")  # blocks inside a tag
SPOKEN = {"alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title"}


class Said(HTMLParser):
    """Collects the text of a page that a person reads or hears."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_code = self.is_code or tag == "code"
        given = {name: value or "" for name, value in attrs}
        self.words += [value for name, value in attrs if name in SPOKEN and _has_letters(value)]
        # JavaScript's sentences; other data-* attributes hold single words.
        self.words += [value for name, value in attrs if name.startswith("data-") and re.search(r"\w \w", value or "")]
        if given.get("name") == "description" and _has_letters(given["content"]):
            self.words.append(given["content"])

    def handle_endtag(self, tag: str) -> None:
        self.is_code = self.is_code and tag != "code"

    def handle_data(self, data: str) -> None:
        # A colon differs, too: French has a space before it, Chinese and Japanese have a wide one.
        if (_has_letters(data) or data.strip() == ":") and not self.is_code:
            self.words.append(data.strip())


def _has_letters(text: str | None) -> bool:
    return bool(regex.search(r"\p{L}", text or "")) and (text or "").strip() not in NAMES


def untranslated(template: str) -> list[str]:
    """Return the text in a template that is not marked for translation."""
    page = Said()
    within = ""  # the name of a block whose text isn't shown
    for token in Lexer(template).tokenize():
        if token.token_type == TokenType.BLOCK:
            tag = token.contents.split()[0]
            if tag in ("blocktranslate", "blocktrans", "comment"):
                within = f"end{tag}"
            elif tag == "block" and token.contents.split()[1] in WITHOUT_WORDS:
                within = "endblock"
            elif tag == within:
                within = ""
        elif token.token_type == TokenType.TEXT and not within:
            page.feed(token.contents)
    page.close()
    return page.words


def test_all_text_in_templates_is_translated():
    found = {page.name: untranslated(page.read_text()) for page in messages.templates()}
    assert len(found) > 50
    assert {name: words for name, words in found.items() if words} == {}


def test_scripts_get_their_sentences_from_the_page():
    places = ("webchat/chat", "desk", "docbot")
    scripts = [script for place in places for script in sorted((settings.BASE_DIR / "static" / place).rglob("*.js"))]
    assert scripts
    for script in scripts:
        code = re.sub(r"^\s*(//|/?\*).*$", "", script.read_text(), flags=re.M)
        assert re.findall(r"""["'`][A-Z][a-z’]+ [^"'`]*["'`]""", code) == [], script.name

"""Recognises messages that ask for a person, by the phrases in phrases.toml.

They offer a person beside the bot's reply and do nothing else: a phrase that is missed costs the visitor one click.
"""

import re
import tomllib
import unicodedata
from pathlib import Path

LONGEST = 160  # characters; longer messages are about something else
PUNCTUATION = re.compile(r"[.,:;!?¿¡…()\n\"“”。，、！？؟،।]+")
NAMES = ("openings", "verbs", "persons", "between", "after", "messages")  # what phrases.toml has for each language
UNSPACED = ("ja", "zh-hans")  # written without spaces between words


def asks_for_person(message: str) -> bool:
    """Return whether the message asks to talk to a person, in any of the languages."""
    if len(message) > LONGEST:
        return False
    parts = [part.strip() for part in PUNCTUATION.split(_fold(message))]
    return any(phrases.ask_for_person(part) for part in parts if part for phrases in _PHRASES)


def _fold(text: str) -> str:
    """Return the text in lower case, without accents, with plain apostrophes and single spaces."""
    text = text.casefold().replace("’", "'").replace("ß", "ss").replace("ł", "l")
    text = text.replace("\u0901", "\u0902")  # Hindi is typed with either nasal sign: हूँ and हूं
    decomposed = unicodedata.normalize("NFD", text)
    without_accents = "".join(each for each in decomposed if not "\u0300" <= each <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", without_accents).split())


class Phrases:
    """One language's phrases, as patterns for a part of a message."""

    def __init__(self, words: dict[str, list[str]], space: str) -> None:
        folded = {name: [_fold(each) for each in each_of] for name, each_of in words.items()}
        opening, verb, person, more, after, message = (_any_of(folded[name]) for name in NAMES)
        asks = f"(?:{verb}{space}(?:{more}{space})*{person}|{person}{space}(?:{more}{space})*{verb})"
        end = f"(?:{space}{more})*(?:$|{space}{after})"
        before = f"(?:^|{space}){opening}{space}" if space else f"^{opening}"
        self._persons = folded["persons"]
        self._request = re.compile(f"(?:^|{before})(?:{more}{space})*{asks}{end}")
        self._message = re.compile(f"(?:{more}{space})*{message}(?:{space}{more})*$")

    def ask_for_person(self, part: str) -> bool:
        if self._message.match(part):
            return True
        # Looked for first: most messages name nobody, and a search for the whole request takes fifty times as long.
        return any(person in part for person in self._persons) and self._request.search(part) is not None


def _any_of(words: list[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


_PHRASES = [
    Phrases(words, space="" if language in UNSPACED else " ")
    for language, words in tomllib.loads((Path(__file__).parent / "phrases.toml").read_text("utf-8")).items()
]

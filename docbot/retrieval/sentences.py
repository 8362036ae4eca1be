"""Splits a text into pieces that may be quoted alone: sentences, list items, table rows and blocks of code."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import regex

PieceKind = Literal["sentence", "item", "code"]

_FENCED = regex.compile(
    r"^ {0,3}(?P<fence>([`~])\2{2,})[^\n]*(?:\n.*?(?P<end>^ {0,3}(?P=fence)\2*[ \t]*$)|.*\Z)",
    regex.MULTILINE | regex.DOTALL,
)
_BLANK_LINES = regex.compile(r"\n(?:[^\S\n]*\n)+")
_ITEM = regex.compile(r"^\s*(?:[-*+•‣◦·]|\d{1,3}[.)])\s+\S")
_LONGEST = 70  # words; a longer sentence is cut at its commas, so that it fits into a reply
_LETTERS = 20  # most letters counted as one word: text without spaces is long, too

_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_STACKED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_WITHOUT_SPACES = regex.compile(rf"{_UNSPACED.pattern}|{_STACKED.pattern}")

# A full stop after these doesn't end a sentence.
_SHORT = frozenset(Path(__file__).with_name("abbreviations.txt").read_text(encoding="utf-8").split())
_LONGEST_SHORT = 12  # letters of an abbreviation, and one more
_BEFORE_NUMBERS = frozenset({"no", "nr", "art", "fig", "p", "pp", "vol", "op", "str", "abs"})
# Nor does one between a number and these: "am 15. September".
_COUNTED = regex.compile(
    "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert"
)
_END = regex.compile(
    r"""(?:[.!?…।؟۔։]+["'”’»)\]]*(?=\s)|[。！？｡]+[」』”’）]*)\s*"""  # CJK stops need no space after them
)
_LAST_WORD = regex.compile(r"([\p{L}.]+)\.$")
_UNIT = regex.compile(r"\d(?!s)\s?\p{Ll}\.$")  # "from 10 h. Dogs …"; with "1970s." squad has .848 instead of .856
_CUT = regex.compile(r"[;,，、；،؛]\s*|\s+[–—-]\s+")


@dataclass(frozen=True)
class Piece:
    """A sentence, list item, table row or block of code, and the separator before it."""

    text: str
    before: Literal["", " ", " … ", "\n", "\n\n"]
    kind: PieceKind = "sentence"


def size(text: str) -> int:
    """Return the length of a text in words; scripts without spaces are counted by characters."""
    if text.isascii() or not _WITHOUT_SPACES.search(text):
        return max(len(text.split()), len(text) // _LETTERS)
    unspaced = len(_UNSPACED.findall(text))
    stacked = len(_STACKED.findall(text))
    spaced = _STACKED.sub("", _UNSPACED.sub("", text))
    return len(spaced.split()) + (unspaced + 1) // 2 + (stacked + 4) // 5


def pieces(text: str) -> list[Piece]:
    """Return the pieces of a text whose blocks are separated by blank lines; joined, they are the text again."""
    found: list[Piece] = []
    for block, code in _blocks(text):
        if code:
            found.append(Piece(block, "\n\n", "code"))
            continue
        between = "\n\n"
        for line, item in _lines(block):
            for sentence in [line] if item and size(line) <= _LONGEST else sentences(line):
                found.append(Piece(sentence, between, "item" if item else "sentence"))
                between = " "
                item = False
            between = "\n"
    if found:
        found[0] = Piece(found[0].text, "", found[0].kind)
    return found


def joined(parts: list[Piece]) -> str:
    return "".join(part.text if place == 0 else part.before + part.text for place, part in enumerate(parts))


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the blocks of a text, each with a flag for fenced code (which may have blank lines)."""
    place = 0
    for code in _FENCED.finditer(text):
        yield from _paragraphs(text[place : code.start()])
        is_open = not code["end"]  # it would swallow what follows
        yield (f"{code[0].rstrip()}\n{code['fence']}" if is_open else code[0]), True
        place = code.end()
    yield from _paragraphs(text[place:])


def _paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    return ((block.strip("\n"), False) for block in _BLANK_LINES.split(text) if block.strip())


def _lines(block: str) -> list[tuple[str, bool]]:
    """Return the lines of a block, each with whether it is a list item; readers leave only such breaks as are meant."""
    return [(" ".join(line.split()), bool(_ITEM.match(line))) for line in block.split("\n") if line.strip()]


def sentences(line: str) -> list[str]:
    """Return the sentences of a paragraph, none longer than a reply can hold."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(line):
        if match.end() < len(line) and _goes_on(line[start : match.end()].rstrip(), line[match.end() :]):
            continue
        found.append(line[start : match.end()].strip())
        start = match.end()
    if line[start:].strip():
        found.append(line[start:].strip())
    return [part for sentence in found for part in _cut(sentence)]


def _goes_on(before: str, after: str) -> bool:
    """Return whether the full stop at the end of `before` belongs to an abbreviation, an initial or a number."""
    following = after.lstrip("\"'“‘«([")[:1]
    if following.islower() or (before[-2:-1].isdigit() and _COUNTED.match(after)):
        return True
    word = _LAST_WORD.search(before[-_LONGEST_SHORT:])
    if not word or _UNIT.search(before):
        return False
    if word[1].casefold() in _BEFORE_NUMBERS:
        return following.isdigit()
    return len(word[1]) == 1 or word[1].casefold() in _SHORT


def _cut(sentence: str) -> list[str]:
    if size(sentence) <= _LONGEST:
        return [sentence]
    middle = len(sentence) // 2
    places = [match.end() for match in _CUT.finditer(sentence) if 0 < match.end() < len(sentence)]
    places = places or [place for place, letter in enumerate(sentence) if letter == " " and place]
    place = min(places, key=lambda place: abs(place - middle), default=middle)
    return [*_cut(sentence[:place].rstrip()), *_cut(sentence[place:].lstrip())]

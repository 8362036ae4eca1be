"""What every reader makes of its format: a sequence of blocks, and the sections that are assembled from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePath

from docbot.content import QUESTION_MARKS, ReadDocument, Section, SectionKind
from docbot.reading.structure.lines import CJK, ENDS

# What no reader sees and some databases refuse: control characters, lone surrogates, zero-width and tag characters (in
# which instructions can be hidden), marks of direction and byte order, soft hyphens, the pictures of icon fonts.
INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\uffff\ud800-\udfff"
    r"\ue000-\uf8ff\U000e0000-\U000e007f]"
)
BETWEEN_HEADINGS = " › "
HEADING_LENGTH = 400  # characters, with its parents
TITLE_LENGTH = 300
ANSWER_WORDS = 200  # a longer text below a question is a section of its own, not the answer of an FAQ
LONG_PARAGRAPH = 240  # characters: what a guessed heading must have below it
FEWEST_HEADINGS, THEIR_SHARE = 3, 1 / 3  # of all lines: only if so many are above sentences, these are headings
CJK_WEIGHT = 3  # letters of other scripts that such a character stands for, besides itself
PSEUDO_LEVEL = 9  # of a heading that is only written like one: it ends at any real one
_ASKED = "Q|Question|Frage|Pregunta|Domanda|Pergunta|Вопрос|问"
_SAID = "A|Answer|Antwort|Respuesta|Réponse|Risposta|Resposta|Ответ|答"
QUESTION = re.compile(rf"(?:{_ASKED})\s*\d*\s*[:.：]\s*(?=\S)", re.I)
ANSWER = re.compile(rf"(?:{_SAID})\s*\d*\s*[:.：]\s*(?=\S)", re.I)


@dataclass(frozen=True, slots=True)
class Heading:
    level: int  # 1 to 6
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text or a fenced code block; `stands_out`: bold or alone, as headings are."""

    text: str
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A list item with its marker and indentation."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; `columns` are their names, empty where there are none."""

    columns: Sequence[str]
    rows: Iterable[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer, where a format marks it as one."""

    question: str
    answer: str


Block = Heading | Paragraph | Item | Table | Answered


def is_question(text: str) -> bool:
    return text.rstrip(" *_\"'”").endswith(QUESTION_MARKS) and len(text) <= HEADING_LENGTH


def looks_like_heading(text: str) -> bool:
    """Return whether it is short, begins with a capital, digit or caseless script, and doesn't end like a sentence."""
    return (
        "\n" not in text
        and 2 <= len(text) <= 90
        and len(text.split()) <= 14
        and not text[0].islower()
        and any(c.isalpha() for c in text)
        and text[-1] not in ".,;!…。；，、।"
    )


def pretty(name: str) -> str:
    """Return a file's name as a title: `getting_started.md` is "Getting started"."""
    stem = re.sub(r"[\s_\-–]+", " ", PurePath(name).stem).strip()
    return stem[:1].upper() + stem[1:] if stem == stem.lower() else stem


def says_nothing(name: str) -> bool:
    """Return whether it is a file name without a word in it: a number, a hash."""
    stem = PurePath(name).stem.lower()
    is_code = re.fullmatch(r"(?=.*\d)[0-9a-f\-_. ]+", stem) is not None
    return is_code or len(stem) < 2 or stem in {"index", "readme", "untitled"}


def row_text(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Return `Column: value; Column: value`, without empty values."""
    values = ((column, " ".join(cell.split())) for column, cell in zip_longest(columns, cells, fillvalue=""))
    return "; ".join(f"{column}: {value}" if column else value for column, value in values if value)


def assemble(
    blocks: Iterable[Block],
    *,
    name: str,
    title: str = "",
    declared: str = "",
    language: str = "",
    first_heading_is_title: bool = True,
) -> ReadDocument:
    """The document that the blocks make up.

    Its title is `title`, else its first heading of level 1, else `declared` (what it says of itself aside from its
    text), else the file's name; where that says nothing, its first line.
    """
    found = list(blocks)
    if not any(isinstance(block, Heading) for block in found):
        found, first_line = _with_guessed_headings(found)
        if first_line and (says_nothing(name) or _same(first_line, pretty(name))):
            declared = declared or first_line
            found = found[1:]
    first_h1 = ""
    if first_heading_is_title:
        first_h1 = next((block.text for block in found if isinstance(block, Heading) and block.level == 1), "")
    title = _one_line(title or first_h1 or declared or pretty(name))[:TITLE_LENGTH]
    return ReadDocument(title, tuple(_Assembly(title).run(found)), language)


def _with_guessed_headings(blocks: list[Block]) -> tuple[list[Block], str]:
    """Take short lines followed by text as headings, in a document without any. Also return its first line."""
    lines = [line for block in blocks for line in _lines_of(block)]
    signs = [_signs_of_heading(*pair) for pair in zip_longest(lines, lines[1:])]
    found = Counter(sign for its in signs for sign in its)
    is_divided = found["sentence"] >= max(FEWEST_HEADINGS, THEIR_SHARE * len(lines))
    trusted = {"long", "marked" if found["marked"] >= FEWEST_HEADINGS else "sentence" if is_divided else ""}
    result = [
        line if trusted.isdisjoint(its) else Heading(2, line.text) for line, its in zip(lines, signs, strict=True)
    ]
    first = lines[0] if len(lines) > 1 else None
    is_title = isinstance(first, Paragraph) and looks_like_heading(first.text)
    return result if result != lines or is_title else blocks, first.text if is_title else ""


def _lines_of(block: Block) -> list[Block]:
    if not isinstance(block, Paragraph) or "\n" not in block.text or block.text.startswith("```"):
        return [block]
    return [Paragraph(line) for line in block.text.split("\n")]


def _signs_of_heading(line: Block, after: Block | None) -> list[str]:
    """Return what shows that it may be a heading: what it is above, and whether it is marked, unlike what follows."""
    if not isinstance(line, Paragraph) or not looks_like_heading(line.text):
        return []
    if not isinstance(after, Paragraph):
        return ["long"] if line.stands_out and isinstance(after, (Item, Table)) else []
    begins_here = not after.text[0].islower()
    is_longer = len(after.text) >= 2 * len(line.text)  # the lines of a poem are of a length
    is_sentence = is_longer and after.text[-1] in ENDS and begins_here
    signs = {
        # With shorter ones, passages become too small to tell apart (measured).
        "long": len(after.text) + CJK_WEIGHT * len(CJK.findall(after.text)) >= LONG_PARAGRAPH,
        "marked": line.stands_out and not after.stands_out and begins_here,
        "sentence": (is_question(line.text) or is_sentence) and not is_question(after.text),
    }
    return [sign for sign, is_there in signs.items() if is_there]


def _same(one: str, other: str) -> bool:
    return "".join(filter(str.isalnum, one)).casefold() == "".join(filter(str.isalnum, other)).casefold() != ""


def _clean(text: str) -> str:
    return INVISIBLE.sub("", text).replace("\xa0", " ")


def _one_line(text: str) -> str:
    return " ".join(_clean(text).split())


class _Assembly:
    """Goes through the blocks once, and keeps track of the headings above them."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.path: list[tuple[int, str]] = []
        self.parts: list[str] = []

    def run(self, blocks: Iterable[Block]) -> Iterable[Section]:
        for block in blocks:
            match block:
                case Heading(level, text):
                    yield from self.section()
                    self.enter(level, _one_line(text))
                case Table(columns, rows):
                    yield from self.section()
                    yield from self.table(columns, rows)
                case Answered(question, answer):
                    yield from self.section()
                    yield Section(self.heading(_one_line(question)), _clean(answer).strip(), "faq")
                case Paragraph(text, stands_out):
                    question, text = _asked(text, stands_out)
                    if question:
                        yield from self.section()
                        self.enter(PSEUDO_LEVEL, question)
                    if text:
                        self.parts.append("\n\n" + text)
                case Item(text):
                    self.parts.append(("\n" if self.parts and self.in_list else "\n\n") + text)
            self.in_list = isinstance(block, Item)
        yield from self.section()

    in_list = False

    def enter(self, level: int, text: str) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        # The title is a field of its own on each passage: as a heading it would say everything twice.
        if text and not (level == 1 and text == self.title):
            self.path.append((level, text))

    def heading(self, below: str = "") -> str:
        """The innermost heading after those that it stands under, of which the outermost give way first."""
        texts = [text for _, text in self.path] + ([below] if below else [])
        while len(texts) > 1 and len(BETWEEN_HEADINGS.join(texts)) > HEADING_LENGTH:
            texts.pop(0)
        return BETWEEN_HEADINGS.join(texts)[:HEADING_LENGTH]

    def section(self) -> Iterable[Section]:
        text = _clean("".join(self.parts)).strip("\n")
        self.parts = []
        if not text.strip():
            return
        kind: SectionKind = "prose"
        if self.path and is_question(self.path[-1][1]):
            without = ANSWER.sub("", text, count=1) if ANSWER.match(text) else text
            if len(without.split()) <= ANSWER_WORDS:
                kind, text = "faq", without
        yield Section(self.heading(), text, kind)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[Section]:
        lines = [line for row in rows if (line := _clean(row_text(columns, row)))]
        if lines:
            yield Section(self.heading(), "\n".join(lines), "table")


def _asked(text: str, stands_out: bool) -> tuple[str, str]:
    """Return the question that begins a paragraph written like an FAQ's (bold, or after "Q:"), and the rest."""
    first, _, rest = text.partition("\n")
    if (marked := QUESTION.match(first)) and (is_question(first) or ANSWER.match(rest)):
        return _one_line(first[marked.end() :]), rest
    if stands_out and is_question(text):
        return _one_line(text), ""
    return "", text

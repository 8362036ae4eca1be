"""Types shared by docbot's rooms: a document as read, and its sections."""

from dataclasses import dataclass
from typing import Literal

QUESTION_MARKS = ("?", "？", "؟", "\u037e")

SectionKind = Literal["prose", "faq", "table", "taught"]


@dataclass(frozen=True)
class Section:
    """Part of a document under one heading.

    `text` is plain text: paragraphs, list items and table rows, with a blank line between blocks. Of kind `faq` the
    heading is the question and the text its answer; of kind `table` each line is one row, `Column: value; …`. What is
    `taught` is one passage, however long.
    """

    heading: str
    text: str
    kind: SectionKind = "prose"


@dataclass(frozen=True)
class ReadDocument:
    """A document read from a file or page; `language` is an ISO 639-1 code, or "" if unknown."""

    title: str
    sections: tuple[Section, ...]
    language: str = ""
    url: str = ""  # of a website's page: what a reply may link to

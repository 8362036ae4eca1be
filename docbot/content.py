"""What passes between docbot's rooms: a document as it was read, and the passages that are cut out of it."""

from dataclasses import dataclass
from typing import Literal

SectionKind = Literal["prose", "faq", "table"]


@dataclass(frozen=True)
class Section:
    """A stretch of a document under one heading.

    `text` is plain text: paragraphs, list items and table rows, with a blank line between blocks. Of kind `faq` the
    heading is the question and the text its answer; of kind `table` each line is one row, `Column: value; …`.
    """

    heading: str
    text: str
    kind: SectionKind = "prose"


@dataclass(frozen=True)
class ReadDocument:
    """A document after its file or page was read; `language` is an ISO 639-1 code, or "" when it isn't known."""

    title: str
    sections: tuple[Section, ...]
    language: str = ""
    address: str = ""  # of a website's page: what a reply may link to


@dataclass(frozen=True)
class PassageText:
    """What is found and quoted: one heading and some whole sentences under it."""

    heading: str
    text: str

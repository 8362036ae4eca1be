"""Quotes document text as Markdown, escaped: it can't create links, HTML or headings in a reply."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

import regex

from docbot.retrieval.sentences import Piece

_SPECIAL = regex.compile(r"[\\`*\[\]<>|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,32};)|!(?=\[)")
_LINE_START = regex.compile(r"^(\s*)([#+=-]|\d{1,9}(?=[.)](?:\s|$)))")
_CODE_SPAN = regex.compile(r"(?<!`)(`[^`\n]+`)(?!`)")
_ITEM = regex.compile(r"^(?:[-*+•‣◦·]|(\d{1,3})[.)])\s+")
_URL = regex.compile(r"https?://[^\s<>\\`\"]+")
_UNPRINTED = regex.compile(r"[\p{Cc}\p{Cs}\U000e0000-\U000e007f]")

NOWHERE = "#source"  # the page shows it as a source without a link
MOST_OFFERS = 3
_LONGEST_PASSAGE = 400  # characters
_SPECIAL_IN_TITLE = regex.compile(r'["\\&<`*_\[\]]')
_LONGEST_LABEL = 90  # characters
_CODE_MARKS = regex.compile(r"^\s*(?:`{3,}|~{3,}).*$|`", regex.MULTILINE)
_FEW_WORDS, _OF_EACH_END = 10, 4  # words of a text fragment
NOT_TEXT = regex.compile(r"[^\P{Cc}\n\t]|[\p{Cs}\U000e0000-\U000e007f]")


def escaped(text: str) -> str:
    """Return one line of plain text as Markdown; words between single backticks stay code."""
    words_and_code = enumerate(_CODE_SPAN.split(_UNPRINTED.sub(" ", text)))
    line = "".join(part if place % 2 else _SPECIAL.sub(r"\\\g<0>", part) for place, part in words_and_code)
    return _LINE_START.sub(_escaped_start, line)


def _escaped_start(match: regex.Match) -> str:
    # a year with a full stop at the start of a line would become a list number
    return f"{match[1]}{match[2]}\\" if match[2].isdigit() else f"{match[1]}\\{match[2]}"


def quotation(parts: Sequence[Piece]) -> str:
    """Return consecutive pieces of a passage as Markdown; lists and blocks of code are kept."""
    return "".join((_between(part) if place else "") + _quoted(part) for place, part in enumerate(parts))


def _between(part: Piece) -> str:
    # Keep the rows of a table and the lines of a poem on lines of their own.
    return "  \n" if part.before == "\n" and part.kind == "sentence" else part.before


def _quoted(part: Piece) -> str:
    if part.kind == "code":
        return _code(part.text)
    if part.kind == "item" and (marker := _ITEM.match(part.text)):
        number = f"{marker[1]}." if marker[1] else "-"
        return f"{number} {escaped(part.text[marker.end() :])}"
    return escaped(part.text)


def _code(block: str) -> str:
    lines = block.split("\n")
    fence = regex.match(r"\s*(`+|~+)\s*([\w+-]*)", lines[0])
    body = "\n".join(lines[1:-1])
    longest = max(map(len, regex.findall(r"`+", body)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{fence[2]}\n{NOT_TEXT.sub(' ', body)}\n{marks}"


def name(title: str, heading: str, url: str, quoted: str = "", passage: str = "") -> str:
    """Return title and heading as a link to the quoted words, or to `#source`; `passage` is the link's title."""
    parts = [" ".join(part.split()) for part in (title, heading)]
    text = " › ".join(escaped(part) for part in dict.fromkeys(parts) if part)
    shown = f' "{_shortened(passage, quoted)}"' if passage.strip() else ""
    if not _URL.fullmatch(url):
        return f"[{text}]({NOWHERE}{shown})" if text and shown else text
    return f"[{text or escaped(url)}](<{url}{_text_fragment(url, quoted)}>{shown})"


def _shortened(passage: str, quoted: str) -> str:
    """Return a link's title: the passage from the quoted words on, or from its beginning if they come soon.

    A title is plain text, so code in it loses its marks.
    """
    without_marks = (_CODE_MARKS.sub("", part) for part in (passage, quoted))
    text, first = (_UNPRINTED.sub(" ", " ".join(part.split())) for part in without_marks)
    begin = text.find(first) if first else 0
    if begin > _LONGEST_PASSAGE // 2:
        text = f"… {text[begin:]}"
    if len(text) > _LONGEST_PASSAGE:
        text = f"{text[:_LONGEST_PASSAGE].rpartition(' ')[0] or text[:_LONGEST_PASSAGE]} …"
    return _SPECIAL_IN_TITLE.sub(r"\\\g<0>", text)


def _text_fragment(url: str, quoted: str) -> str:
    """Return a fragment that makes browsers scroll to the words: the whole sentence, or its first and last words."""
    words = _ITEM.sub("", quoted).split()
    if not words or "`" in quoted:
        return ""
    ends = [words] if len(words) <= _FEW_WORDS else [words[:_OF_EACH_END], words[-_OF_EACH_END:]]
    told = ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)
    return f"{'' if '#' in url else '#'}:~:text={told}"


def source_line(word: str, title: str, heading: str, url: str, quoted: str = "", passage: str = "") -> str:
    """Return the line below a quotation; `word` is "Source" in the reader's language."""
    where = name(title, heading, url, quoted, passage)
    return f"{word}: {where}" if where.startswith("[") else f"*{word}: {where}*"


def label(title: str, heading: str, *, is_alone: bool = True) -> str:
    """Return what a visitor may ask: the innermost heading, with the title if others have the same heading."""
    inner = heading.rpartition(" › ")[2].strip()
    text = " ".join((inner if inner and is_alone else ": ".join(filter(None, (title, inner)))).split())
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL + 1].rpartition(" ")[0]


def with_offers(text: str, labels: Iterable[str]) -> str:
    """Return the reply with a last list of links to #ask, which the page shows as buttons."""
    lines = [f"- [{escaped(one)}](#ask)" for one in dict.fromkeys(labels) if one]
    return "\n".join([text, "", *lines[:MOST_OFFERS]]) if lines else text

"""Sources that a reply names: its last paragraph, when each line is a link with the quoted passage as its title.

`Source: [Opening hours](https://example.com/hours "We open at nine.")`; a source without an address links to `#source`.
"""

from typing import NamedTuple

import regex

MOST = 9
LONGEST = 1000  # characters of a passage
NOWHERE = "#source"

_LINE = regex.compile(
    r"(?:\\?\[(?P<number>\d{1,2})\\?\] )?(?:\p{L}[\p{L}\p{M} ]{0,30}: ?)?"
    r"\[(?P<name>(?:[^\[\]\\]|\\.)++)\]\(<?(?P<url>https?://[^\s<>()\"]++|https?://[^\s<>\"]++(?=>)|#source)>? "
    r'"(?P<passage>(?:[^"\\]|\\.)++)"\)(?:\\|  )?'
)
_ESCAPED = regex.compile(r"\\([!-/:-@\[-`{-~])")


class Source(NamedTuple):
    number: str  # as the text cites it; "" if there is only one source
    name: str
    url: str  # "" for a document without a URL
    passage: str

    @property
    def url_for_code(self) -> str:
        """Return the URL without the words to scroll to, which would make a QR code too fine."""
        return self.url.partition(":~:")[0].removesuffix("#")


def split(text: str) -> tuple[str, list[Source]]:
    """Return the text without its sources, and the sources.

    All of the text if its last paragraph is something else.
    """
    before, gap, last = text.rpartition("\n\n")
    lines = [_LINE.fullmatch(line) for line in last.splitlines()]
    if not before.strip() or not gap or len(lines) > MOST or not all(lines):
        return text, []
    return before, [_source(line) for line in lines if line]


def _source(line: regex.Match) -> Source:
    name, passage = (_ESCAPED.sub(r"\1", line[part]).strip() for part in ("name", "passage"))
    url = "" if line["url"] == NOWHERE else line["url"]
    return Source(line["number"] or "", name, url, passage[:LONGEST])

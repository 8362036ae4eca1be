"""Questions that a reply offers: its last list, when each item is a link to `#ask`. The page shows them as buttons."""

import re
from typing import NamedTuple

from webchat.rendering import sources

MOST = 6
LONGEST = 200  # characters of a question

_ITEM = re.compile(r"[-*+] +\[((?:[^\[\]\\]|\\.)+)\]\(#ask\)[ \t]*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class Reply(NamedTuple):
    text: str  # Markdown, without the list and the sources
    questions: list[str]  # as the buttons show and send them
    sources: list[sources.Source]


def split(reply: str) -> Reply:
    """Return the text and its questions.

    A list with anything else in it, or one that is too long, stays in the text.
    """
    if "](" not in reply:
        return Reply(reply, [], [])
    lines = reply.rstrip().splitlines()
    questions: list[str] = []
    while lines and len(questions) <= MOST and (item := _ITEM.fullmatch(lines[-1])):
        questions.insert(0, _ESCAPED.sub(r"\1", item[1]).strip())
        lines.pop()
    text = "\n".join(lines).rstrip()
    fits = 0 < len(questions) <= MOST and all(0 < len(question) <= LONGEST for question in questions)
    ends_before = not lines or not lines[-1].strip()  # otherwise the list belongs to a longer one, or to a paragraph
    if not (fits and ends_before and text):
        text, questions = reply.rstrip(), []
    without, named = sources.split(text)
    return Reply(without if named else text if questions else reply, questions, named)

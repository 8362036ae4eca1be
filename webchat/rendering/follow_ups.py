"""Questions that a reply offers: its last list, when each item is a link to `#ask`. The page shows them as buttons."""

import re
from typing import NamedTuple

MOST = 6
LONGEST = 200  # characters of a question

_ITEM = re.compile(r"[-*+] +\[((?:[^\[\]\\]|\\.)+)\]\(#ask\)[ \t]*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class Reply(NamedTuple):
    text: str  # Markdown, without the list
    questions: list[str]  # as the buttons show and send them


def split(reply: str) -> Reply:
    """A list with anything else in it, or one that is too long, stays a part of the text."""
    lines = reply.rstrip().splitlines()
    questions: list[str] = []
    while lines and (item := _ITEM.fullmatch(lines[-1])):
        questions.insert(0, _ESCAPED.sub(r"\1", item[1]).strip())
        lines.pop()
    text = "\n".join(lines).rstrip()
    fits = 0 < len(questions) <= MOST and all(0 < len(question) <= LONGEST for question in questions)
    ends_before = not lines or not lines[-1].strip()  # otherwise the list is a part of a longer one, or of a paragraph
    return Reply(text, questions) if fits and ends_before and text else Reply(reply, [])


def in_words(reply: str) -> str:
    """The reply where there are no buttons: its questions are a plain list."""
    text, questions = split(reply)
    return "\n".join([text, *(["", *(f"– {question}" for question in questions)] if questions else [])])

"""Imports the comparison by meaning when a message is compared: a process that isn't asked saves numpy's 6 MB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbot.retrieval.index import Index
    from docbot.retrieval.meaning.messages import Meaning
    from docbot.retrieval.questions import Question


def read(index: Index, question: Question, messages: Sequence[str] = ()) -> Meaning | None:
    """Compare a message with the bot's sentences; see `messages.read`."""
    from docbot.retrieval.meaning import messages as compared

    return compared.read(index, question, messages)

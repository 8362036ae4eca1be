"""Asks docbot about one document, in a conversation."""

from pathlib import Path

from docbot.answering.answers import Answer, PastExchange, answer
from docbot.reading import read
from docbot.retrieval.index import Index
from docbot.training.passages import cut
from tests.docbot.conftest import index_of


def converse(index: Index, *messages: str) -> Answer:
    """Return the reply to the last message."""
    history: list[PastExchange] = []
    for message in messages:
        said = answer(index, message, history)
        history.append(PastExchange(message, said.sources))
    return said


def ask(folder: Path, content: bytes | str, name: str, *messages: str) -> Answer:
    document = read(content if isinstance(content, bytes) else content.encode(), name)
    passages = [(document.title, one.heading, one.text) for one in cut(document)]
    other = "The landing stage is open from May to October. Please return the keys at the hut by the water."
    return converse(index_of(folder, *passages, ("House rules", "", other)), *messages)


def ask_about(folder: Path, text: str, *messages: str) -> str:
    """Return the reply to the last message about a page in Markdown, which begins with `#`, or a table as CSV."""
    return ask(folder, text, "page.md" if text.startswith("#") else "table.csv", *messages).text

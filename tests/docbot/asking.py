"""Asks docbot about one document, in a conversation."""

from pathlib import Path

from docbot.answering.answers import Answer, PastExchange, answer
from docbot.reading import read
from docbot.training.passages import cut
from tests.docbot.conftest import index_of


def ask(folder: Path, content: bytes, name: str, *messages: str) -> Answer:
    document = read(content, name)
    passages = [(document.title, one.heading, one.text) for one in cut(document)]
    other = "The landing stage is open from May to October. Please return the keys at the hut by the water."
    index = index_of(folder, *passages, ("House rules", "", other))
    history: list[PastExchange] = []
    for message in messages:
        said = answer(index, message, history)
        history.append(PastExchange(message, said.sources))
    return said

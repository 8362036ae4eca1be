"""Answers a message from an index: by quoting the best passage with its source, or by saying that it doesn't know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docbot import certainty, questions, ranking, windows
from docbot.index import Index, IndexedPassage
from docbot.phrases import phrases
from docbot.quoting import quotation, source_line

Certainty = Literal["sure", "unsure", "unknown"]

SURE = 0.5
UNSURE = 0.2
_SEARCHED = 20  # passages that are found
_READ = 10  # of them that a reply may quote
_NAMED = 3  # passages that an unsure reply names


@dataclass(frozen=True)
class Source:
    """A passage that a reply quotes or names."""

    document_id: int
    passage_id: int
    title: str
    heading: str
    address: str


@dataclass(frozen=True)
class PastExchange:
    """A message of the visitor's and the sources of the bot's reply to it."""

    message: str
    sources: Sequence[Source] = ()


@dataclass(frozen=True)
class Hit:
    """A passage that was found, with its score, for the owner to look at."""

    source: Source
    text: str
    score: float


@dataclass(frozen=True)
class Answer:
    """A reply in Markdown, its sources, and how sure the bot is; `score` is between 0 and 1."""

    text: str
    sources: tuple[Source, ...]
    certainty: Certainty
    score: float
    hits: tuple[Hit, ...] = ()


def answer(
    index: Index,
    message: str,
    history: Sequence[PastExchange] = (),
    *,
    sure: float = SURE,
    unsure: float = UNSURE,
) -> Answer:
    """The reply to a message, after the exchanges of the same conversation (the oldest first)."""
    cited = [name for source in (history[-1].sources if history else ()) for name in (source.title, source.heading)]
    question = questions.read(index, message, [exchange.message for exchange in history], cited)
    found = ranking.ranked(question, index.search(question.weights(), _SEARCHED), _READ)
    window = windows.best(question, found)
    said = phrases(question.language)
    hits = tuple(Hit(_source(one.passage), one.passage.text, one.score) for one in found)
    if window is None:
        return Answer(said.unknown, (), "unknown", 0.0, hits)
    score = certainty.score(window, index.description.passages, later=bool(question.context))
    if score < unsure:
        return Answer(said.unknown, (), "unknown", score, hits)
    if score < sure:
        named = [one.passage for one in found[:_NAMED]]
        lines = [said.unsure, "", *(f"- {_line(said.source, passage)}" for passage in named)]
        return Answer("\n".join(lines), tuple(map(_source, named)), "unsure", score, hits)
    passage = window.found.passage
    text = f"{quotation(list(window.parts))}\n\n{_line(said.source, passage)}"
    return Answer(text, (_source(passage),), "sure", score, hits)


def _line(word: str, passage: IndexedPassage) -> str:
    return source_line(word, passage.title, passage.heading, passage.address)


def _source(passage: IndexedPassage) -> Source:
    return Source(passage.document_id, passage.id, passage.title, passage.heading, passage.address)

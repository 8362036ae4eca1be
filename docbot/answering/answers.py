"""Answers a message by quoting the best passage with its source, or by saying that the bot doesn't know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docbot.answering import certainty, windows
from docbot.answering.phrases import Phrases, phrases
from docbot.answering.quoting import escaped, name, quotation, source_line
from docbot.answering.smalltalk import Kind, small_talk
from docbot.answering.windows import Window
from docbot.retrieval import questions, ranking
from docbot.retrieval.index import Index, IndexedPassage
from docbot.retrieval.sentences import size

Certainty = Literal["sure", "unsure", "unknown"]

SURE = 0.5
UNSURE = 0.2
_SEARCHED = 20  # passages to search for
_READ = 10  # of these, passages that a reply may quote
_NAMED = 3  # passages that an unsure reply lists
_SHORT = 40  # words; an unsure reply quotes sentences up to this length


@dataclass(frozen=True)
class Source:
    """A passage that a reply quotes or lists."""

    document_id: int
    passage_id: int
    title: str
    heading: str
    address: str


@dataclass(frozen=True)
class PastExchange:
    """An earlier message and the sources of the reply to it."""

    message: str
    sources: Sequence[Source] = ()


@dataclass(frozen=True)
class Hit:
    """A passage found, with its score, shown to the owner."""

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
    """Answer a message, given the earlier exchanges of the conversation (oldest first).

    A score of at least `sure` quotes, one of at least `unsure` lists the closest passages, a lower one says "unknown".
    """
    kind, asked = small_talk(message)
    cited = [text for source in (history[-1].sources if history else ()) for text in (source.title, source.heading)]
    question = questions.read(index, asked or message, [exchange.message for exchange in history], cited)
    said = phrases(question.language)
    found = ranking.ranked(question, index.search(question.weights(), _SEARCHED), _READ)
    best = windows.best_windows(question, found)
    hits = tuple(Hit(_source(one.passage), one.passage.text, one.score) for one in found)
    if kind and not (best and best[0].is_asked):
        return Answer(_small_talk(kind, said, index.description.titles), (), "sure", 1.0, hits)
    score = certainty.score(best, question, index) if best else 0.0
    if score < unsure:
        return Answer(said.unknown, (), "unknown", score, hits)
    if score < sure:
        closest = _closest(best)
        text = "\n".join([said.unsure, "", *map(_pointer, closest)])
        return Answer(text, tuple(_source(window.found.passage) for window in closest), "unsure", score, hits)
    source = _source(best[0].found.passage)
    line = source_line(said.source, source.title, source.heading, source.address)
    text = f"{quotation(best[0].parts)}\n\n{line}"
    return Answer(text, (source,), "sure", score, hits)


def _small_talk(kind: Kind, said: Phrases, titles: Sequence[str]) -> str:
    match kind:
        case "thanks":
            return said.welcome
        case "goodbye":
            return said.goodbye
        case "hello":
            return said.hello
        case "about_me":
            topics = [f"- {escaped(' '.join(title.split()))}" for title in titles]
            return "\n".join([said.about_me, *(["", said.topics, "", *topics] if topics else [])])


def _closest(best: Sequence[Window]) -> list[Window]:
    """Return the best window of each section."""
    sections = {}
    for window in best:
        passage = window.found.passage
        sections.setdefault((passage.document_id, passage.heading), window)
    return list(sections.values())[:_NAMED]


def _pointer(window: Window) -> str:
    passage, key = window.found.passage, window.key
    line = f"- {name(passage.title, passage.heading, passage.address)}"
    return f"{line}: {quotation([key])}" if key.kind == "sentence" and size(key.text) <= _SHORT else line


def _source(passage: IndexedPassage) -> Source:
    return Source(passage.document_id, passage.id, passage.title, passage.heading, passage.address)

"""Words a reply: the quotation with its source and what to ask next, or what the bot says when it doesn't know."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

from docbot.answering.candidates import Candidate
from docbot.answering.excerpts import ANNOUNCES, excerpt, heading_above
from docbot.answering.phrases import phrases, written_day
from docbot.answering.quoting import MOST_OFFERS, escaped, label, quotation, source_line, with_offers
from docbot.answering.smalltalk import Kind
from docbot.answering.tables.table_answers import as_table
from docbot.content import QUESTION_MARKS
from docbot.retrieval.index import Found, Index, IndexedPassage
from docbot.retrieval.languages import detect
from docbot.retrieval.sentences import size

_MOST_ASKED = 120  # characters of a message that is asked again
_BESIDE = 5  # passages before and after the one that answers, among which the next questions are found
_SHORT = 5  # words of a heading that may be offered


@dataclass(frozen=True)
class Source:
    """A passage that a reply quotes or lists."""

    document_id: int
    passage_id: int
    title: str
    heading: str
    url: str

    @classmethod
    def of(cls, passage: IndexedPassage) -> "Source":
        return cls(passage.document_id, passage.id, passage.title, passage.heading, passage.url)


@dataclass(frozen=True)
class PastExchange:
    """An earlier message and the sources of the reply to it."""

    message: str
    sources: Sequence[Source] = ()
    reply: str = ""  # which only a model needs


class Replies:
    """The replies to one message in the visitor's language, as Markdown; `found` are the passages for it."""

    def __init__(
        self, index: Index, message: str, language: str, found: Sequence[Found], history: Sequence[PastExchange]
    ) -> None:
        self._index, self._message, self._language = index, message, language
        self._found, self._history = found, history
        self._said = phrases(language)

    def excerpt(self, candidate: Candidate) -> str:
        """Quote what answers of a passage."""
        passage, pieces = candidate.found.passage, excerpt(candidate)
        text = as_table(passage.text) or as_table("\n".join(piece.text for piece in pieces)) or quotation(pieces)
        if pieces[-1].text.endswith(ANNOUNCES):
            after = self._index.passage(passage.id + 1)
            table = as_table(after.passage.text) if after and after.passage.section == passage.section else ""
            text = f"{text}\n\n{table}" if table else f"{text[:-1]} …"
        if heading := label("", heading_above(candidate, pieces[0], self._message)):
            text = f"**{escaped(heading)}**\n\n{text}"
        return self.quotation(text, passage, pieces[0].text)

    def quotation(self, text: str, passage: IndexedPassage, first: str = "") -> str:
        """Return a quotation with its source; `first` is the sentence that the source's link leads to."""
        where = source_line(self._said.source, passage.title, passage.heading, passage.url, first, passage.text)
        return with_offers(self._with_language(f"{text}\n\n{where}", text, passage), self._next(passage))

    def taught(self, passage: IndexedPassage) -> str:
        """Return the team's answer whole, in its own Markdown, with the day on which it was taught."""
        day = written_day(passage.taught_on, self._language)
        return self._with_language(f"{passage.text}\n\n*{self._said.team.format(date=day)}*", passage.text, passage)

    def small_talk(self, kind: Kind) -> str:
        titles = self._index.description.titles
        if kind == "about_me" and titles:
            return with_offers(f"{self._said.about_me} {self._said.topics}", map(label, titles, repeat("")))
        return getattr(self._said, {"thanks": "welcome", "anger": "sorry"}.get(kind, kind))

    def unknown(self, best: Sequence[Candidate]) -> str:
        closest = [passage for passage in _closest(best) if _is_for_visitors(passage)]
        known = self._labels(closest) or self._index.description.titles
        return with_offers(f"{self._said.unknown}\n\n{self._said.topics}", known) if known else self._said.unknown

    def unsure(self, best: Sequence[Candidate]) -> tuple[str, tuple[Source, ...]]:
        closest = _closest(best)
        return with_offers(self._said.unsure, self._labels(closest)), tuple(map(Source.of, closest))

    def which(self, titles: Sequence[str]) -> str:
        """Ask which one is meant: each offer is the message with one of the names."""
        asked = " ".join(self._message.split())[:_MOST_ASKED].rstrip(" ?؟？")
        return with_offers(self._said.which, [f"{asked} ({title})?" for title in titles])

    def _with_language(self, text: str, quoted: str, passage: IndexedPassage) -> str:
        """Put a sentence before the quotation if it is in another language than the message.

        A document of few words may be taken for another language than it is in; what is quoted of it is asked, too.
        """
        language = self._language
        is_foreign = passage.language not in ("", language) and detect(quoted, is_message=True) != language
        is_told = detect(self._message, is_message=True) == language
        return f"{self._said.elsewhere}\n\n{text}" if is_foreign and is_told else text

    def _labels(self, passages: Sequence[IndexedPassage]) -> list[str]:
        """Return the headings to offer, with their documents' titles where several documents have the same heading."""
        owners = Counter(heading for _, heading in {one.passage.section for one in self._found})
        return [label(one.title, one.heading, is_alone=owners[one.heading] < 2) for one in passages]

    def _next(self, passage: IndexedPassage) -> list[str]:
        """Offer the questions or short headings beside the answer in its document, the following ones first."""
        asked = {exchange.message.casefold() for exchange in self._history}
        seen = {"", passage.heading, *(source.heading for exchange in self._history for source in exchange.sources)}
        places = (number for step in range(1, _BESIDE + 1) for number in (passage.id + step, passage.id - step))
        beside = (one.passage for one in map(self._index.passage, places) if one)
        fresh = [one for one in beside if one.document_id == passage.document_id and one.heading not in seen]
        fitting = [one for one in fresh if _is_for_visitors(one) and _is_short(label("", one.heading))]
        return [one for one in self._labels(fitting) if one.casefold() not in asked]


def _closest(best: Sequence[Candidate]) -> list[IndexedPassage]:
    sections = {}
    for candidate in best:
        passage = candidate.found.passage
        sections.setdefault(passage.section, passage)
    return list(sections.values())[:MOST_OFFERS]


def _is_for_visitors(passage: IndexedPassage) -> bool:
    """Return whether a visitor would ask for its heading: not for a name from a program, such as a setting's."""
    return "_" not in passage.heading


def _is_short(heading: str) -> bool:
    return heading.endswith(QUESTION_MARKS) or size(heading) <= _SHORT

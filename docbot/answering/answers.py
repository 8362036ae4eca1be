"""Answers a message by quoting the best passage with its source, or by saying that the bot doesn't know."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Literal

from docbot.answering import candidates, opening_hours, usual_questions
from docbot.answering.candidates import Candidate
from docbot.answering.certainty import calibration, estimate
from docbot.answering.certainty.ambiguity import closer_in_meaning, equally_likely_titles, prose_first
from docbot.answering.contact_details import find_contact_detail
from docbot.answering.excerpts import ANNOUNCES, excerpt, heading_above
from docbot.answering.phrases import Phrases, phrases, spoken, written_day
from docbot.answering.prices import choose_list, find_price_lists
from docbot.answering.quantities import day_names
from docbot.answering.quoting import MOST_OFFERS, escaped, label, quotation, source_line, with_offers
from docbot.answering.smalltalk import Kind, small_talk
from docbot.answering.tables.rows import rows_of
from docbot.answering.tables.table_answers import TableAnswer, answer_from_tables, as_table
from docbot.answering.usual_questions import Usual
from docbot.content import QUESTION_MARKS
from docbot.retrieval import questions, ranking
from docbot.retrieval.analysis import fold
from docbot.retrieval.index import Found, Index, IndexedPassage
from docbot.retrieval.languages import detect
from docbot.retrieval.questions import Question
from docbot.retrieval.sentences import size

Certainty = Literal["sure", "unsure", "unknown"]

# Of the score that is needed to quote; everyday messages in a language that no document is in reach more of it.
UNSURE, UNSURE_IF_FOREIGN = 0.2, 0.45
# The least score of a passage without vectors that has words of the conversation, but none of the message itself: the
# limits are found with messages alone, and in small bots are next to nothing.
_ONLY_BEFORE = 0.25
_OF_SCORE = 0.07  # of a taught answer's lead in score, added to that in likeness
_AHEAD = 0.1  # the least of both
CLOSE = 0.45  # likeness in meaning; one in fifty off-topic messages comes as close where documents are few
_MOST_ASKED = 120  # characters of a message that is asked again
_MOST_EARLIER = 5  # messages that may tell the language
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
    sure: float = 0.0  # the least score of a quotation
    is_taught: bool = False  # in the team's words, which nobody should reword
    is_close: bool = False  # unknown, but a passage comes close in meaning: a model that reads may find the answer


def answer(
    index: Index,
    message: str,
    history: Sequence[PastExchange] = (),
    *,
    sure: float | None = None,
    by_meaning: bool = True,
) -> Answer:
    """Answer a message after earlier exchanges, oldest first; `sure` replaces the bot's own limit of a quotation."""
    kind, rest = small_talk(message)
    asked, earlier, last = rest or message, [one.message for one in history], history[-1].sources if history else ()
    language = language_of(index, asked, earlier)
    said, names = phrases(language), [name for one in last for name in (one.title, one.heading)]
    question = questions.read(index, asked, language, earlier, names)
    meaning = ranking.compare(index, question, language, earlier) if by_meaning else None
    question = question if meaning or index.description.repeats else question.with_less_context()
    found = ranking.search(index, question, meaning, earlier)
    every = candidates.candidates(question, found)
    best = prose_first(candidates.of_documents(every))
    sure = _limit(index, meaning.encoder if meaning else "words", best) if sure is None else sure
    taught = _taught_answer(every, question, index, sure)
    found = [one for one in found if taught or not one.passage.taught_on]
    hits = tuple(Hit(_source(one.passage), one.passage.text, one.score) for one in found)
    if kind and not (every and every[0].is_asked):
        return Answer(_small_talk(kind, said, index.description.titles), (), "sure", 1.0, hits)
    score = estimate.score([taught] if taught else best, question, index)
    quoted = partial(Answer, certainty="sure", score=max(score, sure), hits=hits, sure=sure)
    if taught:
        return quoted(_quote_taught(taught, message, language), (_source(taught.found.passage),), is_taught=True)
    cited = {(source.document_id, source.heading) for source in last}
    rows = answer_from_tables(question, earlier, cited, best, index)
    usual, about = _about_usual(index, asked, language, by_meaning)
    if usual == "opening_hours" and (hours := _opening_hours(about, rows, index, asked, language, by_meaning)):
        return quoted(_section(hours, index, message, language, history), (_source(hours[0].passage),))
    detail = None if index.description.repeats else usual
    if telling := find_contact_detail(about, detail):
        return quoted(_excerpt(telling, index, message, language, found, history), (_source(telling.found.passage),))
    lists = find_price_lists(about, index) if usual == "prices" and not history else []
    contested = [one.candidate for one in lists] or (_contested(best, rows, cited, index) if score >= sure else [])
    if table := choose_list(lists) or (rows if rows and (rows.fits or (score >= sure and not contested)) else None):
        text = _quote(table.text, table.passage, message, language)
        return quoted(with_offers(text, _next(index, table.passage, found, history)), (_source(table.passage),))
    if score < (UNSURE_IF_FOREIGN if question.is_foreign else UNSURE) * sure and not contested:
        return Answer(_unknown(best, found, index, said), (), "unknown", score, hits, sure, is_close=_is_close(found))
    if score < sure or contested or detail in ("email", "phone", "address"):
        return Answer(*_unsure([*contested[: MOST_OFFERS - 1], *best], found, said), "unsure", score, hits, sure)
    if titles := equally_likely_titles(best, index):
        return Answer(_which(message, titles, said), (), "unsure", score, hits, sure)
    return quoted(_excerpt(best[0], index, message, language, found, history), (_source(best[0].found.passage),))


def _limit(index: Index, by: str, best: Sequence[Candidate]) -> float:
    """Return the least score of a quotation. `by`: "words", or the name of an encoder."""
    limit = calibration.sure(index, by)
    return max(limit, _ONLY_BEFORE) if by == "words" and best and not best[0].is_about_more else limit


def _is_close(found: Sequence[Found]) -> bool:
    return any(max(one.likeness_alone.values(), default=0.0) >= CLOSE for one in found)


def language_of(index: Index, message: str, earlier: Sequence[str]) -> str:
    """Return the visitor's language: that of the last message that tells; a name may come from a button."""
    for text in (message, *reversed(earlier[-_MOST_EARLIER:])):
        usual = questions.languages(index, text)[0]
        found = spoken(text, usual)
        if found != usual or (detect(text) == usual and not (earlier and ranking.is_name(index, text))):
            return found
        asked_in = usual_questions.languages(text)
        if asked_in and usual not in asked_in:
            return asked_in[0]
    return questions.languages(index, message)[0]


def _contested(
    best: Sequence[Candidate], rows: TableAnswer | None, cited: Container[tuple[int, str]], index: Index
) -> list[Candidate]:
    """Return what may be meant instead of the best candidate, and isn't what the last reply was about."""
    if rows.is_vague if rows else rows_of(best[0].found.passage.text) and not best[0].named:
        return [best[0]]
    if rows and rows.is_computed:
        return []
    closer = closer_in_meaning(best, index) if best[0].found.passage.section not in cited else []
    is_far = best[0].is_far and not rows and not index.description.repeats
    return closer or ([best[0]] if is_far else [])


def _excerpt(
    candidate: Candidate,
    index: Index,
    message: str,
    language: str,
    found: Sequence[Found],
    history: Sequence[PastExchange],
) -> str:
    passage, pieces = candidate.found.passage, excerpt(candidate, is_first=not history)
    text = as_table(passage.text) or as_table("\n".join(piece.text for piece in pieces)) or quotation(pieces)
    if pieces[-1].text.endswith(ANNOUNCES):
        after = index.passage(passage.id + 1)
        table = as_table(after.passage.text) if after and after.passage.section == passage.section else ""
        text = f"{text}\n\n{table}" if table else f"{text[:-1]} …"
    if heading := label("", heading_above(candidate, pieces[0], message)):
        text = f"**{escaped(heading)}**\n\n{text}"
    text = _quote(text, passage, message, language, pieces[0].text)
    return with_offers(text, _next(index, passage, found, history))


def _opening_hours(
    about: Sequence[Candidate], rows: TableAnswer | None, index: Index, message: str, language: str, by_meaning: bool
) -> Sequence[Found]:
    """Return the passages that tell of holidays, if they are named, and the hours; none if a row of a table answers."""
    is_of_a_day = rows and not rows.is_vague and day_names(language).search(fold(message))
    is_of_holidays = usual_questions.holidays(message, language)
    is_in_a_row = is_of_a_day or (is_of_holidays and rows and rows.fits)
    hours = () if is_in_a_row else opening_hours.find(prose_first(about), index)
    if hours and is_of_holidays:
        said = " ".join([message, *sorted(usual_questions.words_of_holidays(language))])
        hours = opening_hours.with_holidays_first(_about(said, index, language, by_meaning), hours)
    return hours


def _about_usual(
    index: Index, message: str, language: str, by_meaning: bool
) -> tuple[Usual | None, Sequence[Candidate]]:
    """Return the usual question that this is, and what is found by what most documents call it, in both languages."""
    usual = usual_questions.asked(message, language)
    if usual is None:
        return None, ()
    names = usual_questions.names(usual, dict.fromkeys((language, *questions.languages(index, message))))
    return usual, _about(f"{names} {message}", index, language, by_meaning)


def _about(words: str, index: Index, language: str, by_meaning: bool) -> list[Candidate]:
    question = questions.read(index, words, language, (), ())
    meaning = ranking.compare(index, question, language, ()) if by_meaning else None
    return candidates.of_documents(candidates.candidates(question, ranking.search(index, question, meaning, ())))


def _section(found: Sequence[Found], index: Index, message: str, language: str, history: Sequence[PastExchange]) -> str:
    """Return passages of one section whole: the tables as tables, the text beside them as text."""
    texts = (as_table(one.passage.text) or quotation([part.piece for part in one.parts]) for one in found)
    text = _quote("\n\n".join(texts), found[0].passage, message, language)
    return with_offers(text, _next(index, found[-1].passage, found, history))


def _taught_answer(best: Sequence[Candidate], question: Question, index: Index, sure: float) -> Candidate | None:
    """Return the taught answer to give: the one to this very question, or the best if it is clearly ahead."""
    taught = [candidate for candidate in best if candidate.found.passage.taught_on]
    asked = next((candidate for candidate in taught if candidate.found.name_terms == question.sequence), None)
    if asked or not taught or estimate.score(taught, question, index) < sure:
        return asked
    others = candidates.of_documents(best)
    if not (others and taught[0].has_meaning):
        return taught[0] if taught[0] is best[0] else None
    closer = ranking.named_alike(taught[0].found) - max(ranking.named_alike(candidate.found) for candidate in others)
    return taught[0] if closer + _OF_SCORE * (taught[0].score - others[0].score) >= _AHEAD else None


def _quote_taught(candidate: Candidate, message: str, language: str) -> str:
    """Return the team's answer whole, in its own Markdown, with the day on which it was taught."""
    passage = candidate.found.passage
    text = f"{passage.text}\n\n*{phrases(language).team.format(date=written_day(passage.taught_on, language))}*"
    return _with_language(text, passage.text, passage, message, language)


def _with_language(text: str, quoted: str, passage: IndexedPassage, message: str, language: str) -> str:
    """Put a sentence before the quotation if it is in another language than the message.

    A document of few words may be taken for another language than it is in; what is quoted of it is asked, too.
    """
    is_foreign = detect(message) == language and passage.language not in ("", language) and detect(quoted) != language
    return f"{phrases(language).elsewhere}\n\n{text}" if is_foreign else text


def _small_talk(kind: Kind, said: Phrases, titles: Sequence[str]) -> str:
    if kind == "about_me" and titles:
        return with_offers(f"{said.about_me} {said.topics}", map(label, titles, repeat("")))
    return getattr(said, {"thanks": "welcome", "anger": "sorry"}.get(kind, kind))


def _quote(text: str, passage: IndexedPassage, message: str, language: str, first: str = "") -> str:
    """Return a quotation with its source; `first` is the sentence that the source's link leads to."""
    said = phrases(language)
    where = source_line(said.source, passage.title, passage.heading, passage.url, first, passage.text)
    return _with_language(f"{text}\n\n{where}", text, passage, message, language)


def _unknown(best: Sequence[Candidate], found: Sequence[Found], index: Index, said: Phrases) -> str:
    closest = [passage for passage in _closest(best) if _is_for_visitors(passage)]
    known = _labels(closest, found) or index.description.titles
    return with_offers(f"{said.unknown}\n\n{said.topics}", known) if known else said.unknown


def _unsure(best: Sequence[Candidate], found: Sequence[Found], said: Phrases) -> tuple[str, tuple[Source, ...]]:
    closest = _closest(best)
    return with_offers(said.unsure, _labels(closest, found)), tuple(map(_source, closest))


def _which(message: str, titles: Sequence[str], said: Phrases) -> str:
    """Ask which one is meant: each offer is the message with one of the names."""
    asked = " ".join(message.split())[:_MOST_ASKED].rstrip(" ?؟？")
    return with_offers(said.which, [f"{asked} ({title})?" for title in titles])


def _closest(best: Sequence[Candidate]) -> list[IndexedPassage]:
    """Return the best passage of each section."""
    sections = {}
    for candidate in best:
        passage = candidate.found.passage
        sections.setdefault(passage.section, passage)
    return list(sections.values())[:MOST_OFFERS]


def _labels(passages: Sequence[IndexedPassage], found: Sequence[Found]) -> list[str]:
    """Return the headings to offer, with their documents' titles where several documents have the same heading."""
    owners = Counter(heading for _, heading in {one.passage.section for one in found})
    return [label(one.title, one.heading, is_alone=owners[one.heading] < 2) for one in passages]


def _next(index: Index, passage: IndexedPassage, found: Sequence[Found], history: Sequence[PastExchange]) -> list[str]:
    """Offer the questions or short headings that stand next to the answer in its document, the following ones first."""
    asked = {exchange.message.casefold() for exchange in history}
    seen = {"", passage.heading, *(source.heading for exchange in history for source in exchange.sources)}
    places = (number for step in range(1, _BESIDE + 1) for number in (passage.id + step, passage.id - step))
    beside = (one.passage for one in map(index.passage, places) if one)
    of_document = (one for one in beside if one.document_id == passage.document_id)
    fresh = [(one, label("", one.heading)) for one in of_document if one.heading not in seen and _is_for_visitors(one)]
    fitting = [one for one, inner in fresh if inner.endswith(QUESTION_MARKS) or size(inner) <= _SHORT]
    return [one for one in _labels(fitting, found) if one.casefold() not in asked]


def _is_for_visitors(passage: IndexedPassage) -> bool:
    """Return whether a visitor would ask for its heading: not for a name from a program, such as a setting's."""
    return "_" not in passage.heading


def _source(passage: IndexedPassage) -> Source:
    return Source(passage.document_id, passage.id, passage.title, passage.heading, passage.url)

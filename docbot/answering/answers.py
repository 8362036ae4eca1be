"""Answers a message by quoting the best passage with its source, or by saying that the bot doesn't know.

`answer` is the whole way of a reply: it reads the message, finds passages, and gives the first of these that fits:
small talk, a taught answer, what is asked most, rows of a table, "not known", "not sure", "which one?", an excerpt.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from docbot.answering import candidates
from docbot.answering.candidates import Candidate
from docbot.answering.certainty import ambiguity, calibration, estimate
from docbot.answering.phrases import spoken
from docbot.answering.quantities import day_names
from docbot.answering.quoting import MOST_OFFERS
from docbot.answering.replies import PastExchange, Replies, Source
from docbot.answering.smalltalk import small_talk
from docbot.answering.tables.table_answers import TableAnswer, answer_from_tables
from docbot.answering.usual import opening_hours
from docbot.answering.usual import questions as usual_questions
from docbot.answering.usual.contact_details import find_contact_detail
from docbot.answering.usual.prices import choose_list, find_price_lists
from docbot.answering.usual.questions import Usual
from docbot.retrieval import questions, ranking
from docbot.retrieval.analysis import fold
from docbot.retrieval.index import Found, Index, IndexedPassage
from docbot.retrieval.languages import detect
from docbot.retrieval.questions import Question

Certainty = Literal["sure", "unsure", "unknown"]
Search = Callable[..., tuple[Question, list[Found]]]  # `_search` in one index and language

# Of the score that is needed to quote; everyday messages in a language that no document is in reach more of it.
UNSURE, UNSURE_IF_FOREIGN = 0.2, 0.45
# The least score of a passage without vectors that has words of the conversation, but none of the message itself: the
# limits are found with messages alone, and in small bots are next to nothing.
_ONLY_BEFORE = 0.25
_OF_SCORE = 0.07  # of a taught answer's lead in score, added to that in likeness
_AHEAD = 0.1  # the least of both
CLOSE = 0.45  # likeness in meaning; one in fifty off-topic messages comes as close where documents are few
_MOST_EARLIER = 5  # messages that may tell the language


@dataclass(frozen=True)
class Answer:
    """A reply in Markdown, its sources, and how sure the bot is; `score` is between 0 and 1."""

    text: str
    sources: tuple[Source, ...]
    certainty: Certainty
    score: float
    hits: tuple[Found, ...] = ()  # for the owner and for a model
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
    message, earlier, last = rest or message, [one.message for one in history], history[-1].sources if history else ()
    language = language_of(index, message, earlier)
    usual = usual_questions.asked(message, language)
    message = usual_questions.with_days(message, language) if usual == "opening_hours" else message
    search = partial(_search, index, language, by_meaning)
    question, found = search(message, earlier, [name for one in last for name in (one.title, one.heading)])
    every = candidates.candidates(question, found)
    best = ambiguity.prose_first(candidates.of_documents(every))
    sure = _limit(index, found, best, question) if sure is None else sure
    taught = _taught_answer(every, question, index, sure)
    found = [one for one in found if taught or not one.passage.taught_on]
    replies = Replies(index, message, language, found, history)
    hits = tuple(found)
    if kind and not (every and every[0].is_asked):
        return Answer(replies.small_talk(kind), (), "sure", 1.0, hits)
    score = estimate.score([taught] if taught else best, question, index)
    quoted = partial(Answer, certainty="sure", score=max(score, sure), hits=hits, sure=sure)
    if taught:
        passage = taught.found.passage
        return quoted(replies.taught(passage), (Source.of(passage),), is_taught=True)
    cited = {(source.document_id, source.heading) for source in last}
    rows = answer_from_tables(question, earlier, cited, best, index, language)
    about = _about(usual, index, language, message, search)
    detail = None if index.description.repeats else usual
    if usual == "opening_hours" and (hours := _opening_hours(about, question, index, language, search)):
        return quoted(replies.quotation(*hours), (Source.of(hours[1]),))
    if telling := find_contact_detail(about, detail):
        return quoted(replies.excerpt(telling), (Source.of(telling.found.passage),))
    lists = find_price_lists(about, index) if usual == "prices" and not history else []
    contested = [one.candidate for one in lists] or (_contested(best, rows, cited, index) if score >= sure else [])
    if table := choose_list(lists) or (rows if rows and (rows.fits or (score >= sure and not contested)) else None):
        return quoted(replies.quotation(table.text, table.passage), (Source.of(table.passage),))
    if score < (UNSURE_IF_FOREIGN if question.is_foreign else UNSURE) * sure and not contested:
        is_close = any(max(one.likeness_alone.values(), default=0.0) >= CLOSE for one in found)
        return Answer(replies.unknown(best), (), "unknown", score, hits, sure, is_close=is_close)
    if score < sure or contested or detail in ("email", "phone", "address"):
        return Answer(*replies.unsure([*contested[: MOST_OFFERS - 1], *best]), "unsure", score, hits, sure)
    if titles := ambiguity.equally_likely_titles(best, index):
        return Answer(replies.which(titles), (), "unsure", score, hits, sure)
    return quoted(replies.excerpt(best[0]), (Source.of(best[0].found.passage),))


def language_of(index: Index, message: str, earlier: Sequence[str]) -> str:
    """Return the visitor's language: that of the last message that tells; a name may come from a button."""
    for text in (message, *reversed(earlier[-_MOST_EARLIER:])):
        usual = questions.languages(index, text)[0]
        found, is_told = spoken(text, usual), detect(text, is_message=True) == usual
        if found != usual or (is_told and not (earlier and ranking.is_name(index, text))):
            return found
        asked_in = usual_questions.languages(text)
        if asked_in and usual not in asked_in:
            return asked_in[0]
    return questions.languages(index, message)[0]


def _search(
    index: Index,
    language: str,
    by_meaning: bool,
    message: str,
    earlier: Sequence[str] = (),
    names: Sequence[str] = (),
) -> tuple[Question, list[Found]]:
    """Return the question that a message asks after earlier ones, and what is found; `names`: what was cited last."""
    question = questions.read(index, message, language, earlier, names)
    meaning = ranking.compare(index, question, language, earlier) if by_meaning else None
    question = question if meaning or index.description.repeats else question.with_less_context()
    return question, ranking.search(index, question, meaning, earlier)


def _limit(index: Index, found: Sequence[Found], best: Sequence[Candidate], question: Question) -> float:
    """Return the least score of a quotation."""
    encoder = found[0].encoder if found else ""
    limit = calibration.sure(index, encoder or "words", is_foreign=question.is_foreign)
    return limit if encoder or not best or best[0].is_about_more else max(limit, _ONLY_BEFORE)


def _taught_answer(every: Sequence[Candidate], question: Question, index: Index, sure: float) -> Candidate | None:
    """Return the taught answer to give: the one to this very question, or the best if it is clearly ahead."""
    taught = [candidate for candidate in every if candidate.found.passage.taught_on]
    asked = next((candidate for candidate in taught if candidate.found.name_terms == question.sequence), None)
    if asked or not taught or estimate.score(taught, question, index) < sure:
        return asked
    others = candidates.of_documents(every)
    if not (others and taught[0].found.encoder):
        return taught[0] if taught[0] is every[0] else None
    closer = ranking.named_alike(taught[0].found) - max(ranking.named_alike(candidate.found) for candidate in others)
    return taught[0] if closer + _OF_SCORE * (taught[0].score - others[0].score) >= _AHEAD else None


def _about(usual: Usual | None, index: Index, language: str, message: str, search: Search) -> Sequence[Candidate]:
    """Return what is found by what most documents call what is asked, in the visitor's language and theirs."""
    if usual is None:
        return ()
    names = usual_questions.names(usual, dict.fromkeys((language, *questions.languages(index, message))))
    return candidates.of_documents(candidates.candidates(*search(f"{names} {message}")))


def _opening_hours(
    about: Sequence[Candidate], question: Question, index: Index, language: str, search: Search
) -> tuple[str, IndexedPassage] | None:
    """Return what tells the hours, and where it is from: a table's rows of the day that is named, else the section.

    What tells of holidays comes first, if they are named.
    """
    hours = opening_hours.find(ambiguity.prose_first(about), index)
    if not hours:
        return None
    is_of_a_day = day_names(language).search(fold(question.message))
    is_of_holidays = usual_questions.holidays(question.message, language)
    its_tables = [one for one in about if one.is_table and one.found.passage.section == hours[0].passage.section]
    rows = answer_from_tables(question, (), (), about if is_of_holidays else its_tables, index, language)
    if rows and (rows.fits if is_of_holidays else is_of_a_day and not rows.is_vague):
        return rows.text, rows.passage
    if is_of_holidays:
        said = " ".join([question.message, *sorted(usual_questions.words_of_holidays(language))])
        hours = opening_hours.with_holidays_first(candidates.of_documents(candidates.candidates(*search(said))), hours)
    return opening_hours.whole(hours), hours[0].passage


def _contested(
    best: Sequence[Candidate], rows: TableAnswer | None, cited: Container[tuple[int, str]], index: Index
) -> list[Candidate]:
    """Return what may be meant instead of the best candidate, and isn't what the last reply was about."""
    if rows.is_vague if rows else best[0].is_table and not best[0].named:
        return [best[0]]
    if rows and rows.is_computed:
        return []
    closer = ambiguity.closer_in_meaning(best, index) if best[0].found.passage.section not in cited else []
    is_far = best[0].is_far and not rows and not index.description.repeats
    return closer or ([best[0]] if is_far else [])

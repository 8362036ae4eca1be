"""Estimates whether the best window answers the question or only happens to share some of its words."""

from collections.abc import Sequence
from math import exp, log

from docbot.answering.windows import Window
from docbot.retrieval.index import Index
from docbot.retrieval.questions import Question
from docbot.retrieval.ranking import title_terms

# A logistic model. Evidence for the window: rare words that it has, its BM25 score, its lead over all other passages,
# and a title that the visitor named in full. Evidence against it: rare words that it lacks, and the number of passages
# (the more there are, the more match by chance). Fitted on questions inside and outside the subject of corpora of 100
# to 2,400 passages, leaving out one kind of corpus at a time.
_FOUND = 0.13
_SCORE = 0.2
_MISSING = 0.2
_PHRASED = 2.8
_LEAD = 0.5
_TITLE = 2.0
_BY_CHANCE = 0.57
_CONSTANT = 0.7
_LATER = 0.55  # a follow-up leaves out what was said before
_NOT_ASKED = 3.0  # only the conversation is about this: no word of the message itself is here

# With meaning, less is needed. What is alike in its conversation only may be about what was said before. Fitted on
# SQuAD and MTRAG with everyday messages, alone and inside conversations; each other set kept 96 in 100 of its hits.
_FOUND_WITH_MEANING = 0.32
_PHRASED_WITH_MEANING = 3.15
_ALIKE = 4.58
_ALIKE_ALONE = 5.09
_CORRECTED = 1.0  # a typing error hides a part of the likeness
_CONSTANT_WITH_MEANING = -8.81


def score(best: Sequence[Window], question: Question, index: Index) -> float:
    """Return how likely the first of the ranked windows answers the question, from 0 to 1."""
    window = best[0]
    weight = _by_meaning(window, question) if window.has_meaning else _by_words(best, question, index)
    return 1 / (1 + exp(-weight))


def _by_meaning(window: Window, question: Question) -> float:
    return (
        _CONSTANT_WITH_MEANING
        + _CORRECTED * (question.corrected != question.message)
        + _FOUND_WITH_MEANING * window.found_rarity
        + _PHRASED_WITH_MEANING * window.phrased
        + _ALIKE * window.alike
        + _ALIKE_ALONE * window.alike_alone
    )


def _by_words(best: Sequence[Window], question: Question, index: Index) -> float:
    window = best[0]
    return (
        _CONSTANT
        + _LATER * bool(question.context)
        - _NOT_ASKED * (not window.is_about_more)
        + _FOUND * window.found_rarity
        + _SCORE * window.found.score
        - _MISSING * window.missing_rarity
        + _PHRASED * window.phrased
        + _LEAD * _lead(best)
        + _TITLE * _title_said(window, question, index)
        - _BY_CHANCE * log(index.description.passages)
    )


def _lead(best: Sequence[Window]) -> float:
    """Return by how much the first window beats the best one of another passage."""
    return best[0].score - (best[1].score if len(best) > 1 else 0.0)


def _title_said(window: Window, question: Question, index: Index) -> float:
    """Return the rarity of the document's title, from 0 to 1, if the visitor has used all its words; otherwise 0."""
    title = title_terms(window.found)
    if not title or not title <= question.said:
        return 0.0
    return min(1.0, sum(map(index.rarity, title)) / index.rarest)

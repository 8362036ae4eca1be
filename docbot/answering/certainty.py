"""Judges whether the best window answers the question, or only happens to hold some of its words."""

from collections.abc import Sequence
from math import exp, log

from docbot.answering.windows import Window
from docbot.retrieval.index import Index
from docbot.retrieval.questions import Question
from docbot.retrieval.ranking import title_terms

# Evidence for and against, as a sum of logarithms of probabilities would have it: rare words that were found count for
# the window, as do a BM25 score, which knows how often, a lead over all other passages, and a title that the visitor
# said in full; rare words that are missing count against it; and the more passages there are, the more will be found by
# chance. Fitted on questions inside and outside the subject of corpora of 100 to 2,400 passages, one kind of corpus
# left out at a time.
_FOUND = 0.13
_SCORE = 0.2
_MISSING = 0.2
_PHRASED = 2.8
_LEAD = 0.5
_TITLE = 2.0
_BY_CHANCE = 0.57
_CONSTANT = 0.7
_LATER = 0.55  # a message that others went before leaves out what was said


def score(best: Sequence[Window], question: Question, index: Index) -> float:
    """How likely the first of the windows, which are ordered, answers the question, 0 to 1."""
    window = best[0]
    weight = (
        _CONSTANT
        + _LATER * bool(question.context)
        + _FOUND * window.found_rarity
        + _SCORE * window.found.score
        - _MISSING * window.missing_rarity
        + _PHRASED * window.phrased
        + _LEAD * _lead(best)
        + _TITLE * _title_said(window, question, index)
        - _BY_CHANCE * log(index.description.passages)
    )
    return 1 / (1 + exp(-weight))


def _lead(best: Sequence[Window]) -> float:
    """How much better the first window fits than the best one of another passage."""
    return best[0].score - (best[1].score if len(best) > 1 else 0.0)


def _title_said(window: Window, question: Question, index: Index) -> float:
    """How rare the words of the document's title are, 0 to 1, if the visitor has said them all."""
    title = title_terms(window.found)
    if not title or not title <= question.said:
        return 0.0
    return min(1.0, sum(map(index.rarity, title)) / index.rarest)

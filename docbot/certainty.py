"""Judges whether a window answers the question, or only happens to hold some of its words."""

from math import exp, log

from docbot.windows import Window

# Evidence for and against, as a sum of logarithms of probabilities would have it: rare words that were found count for
# the window, as does a BM25 score, which knows how often; rare words that are missing count against it; and the more
# passages there are, the more will be found by chance. Fitted on questions inside and outside the subject of corpora of
# 40 to 3,400 passages, one kind of corpus left out at a time.
_FOUND = 0.13
_SCORE = 0.2
_MISSING = 0.2
_PHRASED = 2.8
_BY_CHANCE = 0.57
_CONSTANT = 1.1
_LATER = 0.55  # a message that others went before leaves out what was said


def score(window: Window, passages: int, *, later: bool) -> float:
    """How likely the window answers the question, 0 to 1; `passages` are in the index, `later` is a follow-up."""
    weight = (
        _CONSTANT
        + _LATER * later
        + _FOUND * window.found_rarity
        + _SCORE * window.found.score
        - _MISSING * window.missing_rarity
        + _PHRASED * window.phrased
        - _BY_CHANCE * log(passages)
    )
    return 1 / (1 + exp(-weight))

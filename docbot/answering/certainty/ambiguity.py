"""Which of several things is meant, where documents describe many of a kind and the visitor has named none."""

from collections.abc import Sequence

from docbot.answering.windows import Window
from docbot.retrieval.index import Index
from docbot.retrieval.ranking import title_terms

_MOST = 3
_AS_GOOD = 0.85  # of the best window's score


def things_meant(best: Sequence[Window], index: Index) -> list[str]:
    """The titles of the documents that answer the question equally well, under the same heading; fewer than two: []."""
    if not index.description.repeats or not best:
        return []
    heading = _heading(best[0])
    equal = (window for window in best if window.score >= _AS_GOOD * best[0].score and _heading(window) == heading)
    titles = list(dict.fromkeys(window.found.passage.title for window in equal))
    return titles[:_MOST] if heading and len(titles) > 1 else []


def _heading(window: Window) -> frozenset[str]:
    """The terms of the heading, without those of the title."""
    return frozenset(window.found.name_terms) - title_terms(window.found)

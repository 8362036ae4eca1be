"""Tells when several answers are equally likely, so that the bot had better ask which one is meant."""

from collections.abc import Sequence

from docbot.answering.candidates import Candidate
from docbot.retrieval.index import Index
from docbot.retrieval.ranking import title_terms

_MOST = 3
_AS_GOOD = 0.85  # of the best candidate's score
_CLOSER = 0.03  # in meaning
_NEARLY = 1.0  # behind in score
_NEAR_A_TABLE = 2.0  # the same
_MORE = 0.2  # of the question's words
_NEARLY_ALL = 0.8  # the same


def equally_likely_titles(best: Sequence[Candidate], index: Index) -> list[str]:
    """Return the titles of the documents that answer equally well under the same heading, if there are at least two."""
    if not index.description.repeats or not best:
        return []
    heading = _heading(best[0])
    equal = (one for one in best if one.score >= _AS_GOOD * best[0].score and _heading(one) == heading)
    titles = list(dict.fromkeys(candidate.found.passage.title for candidate in equal))
    return titles[:_MOST] if heading and len(titles) > 1 else []


def closer_in_meaning(best: Sequence[Candidate], index: Index) -> list[Candidate]:
    """Return those of other sections that are clearly closer in meaning than the best and score nearly as high."""
    first = best[0]
    if index.description.repeats:  # many of a kind: the visitor has named one
        return []
    found = [candidate for candidate in best if candidate.score > first.score - _NEARLY and _contests(candidate, first)]
    return sorted(found, key=lambda candidate: -candidate.found.likeness_with_name)


def _contests(candidate: Candidate, first: Candidate) -> bool:
    lacks_words = (candidate.is_table or first.covered >= _NEARLY_ALL) and first.covered > candidate.covered + _MORE
    passage = candidate.found.passage
    if lacks_words or not passage.heading or passage.section == first.found.passage.section:
        return False
    has_what_is_asked = candidate.has_quantity or not first.has_quantity  # the time or number that is asked for
    return has_what_is_asked and candidate.found.likeness_with_name > first.found.likeness_with_name + _CLOSER


def prose_first(best: Sequence[Candidate]) -> Sequence[Candidate]:
    """Put a section before a table if it has clearly more words of the question."""
    for candidate in best[1:] if best and best[0].is_table else ():
        is_near = candidate.score > best[0].score - _NEAR_A_TABLE
        is_fuller = candidate.covered > best[0].covered + _MORE
        if is_near and is_fuller and not candidate.is_table:
            return [candidate, *(other for other in best if other is not candidate)]
    return best


def _heading(candidate: Candidate) -> frozenset[str]:
    """Return the terms of the heading, without those of the title."""
    return frozenset(candidate.found.name_terms) - title_terms(candidate.found.passage)

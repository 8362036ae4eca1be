"""Ranks the passages that were found."""

from collections.abc import Iterable
from dataclasses import replace

from docbot.retrieval.analysis import query_words, stem
from docbot.retrieval.index import Found
from docbot.retrieval.questions import Question

NAMED = 1.3  # factor for passages of a document that the visitor named
_LEAST_NAME = 2  # words: titles of one word occur too often by chance


def ranked(question: Question, hits: Iterable[Found], limit: int) -> list[Found]:
    """The best hits; documents named in the message or the conversation are preferred."""
    weighed = [replace(found, preference=NAMED) if _names(question.said, found) else found for found in hits]
    return sorted(weighed, key=lambda found: -found.score * found.preference)[:limit]


def _names(said: frozenset[str], found: Found) -> bool:
    title = title_terms(found)
    return len(title) >= _LEAST_NAME and title <= said


def title_terms(found: Found) -> frozenset[str]:
    """The terms of a passage's document title, without function words."""
    language = found.passage.language
    return frozenset(stem(word, language) for word in query_words(found.passage.title, language))

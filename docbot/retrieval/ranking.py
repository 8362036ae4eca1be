"""Ranks the passages that were found, by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docbot.retrieval.analysis import query_words, stem, terms
from docbot.retrieval.index import TITLES, Found, Index, IndexedPassage
from docbot.retrieval.questions import Question

if TYPE_CHECKING:
    from docbot.retrieval.meaning.messages import Meaning

_SEARCHED = 20  # passages to search for
_READ = 10  # of these, passages that a reply may quote
MEANING = 2.0  # the weight of the likeness in meaning; the best score by words has 1
_LEAST_ALIKE = 0.4  # likeness of a taught question to what is asked
_MOST_OF_ONE = 80  # passages of the document that is meant
_MOST_MESSAGES = 12  # in which it may have been named
_MOST_PHRASINGS = 60  # passages searched for beyond the others
_NAMES = 40  # passages whose titles are compared with a message
_NAMED_SHARE = 0.7  # of the title's words, by their rarity


def compare(index: Index, question: Question, spoken: str, messages: Sequence[str] = ()) -> Meaning | None:
    """Compare a message in the language `spoken` with the bot's sentences by meaning; None without vectors."""
    from docbot.retrieval.meaning.messages import read  # numpy: 6 MB that a process saves until it is asked

    return read(index, question, spoken, messages)


def search(
    index: Index, question: Question, meaning: Meaning | None = None, messages: Sequence[str] = ()
) -> list[Found]:
    """Return the best passages by words and by meaning; of many of a kind, such as hotels, of the one named last."""
    document = document_meant(index, question, messages) if index.description.repeats else None
    searched = _SEARCHED + min(index.description.taught, _MOST_PHRASINGS)  # of which all but the best are dropped
    hits = index.search(question.weights(), searched if document is None else _MOST_OF_ONE, document=document)
    if document is not None and index.description.taught:
        hits += [found for found in index.search(question.weights(), searched) if found.passage.taught_on]
    if meaning and (document is None or index.description.taught):
        known = {found.passage.id for found in hits}
        nearest = meaning.vectors.nearest(meaning.likeness, searched)
        others = (index.passage(number) for number in nearest if number not in known)
        hits = [*hits, *(found for found in others if found and (document is None or found.passage.taught_on))]
    top = max((found.score for found in hits), default=0.0) or 1.0
    alike = {found.passage.id: meaning.of(found.passage.id) if meaning else 0.0 for found in hits}
    best = sorted(hits, key=lambda found: -found.score / top - MEANING * alike[found.passage.id])
    taught: dict[int, Found] = {}
    for found in best:
        if found.passage.taught_on:
            taught.setdefault(found.passage.document_id, found)  # the way to ask it that fits best
    kept = [*[found for found in best if not found.passage.taught_on][:_READ], *[*taught.values()][:_READ]]
    kept = list(map(meaning.compared, kept)) if meaning else kept
    return [found for found in kept if not found.passage.taught_on or named_alike(found) >= _LEAST_ALIKE]


def named_alike(found: Found) -> float:
    """Return the likeness of a passage's name to the message, in its conversation or alone; 1 without vectors."""
    return max(found.likeness.get(-1, 1.0), found.likeness_alone.get(-1, 1.0)) if found.likeness else 1.0


def is_name(index: Index, text: str) -> bool:
    """Return whether these words stand, in this order, in a title or heading."""
    said = terms(text, next(iter(index.description.languages), ""))
    named = index.search(dict.fromkeys(said, 1.0), _READ, boosts=TITLES | {"heading": 1.0})
    return any(f" {' '.join(said)} " in f" {' '.join(found.name_terms)} " for found in named)


def document_meant(index: Index, question: Question, messages: Sequence[str]) -> int | None:
    """Return the document whose name was said last, or None if none was."""
    for message in (question.message, *reversed(messages[-_MOST_MESSAGES:])):
        said = {stem(word, question.language): 1.0 for word in query_words(message, question.language)}
        best, most = None, 0.0
        for found in index.search(said, _NAMES, boosts=TITLES):
            if found.passage.taught_on:
                continue
            title = title_terms(found.passage)
            rarity = sum(index.rarity(term) for term in title & said.keys())
            if rarity > most and rarity >= _NAMED_SHARE * sum(map(index.rarity, title)):
                best, most = found.passage.document_id, rarity
        if best is not None:
            return best
    return None


def title_terms(passage: IndexedPassage) -> frozenset[str]:
    """Return the terms of a passage's document title, without function words."""
    return frozenset(stem(word, passage.language) for word in query_words(passage.title, passage.language))

"""Finds the other words of a word's family: "discovery" beside "discover", which no stemmer brings together."""

from docbot.retrieval.index import Index

_SHORTEST = 5  # letters: the beginnings of shorter terms say too little
_ENDING = 2  # last letters that relatives needn't share: y becomes i, e falls away
_SHARED = 6  # letters that they share at least, where they needn't share two more
_LONGER = 3  # letters that they may have more, or fewer
_MOST = 6


def relatives(term: str, index: Index) -> tuple[str, ...]:
    """The most frequent terms of the documents that begin as this one does and are hardly longer or shorter."""
    if len(term) < _SHORTEST or any(letter.isdigit() for letter in term):
        return ()
    beginning = term[: -min(_ENDING, max(1, len(term) - _SHARED))]
    longest = len(term) + _LONGER
    found = [other for other in index.beginning_with(beginning) if other != term and len(other) <= longest]
    shorter = (beginning[:end] for end in range(len(beginning) - 1, max(_SHORTEST, len(term) - _LONGER) - 1, -1))
    found += [other for other in shorter if index.frequency(other)]
    return tuple(found[:_MOST])

"""Finds the other words of a word's family: "discovery" beside "discover", which no stemmer brings together."""

from docbot.index import Index

_SHORTEST = 5  # letters: the beginnings of shorter terms say too little
_ENDING = 1  # last letters that relatives needn't share: y becomes i, e falls away
_LONGER = 3  # letters that they may have more
_MOST = 6


def relatives(term: str, index: Index) -> tuple[str, ...]:
    """The most frequent terms of the documents that begin as this one does and are hardly longer."""
    if len(term) < _SHORTEST or any(letter.isdigit() for letter in term):
        return ()
    longest = len(term) + _LONGER
    found = [other for other in index.beginning_with(term[:-_ENDING]) if other != term and len(other) <= longest]
    return tuple(found[:_MOST])

"""Splits compound words and finds the compounds that contain a word: "Bienenvolk" is "Bienen" and "Volk"."""

from docbot.retrieval.analysis import stem
from docbot.retrieval.index import COMPOUNDING, Index

_SHORTEST = 3  # letters of a part
_MORE_BEFORE, _MORE_BEHIND = 3, 4  # letters that a compound needs before its last part, after its first
_SHORTEST_HELD = 4  # letters that a part needs to have its compounds looked up
_LONGEST = 40  # letters: anything longer is not a word
_LINKS = ("", "s", "n", "en", "es", "e", "er")  # between the parts
_MOST = 6


def parts(word: str, language: str, index: Index) -> tuple[str, ...]:
    """Return the terms of a compound's two parts, if the documents have both, where its shorter part is longest."""
    if language not in COMPOUNDING or len(word) > _LONGEST or not word.isalpha():
        return ()
    found = []
    for place in range(_SHORTEST, len(word) - _SHORTEST + 1):
        last = stem(word[place:], language)
        if not _is_held(last, index):
            continue
        for link in _LINKS:
            first = stem(word[: place - len(link)], language)
            if word[:place].endswith(link) and _is_held(first, index):
                found.append((min(len(first), len(last)), first, last))
    return max(found)[1:] if found else ()


def _is_held(term: str, index: Index) -> bool:
    return len(term) >= _SHORTEST and index.frequency(term) > 0


def compounds(term: str, language: str, index: Index) -> tuple[str, ...]:
    """Return the most frequent terms of the documents that end or begin with a term."""
    if language not in COMPOUNDING or len(term) < _SHORTEST_HELD or not term.isalpha():
        return ()
    ending = [other for other in index.ending_with(term) if len(other) >= len(term) + _MORE_BEFORE]
    beginning = [other for other in index.beginning_with(term) if len(other) >= len(term) + _MORE_BEHIND]
    return tuple((ending + beginning)[:_MOST])

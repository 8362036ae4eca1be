"""Finds what a mistyped word was meant to be: words of the documents that one slip of a finger away."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from docbot.retrieval.analysis import bare, stem, stop_words
from docbot.retrieval.arabic import ROOT
from docbot.retrieval.languages import script
from docbot.retrieval.stopwords import UNSPACED

_SHORTEST = 4  # letters: shorter words have too many neighbours
_LONGEST = 24
_MEANT = 3  # candidates at most
_LONG = 6  # letters: only in longer words may the first one be wrong, which it seldom is
# How likely a word that the documents don't know is a mistyped one that they do know, by its letters: of short words
# nearly every one has a neighbour by chance. "Bread" isn't "read".
_BELIEF = {4: 0.2, 5: 0.4, 6: 0.6, 7: 0.8}
_BELIEF_LONG = 0.9


def meant(word: str, languages: Iterable[str], letters: str, frequency: Callable[[str], int]) -> tuple[str, ...] | None:
    """The terms that a word which stands nowhere may stand for, the likeliest first; None for a function word.

    `letters` are those of the documents, `frequency` tells in how many passages a term stands.
    """
    languages = tuple(languages)
    word = bare(word, languages[0])
    if (
        not _SHORTEST <= len(word) <= _LONGEST
        or any(letter.isdigit() for letter in word)
        or word.startswith(ROOT)
        or UNSPACED.intersection(languages)
    ):
        return ()
    neighbours = [
        neighbour
        for neighbour in _one_slip_away(word, _alphabet(script(word), letters))
        if neighbour[0] == word[0] or len(word) > _LONG
    ]
    if any(neighbour in stop_words(languages[0]) for neighbour in neighbours):
        return None
    found: dict[str, int] = {}
    for neighbour in neighbours:
        for language in languages:
            term = stem(neighbour, language)
            if term not in found and (count := frequency(term)):
                # the first letter is seldom the wrong one
                found[term] = count * (10 if neighbour[0] == word[0] else 1)
    return tuple(sorted(found, key=found.__getitem__, reverse=True)[:_MEANT])


def belief(word: str) -> float:
    """How much a correction of the word is to be believed, 0 to 1."""
    return _BELIEF.get(len(word), _BELIEF_LONG)


@lru_cache(maxsize=32)
def _alphabet(written: str, letters: str) -> str:
    return "".join(letter for letter in letters if not letter.isdigit() and script(letter) == written)


def _one_slip_away(word: str, alphabet: str) -> Iterator[str]:
    """Every word with one letter too many, missing, wrong, or changed with its neighbour."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
        if len(after) > 1 and after[0] != after[1]:
            yield before + after[1] + after[0] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]

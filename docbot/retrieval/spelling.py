"""Corrects typing errors: finds words of the documents that are one edit away."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from docbot.retrieval.analysis import stem, stop_words
from docbot.retrieval.arabic import ROOT, without_article
from docbot.retrieval.languages import script
from docbot.retrieval.meaning.tokens import vocabulary
from docbot.retrieval.stopwords import UNSPACED

_SHORTEST = 4  # letters: shorter words have too many neighbours
_SHORTEST_LATIN = 5  # "bake" is one edit away from "base", German "leer" from "leger"
_LONGEST = 24
_MEANT = 3  # most candidates
_LONG = 6  # letters: only in longer words may the first letter be wrong, which is rare


def correct(
    word: str, languages: Sequence[str], letters: str, frequency: Callable[[str], int]
) -> tuple[str, ...] | None:
    """Return the terms that an unknown word may mean, likeliest first; None for a mistyped function word.

    `letters`: the documents' alphabet; `frequency`: the number of passages that have a term.
    """
    word = without_article(word) if languages[0] == "ar" else word
    if (
        not (_SHORTEST_LATIN if script(word) == "latn" else _SHORTEST) <= len(word) <= _LONGEST
        or any(letter.isdigit() for letter in word)
        or word.startswith(ROOT)
        or UNSPACED.intersection(languages)
        or _is_known(word, languages[0])  # "test" isn't "text"
    ):
        return ()
    neighbours = [
        neighbour
        for neighbour in _one_edit_away(word, _alphabet(script(word), letters))
        if neighbour[0] == word[0] or len(word) > _LONG
    ]
    if any(neighbour in stop_words(languages[0]) for neighbour in neighbours):
        return None
    # a letter too many, one missing or two changed places: likelier than a wrong letter
    likelier = [one for one in neighbours if len(one) != len(word) or sorted(one) == sorted(word)]
    for some in (likelier, neighbours):
        # the first letter is rarely wrong
        weights = {stem(one, each): 10 if one[0] == word[0] else 1 for each in languages for one in reversed(some)}
        found = {term: weight * count for term, weight in weights.items() if (count := frequency(term))}
        if found:
            return tuple(sorted(found, key=found.__getitem__, reverse=True)[:_MEANT])
    return ()


def _is_known(word: str, language: str) -> bool:
    if language == "en":
        return word in vocabulary()
    from docbot.retrieval.meaning.multilingual import knows  # numpy, which English documents' words don't need

    return knows(word)


@lru_cache(maxsize=32)
def _alphabet(written: str, letters: str) -> str:
    return "".join(letter for letter in letters if not letter.isdigit() and script(letter) == written)


def _one_edit_away(word: str, alphabet: str) -> Iterator[str]:
    """Yield every word that is one insertion, deletion, substitution or transposition away."""
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

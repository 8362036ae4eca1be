"""Stems Arabic words: article, "and" and endings are removed, so that "والمدينة" finds "مدينتها"."""

import regex

# At most one of each, the longest, and only if enough of the word is left.
_BEGINNING = regex.compile(r"^(?:[وف]?(?:[بك]?ال|لل)(?=..)|و(?=...))")
_ENDING = regex.compile(r"(?<=...)(?:ها|هم|هن|ان|ات|ون|ين|يه|وا|ه|ي|ا|ت)$")
_ENDING_BEFORE = regex.compile(r"(?<=..)(?:يه|ات|ه|ي|ت)$")
_STILL_LONG = 4  # letters: a second ending is removed only from words at least as long
JOINED = "وفبلك"  # "and", "so", "with", "for" and "like", which are written as one with the next word

ROOT = "√"  # marks a root, which is not a word
_LONG_VOWEL = regex.compile(r"(?<=.)[اويء]")
_ADDED = regex.compile(r"^[اميتن](?=...)")
_SHORTEST_ROOT = 3  # letters


def without_article(word: str) -> str:
    """Return the word without its article, and without an "and" before it."""
    return _BEGINNING.sub("", word)


def stem(word: str) -> str:
    """Return the stem of a word as `analysis.fold` leaves it: without vowel signs, each letter in one form."""
    bare = without_article(word)
    stemmed = _ENDING.sub("", bare)
    if stemmed != bare and len(stemmed) >= _STILL_LONG:
        stemmed = _ENDING_BEFORE.sub("", stemmed)
    return stemmed


def root(stemmed: str) -> str:
    """Return what words with different middles share, such as "سفينة" and "سفن"; "" if it is too short."""
    letters = _ADDED.sub("", _LONG_VOWEL.sub("", stemmed))
    return ROOT + letters if len(letters) >= _SHORTEST_ROOT else ""

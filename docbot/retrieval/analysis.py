"""Turns text into the terms that are indexed and searched. Only this module knows what a word is."""

import threading
import unicodedata
from collections.abc import Callable, Container, Iterable
from functools import cache, lru_cache, partial

import regex
import Stemmer

from docbot.retrieval import arabic, calendar_ranges
from docbot.retrieval.stopwords import STOP_WORDS, UNSPACED

_LONGEST = 64  # characters of a term: anything longer is not a word that somebody asks for
_MANY_STEMS = 100_000  # cached: about 25 MB

# Scripts without spaces between words, and Hangul, which attaches particles to words: indexed as pairs of characters.
_PAIRED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hangul}ー々"
_RUN = regex.compile(rf"(?V1)([{_PAIRED}]+)|[[\p{{L}}\p{{M}}\p{{N}}]--[{_PAIRED}]]+")
_PAIRED_RUN = regex.compile(rf"[{_PAIRED}]")
_ACCENTED = regex.compile(r"(?V1)[\p{Latin}--[A-Za-z]]")
_CLUSTER = regex.compile(r"\X")
_HAN = regex.compile(r"\p{Han}")
_HANGUL = regex.compile(r"\p{Hangul}+")
_PARTICLE = regex.compile(
    r"(?<=.)(?:을|를)$|(?<=..)(?:은|는|이|가|의|에|에서|에게|로|으로|와|과|도|만|부터|까지|이다|입니다)$"
)
_JOINED_DIGITS = regex.compile(r"(?<=\d)(?:[,.٬ \u00a0\u202f'](?=\d{3}(?!\d))|,(?=(?:\d\d,)+\d{3}(?!\d)))")
# Vowel signs and the tatweel, which most Arabic and Hebrew texts omit; joiners; soft hyphens; lone surrogates,
# which the index refuses.
_UNWRITTEN = regex.compile(
    r"[\ud800-\udfff\u0591-\u05c7\u064b-\u065f\u0670\u0640\u06d6-\u06ed\u200b-\u200f\u2060\ufeff\u00ad]"
)
_OTHER_DIGIT = regex.compile(r"[^\P{Nd}0-9]")
# Devanagari: a nasal before a consonant of its row is often written as an anusvara.
_NASAL = regex.compile(r"ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
_CONTRACTION = regex.compile(r"(?<!\p{L})\p{L}{1,8}['’]\p{L}{1,2}(?!\p{L})")
_HYPHENATED = regex.compile(r"(?<![\p{L}-])(\p{L}{1,8})[-‐](\p{L}{1,8})(?![\p{L}-])")
# "may" is a month after these, else a verb
_IN_MAY = regex.compile(r"(?<=\b(?:in|for|from|until|till|during|by|since|mid|early|late|next|this|last)[ -])may\b")
_PRONOUN = regex.compile(r"(?<=\w )ones?(?=\W*$)")  # "the green one"
_APOSTROPHE_S = regex.compile(r"['’]s\b")
_ONE_LETTER = str.maketrans("أإآٱىیېکةۀؤئёςँ", "اااايييكههويеσं", "़")


def fold(text: str) -> str:
    """Normalize what readers consider the same: case, width, optional vowel signs, groups of digits."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFC", _UNWRITTEN.sub("", text)).translate(_ONE_LETTER)
        text = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), _NASAL.sub("ं", text))
    return _JOINED_DIGITS.sub("", _APOSTROPHE_S.sub("", text))


def unaccented(word: str) -> str:
    """Return the word without the accents that people omit when they type Latin, Greek or Cyrillic letters."""
    if word.isascii():
        return word
    plain = "".join(letter for letter in unicodedata.normalize("NFD", word) if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFC", plain).replace("ı", "i")


def with_or_without_accents(pattern: str) -> str:
    """Return a regular expression whose accented Latin letters may be typed without their accents."""
    return _ACCENTED.sub(lambda letter: f"[{letter[0]}{unaccented(letter[0])}]", pattern)


def whole_words(pattern: str) -> str:
    """Return a regular expression for words that are whole where their script has spaces between words."""
    letter, unspaced = r"[\p{L}\p{M}]", rf"[{_PAIRED}]"
    return rf"(?:(?<!{letter})|(?<={unspaced}))(?:{pattern})(?:(?!{letter})|(?={unspaced}))"


def words(text: str) -> list[str]:
    """Return the folded words of a text, unstemmed; scripts without spaces give whole runs."""
    return [match[0][:_LONGEST] for match in _RUN.finditer(fold(text))]


_stemmers = threading.local()  # PyStemmer objects are not thread-safe


@lru_cache(maxsize=_MANY_STEMS)
def _snowball(algorithm: str, word: str) -> str:
    known = vars(_stemmers)
    if algorithm not in known:
        known[algorithm] = Stemmer.Stemmer(algorithm, 0)
    return unaccented(known[algorithm].stemWord(word)) or word


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    if language == "ar":
        return arabic.stem
    algorithm = "no" if language in ("nb", "nn") else language
    try:
        Stemmer.Stemmer(algorithm)
    except KeyError:
        return unaccented
    return partial(_snowball, algorithm)


def stem(word: str, language: str) -> str:
    """Return the term of a folded word; a language without a stemmer keeps the word, without its accents."""
    return word if word.startswith(arabic.ROOT) else _stemmer(language)(word)


def _pairs(run: str) -> list[str]:
    """Return the bigrams of a run, and each Chinese character alone, which is often a word of its own."""
    if _HANGUL.fullmatch(run):
        run = _PARTICLE.sub("", run)
    letters = [run] if len(run) == 1 else _CLUSTER.findall(run)
    if len(letters) == 1:
        return letters
    pairs = [letters[place] + letters[place + 1] for place in range(len(letters) - 1)]
    return pairs + [letter for letter in letters if _HAN.match(letter)]


def is_pair(word: str) -> bool:
    """Return whether it is a bigram of a run, which may or may not lie within one word."""
    return len(word) > 1 and bool(_PAIRED_RUN.match(word))


def _roots(stems: Iterable[str], language: str) -> list[str]:
    """Return the roots of the stems, in a language that inflects words in their middle."""
    return [root for root in map(arabic.root, stems) if root] if language == "ar" else []


def terms(text: str, language: str) -> list[str]:
    """Return the terms of a text, in order, as they are indexed; then those that it implies."""
    found = []
    stemmed = _stemmer(language)
    folded = fold(text)
    for match in _RUN.finditer(folded):
        if match[1]:
            found.extend(_pairs(match[1]))
        else:
            found.append(stemmed(match[0][:_LONGEST]))
    joined = (stemmed(one[1] + one[2]) for one in _HYPHENATED.finditer(folded))  # "wi-fi" is asked for as "wifi"
    implied = map(stemmed, calendar_ranges.implied(folded, language, fold))
    return [*found, *_roots(found, language), *joined, *implied]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the folded function words of a language; none for an unknown one."""
    folded = {fold(word) for word in STOP_WORDS.get(language, ())}
    if language == "ar":
        folded = {joined + word for word in folded for joined in ("", *arabic.JOINED)}
    return frozenset(folded | {unaccented(word) for word in folded})


@cache
def _stop_strings(language: str) -> regex.Pattern | None:
    if language not in UNSPACED:
        return None
    return regex.compile("|".join(map(regex.escape, sorted(stop_words(language), key=len, reverse=True))))


def query_words(text: str, language: str, *, is_alone: bool = True, paired: bool = True) -> list[str]:
    """Return the folded words of a question without function words; if it is alone, these rather than nothing."""
    folded = fold(text)
    strings = _stop_strings(language)
    stops = stop_words(language)
    # "don't" would be two words
    spoken = _CONTRACTION.sub(lambda one: "" if one[0].replace("’", "'") in stops else one[0], folded)
    found = _without(stops, strings.sub(" ", spoken) if strings else spoken, paired)
    found = found or (_without((), folded, paired) if is_alone else [])
    return found + _roots((stem(word, language) for word in found), language)


def _without(stops: Container[str], folded: str, paired: bool) -> list[str]:
    found = []
    for match in _RUN.finditer(folded):
        is_function_word = match[0] in stops and not _IN_MAY.match(folded, match.start())
        if is_function_word or _PRONOUN.match(folded, match.start()):
            continue
        found.extend(_pairs(match[1]) if match[1] and paired else [match[0][:_LONGEST]])
    return found

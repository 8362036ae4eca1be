"""Turns a message, in its conversation, into the weighted words to search for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import regex

from docbot.retrieval.analysis import is_pair, query_words, stem, stop_words, terms
from docbot.retrieval.analysis import words as words_of
from docbot.retrieval.arabic import ROOT
from docbot.retrieval.compounds import compounds, parts
from docbot.retrieval.index import Index
from docbot.retrieval.languages import detect
from docbot.retrieval.related_terms import relatives, synonyms
from docbot.retrieval.spelling import correct

_MOST_WORDS = 40  # per message: a pasted page would take seconds
_MOST_CORRECTED, _MOST_CORRECTED_BEFORE = 5, 2  # words of this message, of each earlier one: each takes milliseconds
_MOST_LETTERS = 8000  # characters of a message that are read
_MOST_MESSAGES = 5
EARLIER = 0.4  # the weight of the previous message; the present one has 1
FADING = 0.7  # factor for each message further back
RELATED = 0.3  # the weight of a word's related terms, relative to its own
STRAY_PAIR = 0.5  # the weight of a pair of characters that no document has: it is probably a boundary of two words
OF_A_ROOT = 0.5  # the weight of a word's root, relative to its own
CITED = 0.05  # the weight of the titles and headings that the last reply cited
_AS_ONE = 0.25  # how often documents join two words, relative to the rarer of them
_MOST_OF_BEFORE = 0.5  # what the conversation may count, relative to the message's own words, without vectors


@dataclass(frozen=True)
class Word:
    """A word of the question: the terms it may correspond to in the documents, and how rare it is there."""

    text: str
    terms: tuple[str, ...]
    weight: float
    rarity: float
    corrected: bool = False  # no document has it as it was typed
    instead: str = ""  # what the documents have instead: its correction, or its synonyms
    relatives: tuple[str, ...] = ()  # terms of its word family, and compounds that contain it


@dataclass(frozen=True)
class Question:
    """What is asked: the present message's words first, then what the conversation adds."""

    language: str
    message: str
    words: tuple[Word, ...]
    context: tuple[Word, ...]
    sequence: tuple[str, ...]  # the terms of the present message, function words included, in their order
    corrected: str  # the message in the documents' words
    is_foreign: bool  # in a language that no document is in

    def weights(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for word in (*self.words, *self.context):
            for term in word.terms:
                found[term] = max(found.get(term, 0), word.weight)
            for term in word.relatives:
                found[term] = max(found.get(term, 0), word.weight * RELATED)
        return found

    def with_less_context(self) -> "Question":
        """Return it with its conversation's words counting half as much as its own, at most, if it has any.

        With vectors the likeness to the message alone tells what it is about; of many of a kind, the name of one.
        """
        own, before = (sum(word.weight * word.rarity for word in words) for words in (self.words, self.context))
        if not own or before <= _MOST_OF_BEFORE * own:
            return self
        share = _MOST_OF_BEFORE * own / before
        return replace(self, context=tuple(replace(word, weight=share * word.weight) for word in self.context))


def languages(index: Index, message: str) -> tuple[str, ...]:
    """Return the languages to search in; the first is the one to answer in."""
    known = index.description.languages
    if len(known) <= 1:
        return known or ("",)
    spoken = detect(message, is_message=True)
    return (spoken,) if spoken in known else known[:3]


def read(
    index: Index, message: str, language: str, messages: Sequence[str] = (), cited: Sequence[str] = ()
) -> Question:
    """Return the question, given the visitor's language and earlier messages, and the names that the last reply cited.

    If no document is in that language, its function words aren't searched for, but an encoder reads the message whole.
    """
    message = message[:_MOST_LETTERS]
    is_foreign = bool(index.description.languages) and language not in index.description.languages
    asked = " ".join(query_words(message, language)) if is_foreign else message
    spoken = languages(index, asked)
    words = _words(index, query_words(asked, spoken[0], is_alone=not messages), spoken, 1.0, _MOST_CORRECTED)
    words += _joined(index, asked, spoken[0])
    earlier = [(text, EARLIER * FADING**back) for back, text in enumerate(reversed(messages[-_MOST_MESSAGES:]))]
    present = {term for word in words for term in word.terms}
    context: dict[tuple[str, ...], Word] = {}
    for text, weight in (*earlier, *((name, CITED) for name in cited)):
        said = query_words(text[:_MOST_LETTERS], spoken[0])
        for word in _words(index, said, spoken, weight, _MOST_CORRECTED_BEFORE):
            if present.isdisjoint(word.terms):
                before = context.get(word.terms)
                # words that keep coming back are what the conversation is about
                context[word.terms] = replace(word, weight=word.weight + (before.weight if before else 0))
    return Question(
        spoken[0],
        message,
        tuple(words),
        tuple(context.values()),
        tuple(terms(asked, spoken[0])),
        message if is_foreign else _corrected(message, words),
        is_foreign,
    )


def _joined(index: Index, asked: str, language: str) -> Iterator[Word]:
    """Yield neighbouring words that documents also write as one: "back up" where they have "backup"."""
    for pair in pairwise(words_of(asked)):
        term = stem("".join(pair), language)
        apart = min(index.frequency(stem(one, language)) for one in pair)
        is_content = pair[0] not in stop_words(language) and len(pair[1]) > 1
        if is_content and term.isalpha() and index.frequency(term) > _AS_ONE * apart:
            word = _word(index, term, (term,), index.rarity(term), 1.0, language)
            yield replace(word, text=" ".join(pair), corrected=True, instead=term)


def _corrected(message: str, words: Sequence[Word]) -> str:
    for word in words:
        if word.instead:
            message = regex.sub(rf"\b{regex.escape(word.text)}\b", word.instead, message, flags=regex.IGNORECASE)
    return message


def _words(index: Index, said: Sequence[str], spoken: tuple[str, ...], weight: float, corrections: int) -> list[Word]:
    """Return the words of a text in their order: the rarest of the known ones and the first of the unknown ones."""
    known, unknown = {}, {}
    for one in dict.fromkeys(said):
        stems = tuple(dict.fromkeys(stem(one, language) for language in spoken))
        rarity = min(map(index.rarity, stems))
        (known if rarity < index.rarest else unknown)[one] = stems, rarity
    kept = dict(sorted(known.items(), key=lambda item: -item[1][1])[:_MOST_WORDS])
    found = {one: _word(index, one, *kept[one], weight, spoken[0]) for one in known if one in kept}
    for place, (one, (stems, rarity)) in enumerate(islice(unknown.items(), _MOST_WORDS)):
        apart = parts(one, spoken[0], index) if place < corrections else ()
        for part in apart:
            found.setdefault(part, _word(index, part, (part,), index.rarity(part), weight, spoken[0]))
        if apart:
            continue
        corrected = correct(one, spoken, index.description.letters, index.frequency) if place < corrections else ()
        if corrected is None:
            continue  # a function word
        if corrected:
            rarity = min(map(index.rarity, corrected))
        its_weight = weight * (STRAY_PAIR if is_pair(one) else 1.0)
        word = _word(index, one, corrected or stems, rarity, its_weight, spoken[0])
        held = (other for term, other in synonyms(one, spoken[0]).items() if index.frequency(term))
        instead = corrected[0] if corrected else " ".join(held)
        found[one] = replace(word, corrected=bool(corrected), instead=instead)
    return list(found.values())


def _word(index: Index, text: str, terms: tuple[str, ...], rarity: float, weight: float, language: str) -> Word:
    family = (other for term in terms for other in (*relatives(term, index), *compounds(term, language, index)))
    weight *= OF_A_ROOT if text.startswith(ROOT) else 1.0
    return Word(text, terms, weight, rarity, relatives=tuple(dict.fromkeys((*synonyms(text, language), *family))))

"""Estimates whether the best candidate answers the question or only happens to share some of its words."""

from collections.abc import Sequence
from math import exp, log

from docbot.answering.candidates import Candidate
from docbot.retrieval.index import Index
from docbot.retrieval.questions import Question
from docbot.retrieval.ranking import title_terms

# A logistic model. Evidence for it: rare words that it has, its BM25 score, its lead over all other passages.
# Evidence against it: rare words that it lacks, and the number of passages (the more, the more match by chance). Fitted
# on questions inside and outside the subject of corpora of 100 to 2,400 passages, leaving out one kind at a time.
_FOUND = 0.13
_SCORE = 0.2
_MISSING = 0.2
_PHRASED = 2.8
_LEAD = 0.5
_TITLE = 2.0  # all its words were used
_BY_CHANCE = 0.57
_CONSTANT = 0.7
_NOT_ASKED = 3.0  # only the conversation is about this: no word of the message itself is here

# With meaning, less is needed, and the message's likeness to the documents as a whole counts, too. What is alike in its
# conversation only may be about what was said before. Fitted on SQuAD, NQ, StackFAQ, the places and small businesses
# with everyday messages, alone and inside conversations.
_FOUND_WITH_MEANING = 0.35
_COVERED = 0.6
_ALIKE = 5.0
_ALIKE_ALONE = 4.0
_WITH_NAME = 4.0
_ON_SUBJECT = 20.0
_CORRECTED = 1.5  # a typing error hides a part of the likeness
_CONSTANT_WITH_MEANING = -11.0

# The same with the encoder for other languages. Chosen on small businesses and articles in twelve languages; what is
# not here added nothing.
_FOUND_ELSEWHERE = 0.4
_ALIKE_ELSEWHERE = 9.0
_LEAD_ELSEWHERE = 0.8
_CONSTANT_ELSEWHERE = -5.6


def score(best: Sequence[Candidate], question: Question, index: Index) -> float:
    """Return how likely the first of the ranked candidates answers the question, from 0 to 1."""
    if not best:
        return 0.0
    if not best[0].found.encoder:
        weight = _by_words(best, question, index)
    elif best[0].found.encoder == "english":
        weight = _by_meaning(best[0], question)
    else:
        weight = _by_meaning_elsewhere(best)
    return 1 / (1 + exp(-weight))


def _by_meaning(candidate: Candidate, question: Question) -> float:
    return (
        _CONSTANT_WITH_MEANING
        + _CORRECTED * any(word.corrected for word in question.words)
        + _FOUND_WITH_MEANING * candidate.found_rarity
        + _COVERED * candidate.covered
        + _ALIKE * candidate.alike
        + _ALIKE_ALONE * candidate.alike_alone
        + _WITH_NAME * candidate.found.likeness_with_name
        + _ON_SUBJECT * candidate.found.on_subject
    )


def _by_meaning_elsewhere(best: Sequence[Candidate]) -> float:
    alike = (best[0].alike + best[0].alike_alone) / 2
    evidence = _FOUND_ELSEWHERE * best[0].found_rarity + _ALIKE_ELSEWHERE * alike + _LEAD_ELSEWHERE * _lead(best)
    return _CONSTANT_ELSEWHERE + evidence


def _by_words(best: Sequence[Candidate], question: Question, index: Index) -> float:
    candidate = best[0]
    return (
        _CONSTANT
        - _NOT_ASKED * (not candidate.is_about_more)
        + _FOUND * candidate.found_rarity
        + _SCORE * candidate.found.score
        - _MISSING * candidate.missing_rarity
        + _PHRASED * candidate.phrased
        + _LEAD * _lead(best)
        + _TITLE * _title_said(candidate, question, index)
        - _BY_CHANCE * log(index.description.passages)
    )


def _lead(best: Sequence[Candidate]) -> float:
    return best[0].score - (best[1].score if len(best) > 1 else 0.0)


def _title_said(candidate: Candidate, question: Question, index: Index) -> float:
    """Return the rarity of the document's title, from 0 to 1, if the visitor has used all its words; otherwise 0."""
    said = {term for word in (*question.words, *question.context) for term in word.terms}
    title = title_terms(candidate.found.passage)
    return min(1.0, sum(map(index.rarity, title)) / index.rarest) if title <= said else 0.0

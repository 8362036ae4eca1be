"""Finds the opening hours. Visitors ask for them more than for anything else, mostly in words that no document has."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import regex

from docbot.answering.candidates import Candidate
from docbot.answering.excerpts import MOST_OF_A_LIST
from docbot.answering.quantities import day_names
from docbot.answering.tables.rows import rows_of
from docbot.retrieval.analysis import unaccented, words
from docbot.retrieval.index import Found, Index

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_LONGEST = 15  # characters of a message in a language whose words aren't told apart
_TIME = regex.compile(
    r"(?<![\p{N}.,:£€$])\d{1,2}(?:[.:h]\d\d(?![.,]?\p{N}|\s*[£€$])|\s*(?:[ap]\.?m\b|uhr|uur|noon|h\b|時|点|點|시))"
    r"|\d(?=\s*(?:to|bis|till|until|-|–)\s*\d{1,2}(?!\d))",
    regex.IGNORECASE,
)
_A_DAY = 0.3  # of the week: the weight of naming it
_NEAR = 3  # passages before and after one, which may be of the same section


def asked(message: str, language: str) -> str:
    """Return what most documents in the language call the hours if the message asks for nothing else, otherwise ""."""
    its = _SAID.get(language, {})
    said = {unaccented(word) for word in words(message) if not day_names(language).search(word)}
    if "pieces" in its:
        joined = "".join(words(message))
        is_asked = len(joined) <= _LONGEST and any(piece in joined for piece in its["pieces"].split())
    else:
        beside, *ways = ({*words(unaccented(way))} for way in (its.get("beside", ""), *its.get("ways", "").split(";")))
        is_asked = any(way and way <= said <= way | beside for way in ways)
    return its["name"] if is_asked else ""


def told(best: Sequence[Candidate], index: Index) -> list[Found]:
    """Return the passages of the section that tells the hours of most days; none if none does or it is long."""
    telling = [it for it in best if len(_TIME.findall(it.found.passage.text)) > 1 and (it.covered or _days(it) > 1)]
    if not telling:
        return []
    passage = max(telling, key=lambda it: it.score + _A_DAY * _days(it)).found.passage
    near = map(index.passage, range(passage.id - _NEAR, passage.id + _NEAR + 1))
    section = [one for one in near if one and one.passage.section == passage.section]
    texts = (part.length for one in section if not rows_of(one.passage.text) for part in one.parts)
    return section if sum(texts) <= MOST_OF_A_LIST else []


def _days(candidate: Candidate) -> int:
    passage = candidate.found.passage
    return len(set(map(str.casefold, day_names(passage.language).findall(passage.text))))

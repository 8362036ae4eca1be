"""Finds the passages that tell the opening hours."""

from collections.abc import Sequence
from itertools import islice

import regex

from docbot.answering.candidates import Candidate
from docbot.answering.excerpts import MOST_OF_A_LIST
from docbot.answering.quantities import day_names
from docbot.answering.quoting import quotation
from docbot.answering.tables.rows import rows_of
from docbot.answering.tables.table_answers import as_table
from docbot.answering.usual.questions import holidays
from docbot.retrieval.analysis import fold
from docbot.retrieval.index import Found, Index, IndexedPassage

_TIME = regex.compile(
    r"(?<![\p{N}.,:£€$])\d{1,2}(?:[.:h]\d\d(?![.,]?\p{N}|\s*[£€$])|\s*(?:[ap]\.?m\b|uhr|uur|noon|h\b|時|点|點|시))"
    r"|\d(?=\s*(?:to|bis|till|until|-|–)\s*\d{1,2}(?!\d))",
    regex.IGNORECASE,
)
_A_DAY = 0.3  # of the week: the weight of naming it
_NEAR = 3  # passages before and after one, which may be of the same section


def find(best: Sequence[Candidate], index: Index) -> list[Found]:
    """Return the passages of the section that tells the hours of most days; none if none does or it is long."""
    telling = [it for it in best if len(_TIME.findall(it.found.passage.text)) > 1 and (it.covered or _days(it) > 1)]
    if not telling:
        return []
    ordinary = [it for it in telling if not holidays(it.found.passage.heading, it.found.passage.language)]
    passage = max(ordinary or telling, key=lambda it: it.score + _A_DAY * _days(it)).found.passage
    near = map(index.passage, range(passage.id - _NEAR, passage.id + _NEAR + 1))
    section = [one for one in near if one and one.passage.section == passage.section]
    texts = (part.length for one in section if not rows_of(one.passage.text) for part in one.parts)
    return section if sum(texts) <= MOST_OF_A_LIST else []


def whole(section: Sequence[Found]) -> str:
    """Return passages whole: the tables as tables, the text beside them as text."""
    texts = (as_table(one.passage.text) or quotation([part.piece for part in one.parts]) for one in section)
    return "\n\n".join(texts)


def with_holidays_first(best: Sequence[Candidate], hours: Sequence[Found]) -> list[Found]:
    """Put first what tells of holidays: passages with the hours, else one of another section, if there is one."""
    telling = [one for one in hours if _tells_of_holidays(one.passage)]
    others = (it.found for it in best if _tells_of_holidays(it.found.passage) and not it.is_table)
    first = telling or list(islice(others, 1))
    return [*first, *(one for one in hours if one not in first)]


def _tells_of_holidays(passage: IndexedPassage) -> bool:
    """Return whether the heading says so, or the text says it twice."""
    return bool(holidays(passage.heading, passage.language)) or len(holidays(passage.text, passage.language)) > 1


def _days(candidate: Candidate) -> int:
    passage = candidate.found.passage
    return len(set(day_names(passage.language).findall(fold(passage.text))))

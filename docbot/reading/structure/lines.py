"""Joins lines that were broken only because the page was too narrow."""

import re
from collections.abc import Sequence
from itertools import pairwise

WIDEST = 140  # characters: no longer line was broken for its width
NARROWEST = 45
WRAPPED, UNEVEN = 72, 0.9  # characters: lines this long were wrapped by hand, so a tenth may be missing from one
ENDS = '.!?:;…。！？：；।؟"”»)'
CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
ITEM = re.compile(r"(?:[-*+•‣▪◦–]|\d{1,3}[.)])\s+\S")


def breaks(lines: Sequence[str], even: float = 1.0) -> list[bool]:
    """Return for each line but the last if its break is meant; `even`: a full line's share of the longest, at least."""
    longest = max((len(line) for line in lines), default=0)
    width = (even if longest < WRAPPED else min(even, UNEVEN)) * max(min(longest, WIDEST), NARROWEST)
    return [_is_meant(line, after, width) for line, after in pairwise(lines)]


def _is_meant(line: str, after: str, width: float) -> bool:
    if ITEM.match(after):
        return True
    if after[:1].islower() and line[-1:] not in ENDS:
        return False
    if len(line) > WIDEST:
        return True
    # It was broken for its width if the next word had no room; CJK text breaks between any two characters.
    first_word = 1 if CJK.match(after) else len(after.split(maxsplit=1)[0]) if after.split() else 0
    return len(line) + 1 + first_word <= width


def join(lines: Sequence[str]) -> str:
    """Return one paragraph, with only the intended line breaks."""
    lines = [line.strip() for line in lines if line.strip()]
    if not lines:
        return ""
    parts = [lines[0]]
    for (before, after), meant in zip(pairwise(lines), breaks(lines), strict=True):
        parts.append("\n" if meant else "" if CJK.match(before[-1]) and CJK.match(after) else " ")
        parts.append(after)
    return "".join(parts)

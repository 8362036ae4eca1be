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


def join(lines: Sequence[str], even: float = 1.0, hyphens: str = "") -> str:
    """Return one paragraph, with only the intended line breaks, and words joined that `hyphens` split at line ends."""
    lines = [line.strip() for line in lines if line.strip()]
    text = lines[0] if lines else ""
    for line, is_meant in zip(lines[1:], breaks(lines, even), strict=True):
        if len(text) > 1 and text[-1] in hyphens and text[-2].isalpha():
            # A hyphen before a capital or a digit belongs to the word: "COVID-\n19".
            text = (text[:-1] if line[:1].islower() else text[:-1] + "-") + line
        else:
            is_unspaced = CJK.match(text[-1]) and CJK.match(line)
            text += ("\n" if is_meant else "" if is_unspaced else " ") + line
    return text

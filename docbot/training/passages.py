"""Cuts documents into passages: what is found, and what replies are quoted from."""

from docbot.content import PassageText, ReadDocument, Section
from docbot.retrieval.sentences import Piece, joined, pieces, size

LEAST, MOST = 150, 180  # words of a passage
OVERLAP = 0.2  # of a passage's words stand in the next one too, so that no answer is cut in two
MOST_OF_A_PAIR = 400  # words of one question and its answer


def cut(document: ReadDocument) -> list[PassageText]:
    """The passages of a document, in its order; each has one heading and whole sentences."""
    return [passage for section in document.sections for passage in _cut_section(section)]


def _cut_section(section: Section) -> list[PassageText]:
    heading = " ".join(section.heading.split())
    parts = _rows(section.text) if section.kind == "table" else pieces(section.text)
    if not parts:
        return []
    if section.kind == "faq" and size(section.text) <= MOST_OF_A_PAIR:
        return [PassageText(heading, joined(parts))]
    overlap = 0.0 if section.kind == "table" else OVERLAP
    return [PassageText(heading, joined(group)) for group in _groups(parts, overlap)]


def _rows(text: str) -> list[Piece]:
    rows = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return [Piece(row, "\n" if place else "") for place, row in enumerate(rows)]


def _groups(parts: list[Piece], overlap: float) -> list[list[Piece]]:
    sizes = [size(part.text) for part in parts]
    groups = []
    start = 0
    while True:
        end, words = start, 0
        while end < len(parts) and (words < LEAST or words + sizes[end] <= MOST):
            if words and words + sizes[end] > 2 * MOST:
                break  # a long block of code comes by itself
            words += sizes[end]
            end += 1
        if sum(sizes[end:]) < LEAST * overlap:
            end = len(parts)  # a rest that the overlap would repeat almost whole
        groups.append(parts[start:end])
        if end == len(parts):
            return groups
        start = _step_back(sizes, start, end, words * overlap)


def _step_back(sizes: list[int], start: int, end: int, words: float) -> int:
    """Where the next passage begins, so that it repeats at most so many words of this one."""
    place = end
    while place > start + 1 and sizes[place - 1] <= words:
        place -= 1
        words -= sizes[place]
    return place

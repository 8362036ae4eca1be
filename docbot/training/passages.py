"""Splits documents into passages, the units of search and quotation."""

from docbot.content import ReadDocument, Section
from docbot.retrieval.sentences import Piece, joined, pieces, size

LEAST, MOST = 150, 180  # words of a passage
OVERLAP = 0.2  # share of words repeated in the next passage, so that no answer is split
MOST_OF_A_PAIR = 400  # words of one question and its answer


def cut(document: ReadDocument) -> list[Section]:
    """Return the passages of a document in order; each has one heading and whole sentences."""
    return [passage for section in document.sections for passage in _cut_section(section)]


def _cut_section(section: Section) -> list[Section]:
    heading = " ".join(section.heading.split())
    parts = _rows(section.text) if section.kind == "table" else pieces(section.text)
    if not parts:
        return []
    if section.kind == "taught" or (section.kind == "faq" and size(section.text) <= MOST_OF_A_PAIR):
        return [Section(heading, joined(parts))]
    overlap = 0.0 if section.kind == "table" else OVERLAP
    return [Section(heading, joined(group)) for group in _groups(parts, overlap)]


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
                break  # a long block of code becomes a passage of its own
            words += sizes[end]
            end += 1
        if sum(sizes[end:]) < LEAST * overlap:
            end = len(parts)  # the overlap would repeat nearly all of the rest
        groups.append(parts[start:end])
        if end == len(parts):
            return groups
        start = _step_back(sizes, start, end, words * overlap)


def _step_back(sizes: list[int], start: int, end: int, words: float) -> int:
    """Return where the next passage begins so that it repeats at most `words` words."""
    place = end
    while place > start + 1 and sizes[place - 1] <= words:
        place -= 1
        words -= sizes[place]
    return place

"""Rows of cells, from whatever kind of spreadsheet, as blocks: tables with the names of their columns, or questions."""

from collections.abc import Iterable, Iterator, Sequence

from docbot.reading.structure.blocks import Answered, Block, Table
from docbot.reading.structure.grids import are_names, with_names

_ASKED = "question questions q frage fragen pregunta preguntas domanda pergunta вопрос 问题 問題 質問 سؤال السؤال प्रश्न"
_ANSWERED = """
    answer answers a reply antwort antworten respuesta réponse risposta resposta ответ 答案 回答 答え جواب الجواب
    الإجابة उत्तर
"""
ASKED, ANSWERED = frozenset(_ASKED.split()), frozenset(_ANSWERED.split())
SEARCHED = 10  # rows from the top, in which the names of the columns may stand


def blocks(rows: Iterable[Sequence[str]]) -> Iterator[Block]:
    """Return a table or, if one column is called "question" and one "answer", the questions and their answers."""
    filled = [row for row in map(_trimmed, rows) if row]
    if not filled:
        return
    width = max(len(row) for row in filled[:1000])
    head = _head(filled, width)
    names = [cell.strip().casefold() for cell in filled[head]] if head is not None else []
    question = next((column for column, name in enumerate(names) if name in ASKED), None)
    answer = next((column for column, name in enumerate(names) if name in ANSWERED), None)
    if head is None:
        yield with_names(filled)
    elif question is not None and answer is not None:
        for row in filled[head + 1 :]:
            cells = [*row, *[""] * width]
            if cells[question].strip() and cells[answer].strip():
                yield Answered(cells[question], cells[answer])
    else:
        if head:
            yield Table((), filled[:head])
        yield Table([" ".join(cell.split()) for cell in filled[head]], filled[head + 1 :])


def _trimmed(row: Sequence[str]) -> Sequence[str]:
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _head(rows: list[Sequence[str]], width: int) -> int | None:
    """Return the row that holds the names of the columns: the first filled one that looks like it, above other rows."""
    for number, row in enumerate(rows[:SEARCHED]):
        if number + 1 < len(rows) and len(row) > 1 and are_names(row, width):
            return number
    return None

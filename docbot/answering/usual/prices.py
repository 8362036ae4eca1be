"""Finds the price lists. "How much is it?" is asked of everything, in words that no document has."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from docbot.answering.candidates import Candidate
from docbot.answering.excerpts import MOST_OF_A_LIST
from docbot.answering.quoting import quotation
from docbot.answering.tables.rows import CURRENCIES, Table, tables
from docbot.answering.tables.table_answers import as_markdown
from docbot.retrieval.index import Index, IndexedPassage

_MOST_ROWS = 12  # of a list with few columns
_MOST_TABLES = 8
_NAMES = "|".join(filter(str.isalpha, CURRENCIES))
_CURRENCY = rf"(?:[£€$¥₹]|(?<!\p{{L}})(?:{_NAMES})(?!\p{{L}}))"
_PRICE = regex.compile(rf"{_CURRENCY}\s?\d|\d\s?{_CURRENCY}", regex.IGNORECASE)


@dataclass(frozen=True)
class PriceList:
    """A section of a document that tells several prices; `text` in Markdown, "" if it is too long to quote."""

    candidate: Candidate
    text: str
    prices: int
    is_named: bool  # its heading says that these are the prices

    @property
    def passage(self) -> IndexedPassage:
        return self.candidate.found.passage


def find_price_lists(best: Sequence[Candidate], index: Index) -> list[PriceList]:
    """Return the list of each section among the candidates that has one, the likeliest first."""
    found: dict[tuple[int, str], PriceList] = {}
    whole = {table.passage.section: table for table in tables([one.found for one in best], index, _MOST_TABLES)}
    for candidate in best:
        passage = candidate.found.passage
        if not candidate.is_table:
            prices, text = _of_text(candidate)
        elif passage.section in whole:
            prices, text = _of_table(whole[passage.section])
        else:
            continue
        if prices > 1 and prices > (found[passage.section].prices if passage.section in found else 0):
            found[passage.section] = PriceList(candidate, text, prices, candidate.named > 0)
    return sorted(found.values(), key=lambda one: (-one.is_named, -one.prices))


def choose_list(lists: Sequence[PriceList]) -> PriceList | None:
    """Return the first list if only it is called so, or it tells by far the most prices."""
    if not lists or not lists[0].text:
        return None
    first, *others = lists
    return first if all(first.is_named > one.is_named or first.prices >= 2 * one.prices for one in others) else None


def _of_table(table: Table) -> tuple[int, str]:
    priced = [one for one in table.columns if all(_is_price(table, row, one) for row in table.rows if row.get(one))]
    if not priced:
        return 0, ""
    columns = [*table.names(table.rows, priced), *priced]
    text = as_markdown(columns, table.rows) if len(table.rows) <= _MOST_ROWS else ""
    return len(priced) * len(table.rows), text


def _is_price(table: Table, row: dict[str, str], column: str) -> bool:
    amount = table.amount(row, column)
    return amount is not None and amount.is_money


def _of_text(candidate: Candidate) -> tuple[int, str]:
    parts = candidate.found.parts
    is_short = sum(part.length for part in parts) <= MOST_OF_A_LIST
    text = quotation([part.piece for part in parts]) if is_short else ""
    return len(_PRICE.findall(candidate.found.passage.text)), text

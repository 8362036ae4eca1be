"""Reads tables back from passages, which hold rows of `Column: value; …`, and reads the amounts in their cells."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import regex

from docbot.retrieval.analysis import terms
from docbot.retrieval.index import Found, Index, IndexedPassage

_MOST_PASSAGES = 60  # of a table; nothing is computed over a larger one
_CELL = regex.compile(r"([^:;]{1,80}): (.+)", regex.DOTALL)
_HEAD_UNIT = regex.compile(r"[(\[]\s*(?:in\s+)?([\p{L}£€$¥₹%]+)\s*[)\]]\s*$")
_CODE = regex.compile(r"[\p{Lu}\p{N}._/#-]*\d[\p{Lu}\p{N}._/#-]*")

_CURRENCIES = {
    "£": "£", "gbp": "£", "pounds": "£", "€": "€", "eur": "€", "euro": "€", "euros": "€", "$": "$", "usd": "$",
    "dollars": "$", "¥": "¥", "chf": "chf", "zł": "zł", "₹": "₹",
}  # fmt: skip
_UNITS = {
    "weight": {"mg": 0.001, "g": 1, "kg": 1000, "t": 1e6, "oz": 28.35, "lb": 453.6, "lbs": 453.6},
    "length": {"mm": 1, "cm": 10, "m": 1000, "km": 1e6, "in": 25.4, "inch": 25.4, "inches": 25.4, "ft": 304.8},
    "volume": {"ml": 1, "cl": 10, "l": 1000, "litres": 1000, "liters": 1000, "liter": 1000},
    "data": {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12},
    "time": {
        **dict.fromkeys(("s", "sec", "seconds"), 1), **dict.fromkeys(("min", "minute", "minutes", "minuten"), 60),
        **dict.fromkeys(("h", "hour", "hours", "stunde", "stunden", "hora", "horas"), 3600),
        **dict.fromkeys(("d", "day", "days", "tag", "tage", "día", "días", "jour", "jours"), 86_400),
        **dict.fromkeys(("week", "weeks", "woche", "wochen"), 604_800),
        **dict.fromkeys(("month", "months", "monat", "monate"), 2_629_800),
        **dict.fromkeys(("year", "years", "jahr", "jahre"), 31_557_600),
    },
}  # fmt: skip
_DIMENSIONS = {unit: (dimension, factor) for dimension, units in _UNITS.items() for unit, factor in units.items()}
_AMOUNT = regex.compile(
    r"(?P<before>[£€$¥₹]|(?:GBP|EUR|USD|CHF)\b)?\s*(?P<number>\d+(?:[.,'\u00a0 ]\d{3})*(?:[.,]\d+)?)(?![\d:/])"
    r"(?:\s*(?:to|-|–|bis)\s*\d+)?\s*(?:(?:working|business)\s+)?(?P<unit>[\p{L}€£$%]+)?",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Amount:
    """A number with its dimension: a unit's, a currency, or "" for a plain number."""

    number: float
    dimension: str

    @property
    def is_money(self) -> bool:
        return self.dimension in _CURRENCIES.values()


@dataclass(frozen=True)
class Table:
    """Rows by the names of their columns."""

    passage: IndexedPassage  # the first one of the table
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    is_whole: bool  # whether these are all of its rows

    @property
    def label(self) -> str:
        """Return the column that names the rows: the first with a different value in each row, except codes."""
        for column in self.columns:
            values = [row.get(column, "") for row in self.rows]
            if all(values) and len(set(values)) == len(values) and not all(map(_CODE.fullmatch, values)):
                return column
        return self.columns[0]

    def holds(self, passage: IndexedPassage) -> bool:
        return _place(self.passage) == _place(passage) and bool(rows_of(passage.text))

    def terms_of(self, text: str) -> frozenset[str]:
        return frozenset(terms(text, self.passage.language))

    def column_of(self, dimension: str) -> str | None:
        """Return the first column whose values are amounts of the dimension."""
        for column in self.columns:
            found = [amount for row in self.rows if (amount := self.amount(row, column))]
            fits = [amount for amount in found if amount.is_money or dimension != "money"]
            if fits and all(dimension in ("money", amount.dimension) for amount in fits) and len(fits) == len(found):
                return column
        return None

    def amount(self, row: dict[str, str], column: str) -> Amount | None:
        """Return the amount in a cell; a number without a unit has that of its column: `Price (€)`, `Weight (kg)`."""
        amount = amount_of(row.get(column, ""))
        unit = _HEAD_UNIT.search(column)
        if amount is None or amount.dimension or unit is None:
            return amount
        one = amount_of(f"1 {unit[1]}")
        return Amount(amount.number * one.number, one.dimension) if one else amount


def amount_of(cell: str) -> Amount | None:
    """Return the amount that a cell begins with."""
    cell = cell.strip()
    try:
        return Amount(date.fromisoformat(cell).toordinal(), "date")
    except ValueError:
        found = _AMOUNT.match(cell)
    if not found:
        return None
    unit = (found["unit"] or "").casefold()
    currency = _CURRENCIES.get((found["before"] or "").casefold()) or _CURRENCIES.get(unit)
    dimension, factor = (currency, 1) if currency else _DIMENSIONS.get(unit, (unit if unit == "%" else "", 1))
    return Amount(_number(found["number"]) * factor, dimension)


def _number(text: str) -> float:
    """Read 1,299.50, 1.299,50 and 1 299,5; a single separator before three digits groups them."""
    text = regex.sub(r"[\u00a0' ]", "", text)
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return float(text)
    whole, rest = regex.sub("[.,]", "", text[:last]), text[last + 1 :]
    is_grouped = len(rest) == 3 and whole != "0" and {text[last]} == set(text) & {".", ","}
    return float(whole + rest) if is_grouped else float(f"{whole}.{rest}")


def rows_of(text: str) -> list[dict[str, str]]:
    """Return the rows of a passage, if it is a piece of a table; otherwise none."""
    rows = []
    for line in text.split("\n"):
        row: dict[str, str] = {}
        column = ""
        for part in line.split("; "):
            cell = _CELL.fullmatch(part)
            if cell and cell[1] not in row:
                column = cell[1]
                row[column] = cell[2]
            elif column:
                row[column] += f"; {part}"
        if len(row) < 2:
            return []
        rows.append(row)
    usual = Counter(column for row in rows for column in row)
    is_table = (len(rows) > 1 or len(rows[0]) > 2) and all(2 * usual[next(iter(row))] > len(rows) for row in rows)
    return rows if is_table else []


def tables(found: Sequence[Found], index: Index, most: int) -> list[Table]:
    """Return the tables that the passages are from, complete, in the passages' order."""
    places = {}
    for one in found:
        if rows_of(one.passage.text):
            places.setdefault(_place(one.passage), one.passage)
    return [_whole(passage, index) for passage in list(places.values())[:most]]


def _place(passage: IndexedPassage) -> tuple[int, str]:
    return passage.document_id, passage.heading


def _whole(passage: IndexedPassage, index: Index) -> Table:
    """Find the table's other passages by the names of its columns, which each of its rows has."""
    first = rows_of(passage.text)
    named = {term: 1.0 for column in first[0] for term in terms(column, passage.language)}
    hits = [found.passage for found in index.search(named, _MOST_PASSAGES)]
    parts = {part.id: part for part in (*hits, passage) if _place(part) == _place(passage) and rows_of(part.text)}
    passages = [parts[number] for number in sorted(parts)]
    rows = [row for part in passages for row in rows_of(part.text)]
    columns = dict.fromkeys(column for row in sorted(rows, key=len, reverse=True) for column in row)
    return Table(passages[0], tuple(columns), tuple(rows), is_whole=len(passages) < _MOST_PASSAGES)

"""Reads tables back from passages, which hold rows of `Column: value; …`, and reads the amounts in their cells."""

from __future__ import annotations

import operator
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import regex

from docbot.answering.tables import words
from docbot.retrieval.analysis import terms
from docbot.retrieval.index import Found, Index, IndexedPassage

_DIFFERENT = 2 / 3  # of the values
_CLEARLY = 0.3  # more alike are the cells of a row than those of a column: prices in one row, storage in another
_MOST_PASSAGES = 60  # of a table; nothing is computed over a larger one
_CELL = regex.compile(r"([^:;]{1,80}): (.+)", regex.DOTALL)
_HEAD_UNIT = regex.compile(
    r"(?P<unit>[£€$¥₹])|(?:[(\[]|\b(?:in|en|em)\s)\s*(?:in\s+)?(?P<unit>[\p{L}%]+)\s*[)\]]?\s*$|^(?P<unit>\p{L}+)$"
)
_CODE = regex.compile(r"[\p{Lu}\p{N}._/#-]*\d[\p{Lu}\p{N}._/#-]*")

_SAID = tomllib.loads(Path(__file__).with_name("units.toml").read_text(encoding="utf-8"))
CURRENCIES = {name: sign for sign, names in _SAID["currencies"].items() for name in names.split()}
_DIMENSIONS = {
    unit: (dimension, float(factor))
    for dimension, units in _SAID["dimensions"].items()
    for factor, names in units.items()
    for unit in names.split()
}
_NUMBERS = {name: number for number, names in _SAID["numbers"].items() for name in names.split()}
_NUMBER_NAME = regex.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", regex.IGNORECASE)
_OLD = rf"[\s-](?:old|alt)(?:\s(?:{'|'.join(_SAID['of_an_age'].split())})\b)?"
_SAID_AMOUNT = regex.compile(
    rf"(?<![\w.,:])(?:\d+(?:[.,]\d+)?|{_NUMBER_NAME.pattern})[\s-]*[\p{{L}}£€$%]+(?:{_OLD})?",
    regex.IGNORECASE,
)
_RANGE = regex.compile(r"(?<![\d.,])(\d+)\s*(?:to|-|–|bis|à|a)\s*(?P<most>([1-9]\d*)(?!\s*[ap]m|[.:]\d).*)")
_OF_A_GROUP = regex.compile(r"(?<=\p{L})-(?=\d)|(?<=\d)s\b")  # under-8s
# 65 and over, 12 people or more
_OR_MORE = regex.compile(rf"(\d+(?: \p{{L}}+)?)\s*(?:\+|{words.OR_MORE.pattern})", regex.IGNORECASE)
_YEAR = _DIMENSIONS["year"][1]
_COMPARISONS = {"under": operator.lt, "at_most": operator.le, "over": operator.gt, "at_least": operator.ge}
_SOME_MONEY = "money"  # a price whose currency isn't said
_AMOUNT = regex.compile(
    r"(?P<before>[£€$¥₹]|(?:GBP|EUR|USD|CHF)\b)?\s*(?P<number>\d+(?:[.,'\u00a0 ]\d{3})*(?:[.,]\d+)?)(?![\d:/])"
    r"(?:\s*(?:to|-|–|bis)\s*\d+)?\s*(?:(?:working|business)\s+)?(?P<unit>[\p{L}€£$%]+)?",
    regex.IGNORECASE,
)
_CLOCK = regex.compile(
    r"(?:(?P<hour>\d{1,2})(?:[.:](?P<minute>\d\d))?\s*(?P<half>[ap]\.?m|noon|uhr)|(?P<hour>\d{1,2})[:h](?P<minute>\d\d))\b"
    r"(?!\.?\s*(?:to|-|–|bis)\s*\d)",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class Amount:
    """A number with its dimension: a unit's, a currency, "clock" for a time of day, or "" for a plain number."""

    number: float
    dimension: str

    @property
    def is_money(self) -> bool:
        return self.dimension == _SOME_MONEY or self.dimension in CURRENCIES.values()

    def is_comparable(self, limit: Amount) -> bool:
        """Return whether it can be compared with a limit: a plain number, or one of the same dimension or currency."""
        return limit.dimension in ("", self.dimension) or (self.dimension == _SOME_MONEY and limit.is_money)


@dataclass(frozen=True)
class Limit:
    amount: Amount
    compare: Callable[[float, float], bool]

    def allows(self, number: float) -> bool:
        return self.compare(number, self.amount.number)


@dataclass(frozen=True)
class Table:
    """Rows by the names of their columns."""

    passage: IndexedPassage  # the first one of the table
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    is_whole: bool  # whether these are all of its rows

    @property
    def label(self) -> str:
        """Return the column that names the rows: the first with different values in most, no codes, prices or times."""
        for column in self.columns:
            values = [row.get(column, "") for row in self.rows]
            amounts = [amount for amount in map(amount_of, values) if amount]
            told = sum(amount.is_money or amount.dimension in ("clock", "date") for amount in amounts)
            is_name = not all(map(_CODE.fullmatch, values)) and 2 * told < len(values)
            if all(values) and len(set(values)) > _DIFFERENT * len(values) and is_name:
                return column
        return self.columns[0]

    @property
    def transposed(self) -> Table | None:
        """Return the table with plans that stand beside each other below each other; None if its rows lack names."""
        first, *things = self.columns
        names = [row.get(first, "") for row in self.rows]
        heading = self.passage.heading or self.passage.title
        if len(things) < 2 or not all(names) or len({*names, heading}) <= len(names):
            return None
        rows = [{heading: thing} | {row[first]: row.get(thing, "") for row in self.rows} for thing in things]
        return replace(self, columns=(heading, *names), rows=tuple(rows))

    def names(self, rows: Sequence[dict[str, str]], without: Sequence[str]) -> list[str]:
        """Return the columns that tell these rows from others of the same name: the label, and others if need be."""
        named = {row.get(self.label) for row in rows}
        alike = [row for row in self.rows if row.get(self.label) in named]
        names, different = [self.label], len(named)
        for column in self.columns:
            values = {tuple(row.get(name) for name in (*names, column)) for row in alike}
            if column not in without and len(values) > different:
                names.append(column)
                different = len(values)
        return names

    def terms_of(self, *texts: str) -> frozenset[str]:
        return frozenset(terms("\n".join(texts), self.passage.language))  # cells of "250" and "400 g" aren't one number

    def amounts(self, column: str | None, rows: Sequence[dict[str, str]]) -> list[tuple[dict[str, str], Amount]]:
        """Return the rows that tell an amount in a column, with it; none if they are few, unlike or all free."""
        filled = [(row, self.amount(row, column)) for row in rows if row.get(column)]
        told = [(row, amount) for row, amount in filled if amount or not words.is_false(row[column])]
        kinds = {amount and amount.dimension for _, amount in told}
        kinds -= {_SOME_MONEY} if kinds & set(CURRENCIES.values()) else set()  # "free" beside "£8"
        is_alike = len(kinds) == 1 and any(amount and amount.number for _, amount in told)
        return told if is_alike and 2 * len(filled) > len(rows) else []

    def columns_of(self, dimension: str, rows: Sequence[dict[str, str]]) -> list[str]:
        """Return the columns with amounts of this dimension: "" is a plain number, "money" any currency."""
        told = ((column, self.amounts(column, rows)) for column in self.columns)
        first = ((column, its[0][1]) for column, its in told if its)
        return [one for one, its in first if its.dimension == dimension or (its.is_money and dimension == "money")]

    def is_feature(self, column: str) -> bool:
        """Return whether each row says yes or no to the column: "Vegan", "Sea view"."""
        cells = [row.get(column, "").strip().casefold() for row in self.rows]
        yes = {cell for cell in cells if not words.is_false(cell)}
        return len(yes) == 1 and amount_of(*yes) is None and any(map(words.is_false, cells))

    def is_number(self, column: str) -> bool:
        """Return whether the column tells a number of what it is called: "Seats", "Places left", "Days"."""
        return all(one and not one.dimension for one in (amount_of(row.get(column, "")) for row in self.rows))

    def has_others_than(self, amount: Amount, counted: str) -> bool:
        """Return whether a column counts these things, but no row has just as many: "20 machines" of 1, 5, 10 or 50."""
        for column in self.columns:
            if not self.terms_of(column).isdisjoint(self.terms_of(counted)):
                return self.is_number(column) and amount not in [self.amount(row, column) for row in self.rows]
        return False

    def amount(self, row: dict[str, str], column: str) -> Amount | None:
        """Return the amount in a cell; a number without a unit has its column's: `Price (€)`, `Fee in £`, `Minutes`."""
        cell = row.get(column, "")
        amount = Amount(0, _SOME_MONEY) if words.is_free(cell) else amount_of(cell)
        if amount is None or amount.dimension:
            return amount
        unit = _HEAD_UNIT.search(column)
        one = amount_of(f"1 {unit['unit']}") if unit else None
        if one and one.dimension:
            return Amount(amount.number * one.number, one.dimension)
        return replace(amount, dimension=_SOME_MONEY) if words.ASKED["money"].search(column) else amount


def amount_of(cell: str) -> Amount | None:
    """Return the amount that a cell begins with."""
    cell = _NUMBER_NAME.sub(lambda name: _NUMBERS[name[0].casefold()], cell.strip())
    try:
        return Amount(date.fromisoformat(cell).toordinal(), "date")
    except ValueError:
        found = _AMOUNT.match(cell)
    if clock := _CLOCK.match(cell):
        hour, half = int(clock["hour"]), (clock["half"] or "").casefold()
        hour = hour if half in ("", "uhr") else hour % 12 + 12 * (half[0] != "a")
        return Amount(hour + int(clock["minute"] or 0) / 60, "clock")
    if not found:
        return None
    unit = (found["unit"] or "").casefold()
    currency = CURRENCIES.get((found["before"] or "").casefold()) or CURRENCIES.get(unit)
    dimension, factor = (currency, 1) if currency else _DIMENSIONS.get(unit, (unit if unit == "%" else "", 1))
    return Amount(_number(found["number"]) * factor, dimension)


def limits(text: str) -> Iterable[tuple[Limit, int, int]]:
    """Return the limits in a text, each with where its words begin and end."""
    for match in words.LIMIT.finditer(text):
        if amount := amount_of(text[match.end() :]):
            yield Limit(amount, _COMPARISONS[match.lastgroup]), *match.span()


def amounts(message: str) -> list[tuple[Amount, str]]:
    """Return the amounts in a message, each with its words: a number and its unit, or what is counted."""
    found = ((amount_of(one[0].replace("-", " ")), one[0]) for one in _SAID_AMOUNT.finditer(message))
    return [(amount, said) for amount, said in found if amount]


def closeness(name: str, amount: Amount) -> float:
    """Return 1 if a row's name is the amount, less the wider its range around it is, else 0.

    "Child 3 to 15" is about a seven year old.
    """
    if amount_of(name) == amount:
        return 1.0
    name = _OR_MORE.sub(r"at least \1", _OF_A_GROUP.sub(" ", name))
    found = [limit for limit, *_ in limits(name)]
    if (between := _RANGE.search(name)) and (most := amount_of(between["most"])):
        least = replace(most, number=most.number * float(between[1]) / float(between[3]))
        found += [Limit(least, operator.ge), Limit(most, operator.le)]
    if amount.dimension == "time" and amount.number >= _YEAR and any(not one.amount.dimension for one in found):
        amount = Amount(amount.number / _YEAR, "")  # an age
    is_within = all(one.amount.dimension == amount.dimension and one.allows(amount.number) for one in found)
    bounds = sorted((0.0, *(one.amount.number for one in found)))
    return 1 / (1 + bounds[-1] - bounds[-2]) if found and is_within else 0.0


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
            elif row:
                row[column] += f"; {part}"
            else:
                row[""] = part  # named by the cell above the rows' names, which is often empty
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
            places.setdefault(one.passage.section, one.passage)
    return [_whole(passage, index) for passage in list(places.values())[:most]]


def _whole(passage: IndexedPassage, index: Index) -> Table:
    """Find the table's other passages by the names of its columns, which each of its rows has."""
    first = rows_of(passage.text)
    named = {term: 1.0 for column in first[0] for term in terms(column, passage.language)}
    hits = [found.passage for found in index.search(named, _MOST_PASSAGES)]
    parts = {part.id: part for part in (*hits, passage) if part.section == passage.section and rows_of(part.text)}
    passages = [parts[number] for number in sorted(parts)]
    rows = [row for part in passages for row in rows_of(part.text)]
    columns = dict.fromkeys(column for row in sorted(rows, key=len, reverse=True) for column in row)
    table = Table(passages[0], tuple(columns), tuple(rows), is_whole=len(passages) < _MOST_PASSAGES)
    transposed = table.transposed
    return transposed if transposed and _alike(transposed) > _alike(table) + _CLEARLY else table


def _alike(table: Table) -> float:
    """Return how alike in kind the cells of a column are: prices, other numbers, or words."""
    shares = []
    for column in table.columns[1:]:
        cells = [table.amount(row, column) for row in table.rows if not words.is_false(row.get(column, ""))]
        kinds = Counter(amount and amount.dimension for amount in cells)
        shares += [max(kinds.values()) / len(cells)] if cells else []
    return sum(shares) / max(1, len(shares))

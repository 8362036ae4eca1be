"""Answers from tables: finds the rows that are asked for, and computes over them."""

from __future__ import annotations

import operator
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from docbot.answering.candidates import Candidate
from docbot.answering.quoting import escaped
from docbot.answering.tables import words as table_words
from docbot.answering.tables.rows import Amount, Limit, Table, amounts, closeness, limits, rows_of, tables
from docbot.retrieval import questions
from docbot.retrieval.analysis import words
from docbot.retrieval.index import Index
from docbot.retrieval.questions import Question, Word

_MOST_TABLES = 4
_MOST_ROWS = 7  # a week's
_MOST_COLUMNS = 6
_MOST_IN_A_SENTENCE = 4  # values of a row
_NEARLY = 0.6  # of the best row's score
_MOST_MISSING = 0.6  # of the words
_MOST_COUNTED = 4  # words of a cell by which rows are counted
_SAYS_NO = 0.1  # the weight of "closed", relative to another word of the message
_OF_A_ROW = ("clock", "people")  # what "last" and "for 50 people" compare, in tables that have it
_MOST_ALIKE, _AS_ALIKE = 3, 0.075  # rows; how much less alike than the first
_CONTEXT = 0.3  # the weight of a word of the conversation, relative to one of the message


@dataclass(frozen=True)
class _Asked:
    """What a message asks of a table, and the words that say so."""

    amounts: list[tuple[Amount, str]]
    words: frozenset[str]
    extreme: tuple[str, bool] | None = None  # the dimension, and whether the largest is wanted
    limit: Limit | None = None
    dimension: str = ""
    counts: bool = False
    chooses: bool = False
    negates: bool = False
    stock: bool = False
    compares: bool = False

    @property
    def computes(self) -> bool:
        return self.extreme is not None or self.limit is not None or self.counts

    def of(self, cell: str) -> str:
        """Return the amounts that are a cell's or in its range, in the message's words: 7 nights are "1 week"."""
        return " ".join(said for amount, said in self.amounts if amount.dimension and closeness(cell, amount))


def answer_from_tables(
    question: Question,
    earlier: Sequence[str],
    cited: Container[tuple[int, str]],
    best: Sequence[Candidate],
    index: Index,
    language: str,
) -> TableAnswer | None:
    """Return the answer of the table that fits, or holds the best passage, if it has words of the question in its rows.

    `cited`: the sections that the last reply cited; their table is meant sooner than another one. `language`: the
    visitor's, whose words the rows of the best passage needn't have.
    """
    whole = tables([candidate.found for candidate in best], index, _MOST_TABLES)
    last = questions.read(index, earlier[-1], question.language, earlier[:-1]) if earlier else None
    before = {one.passage.section: TableAnswer(one, last) for one in whole if last and one.passage.section in cited}
    made = [TableAnswer(one, question, before.get(one.passage.section)) for one in whole]
    shown = [candidate.found.passage.section for candidate in best[:1] if candidate.is_table]
    made = [one for one in made if one.fits or one.passage.section in shown]
    rows = max(made, key=lambda one: (one.fits, one.passage.section in cited, one.merit), default=None)
    if rows and rows.passage.section in shown and len(rows.chosen) > 1 and not rows.fits:
        rows.choose_alike(_rows_alike(best[0], language))
    return rows


def _rows_alike(candidate: Candidate, language: str) -> list[dict[str, str]]:
    """Return the rows closest in meaning to a message in another language; none if hardly any is closer than others."""
    passage, likeness = candidate.found.passage, candidate.found.likeness
    if passage.language == language or not likeness:
        return []
    least = max(likeness.values()) - _AS_ALIKE
    rows = [row for place, row in enumerate(rows_of(passage.text)) if likeness.get(place, 0.0) > least]
    return rows if len(rows) <= _MOST_ALIKE else []


def _read(message: str, table: Table | None = None) -> _Asked:
    """Read a message; only if the table has times of day, "last" is one, and only if it has seats, "for 50 people"."""
    spans = []
    extreme = limit = None
    said_amounts = amounts(message)
    for dimension, largest, pattern in table_words.EXTREMES:
        if (match := pattern.search(message)) and (
            dimension != "clock" or (table and table.columns_of("clock", table.rows))
        ):
            extreme = dimension, largest
            spans.append(match[0])
            break
    for limit, start, end in limits(message):  # the last one counts
        spans.append(" ".join([message[start:end], *message[end:].split()[: 2 if limit.amount.dimension else 1]]))
    for amount, its_words in said_amounts:
        if amount.dimension == "people" and table and table.columns_of("people", table.rows):
            limit = Limit(amount, operator.ge)
            spans.append(its_words)
        elif table and limit is None and not amount.dimension and table.has_others_than(amount, its_words):
            limit = Limit(amount, operator.ge)
            spans.append(its_words.split()[0])
    patterns = (table_words.COUNT, table_words.WHICH, table_words.NOT, table_words.STOCK, table_words.COMPARE)
    said = [pattern.search(message) for pattern in patterns]
    dimension = next((name for name, words in table_words.ASKED.items() if words.search(message)), "")
    if dimension:
        spans += [match[0] for match in table_words.ASKED[dimension].finditer(message)]
    spans += [match[0] for match in said if match]
    if limit and extreme and not extreme[0]:
        extreme = None
    of_table = frozenset(word for span in spans for word in words(span))
    return _Asked(said_amounts, of_table, extreme, limit, dimension, *map(bool, said))


class TableAnswer:
    """The rows and columns of one table that a question asks for.

    `fits`: the table has every word of the message; `is_vague`: it has hardly any, and several rows may be meant;
    `is_computed`: rows were compared, counted or chosen.
    """

    def __init__(self, table: Table, question: Question, before: TableAnswer | None = None) -> None:
        self.table, self.question, self.before = table, question, before
        self.passage = table.passage
        self.asked = _read(question.message, table)
        self.said = [word for word in question.words if word.text not in self.asked.words]
        self.heads = {column: table.terms_of(column) for column in table.columns}
        self.in_heads = [word for word in self.said if any(_has(head, word) for head in self.heads.values())]
        self.names = [word for word in self.in_heads if _has(self.heads[table.label], word)]
        features = [column for column in table.columns if table.is_feature(column)]
        self.features = [word for word in self.in_heads if any(_has(self.heads[one], word) for one in features)]
        numbers = [column for column in table.columns if self.asked.counts and table.is_number(column)]
        self.numbers = [word for word in self.in_heads if any(_has(self.heads[one], word) for one in numbers)]
        if self.numbers:
            self.asked = replace(self.asked, counts=False)  # "how many places are left?"
        self._choose_rows()
        compares = self._choose_named()
        self._choose_columns()
        matching = len(self.chosen)
        self.is_computed = self._compute()
        asks = self.is_computed or self.columns or compares or self.follows_up
        is_done = self.is_computed or not self.asked.computes
        self.fits = bool(not self.missing and self.is_about_rows and asks and is_done)
        is_chosen = self.is_computed or question.context or len(self.chosen) == 1
        lacks_column = bool(self.asked.extreme) and not self.columns and not self.is_computed  # "cheapest" of no prices
        misses_most = len(self.missing) > _MOST_MISSING * len(self.said)
        self.is_vague = lacks_column or (not is_chosen and misses_most)
        value = self.top + sum(map(_value, self.in_heads))
        share = self._share_of_name()
        is_likelier = (matching, share) if self.asked.computes else (share, -matching)
        told = [amount for amount, _ in self.asked.amounts if amount.dimension]
        cells = [cell for row in self.chosen for cell in row.values()]
        closest = max((closeness(cell, amount) for cell in cells for amount in told), default=0.0)
        self.merit = (self.is_computed, closest, value, *is_likelier)

    def _choose_rows(self) -> None:
        """Choose the rows that have most of the words, and note which words they have and which the table lacks."""
        table, asked, cells = self.table, self.asked, self._cells()
        compared = asked.limit.amount.dimension if asked.limit else asked.extreme and asked.extreme[0]
        # "the cheapest boat" is one of all boats, "which rooms" are all rooms, and "at least three lanes" names no row.
        of_all = self.in_heads if compared is not None else [*self.names, *self.features, *self.numbers]
        of_rows = [word for word in self.said if word not in of_all]
        no = table.terms_of(*(cell for row in table.rows for cell in row.values() if table_words.is_false(cell)))
        scores = [sum(_value(word, no) for word in of_rows if _has(its, word)) for its in cells]
        self.in_rows = frozenset().union(*cells)
        self.matched = [word for word in of_rows if _has(self.in_rows, word)]
        is_said = self.matched or self.names
        context = [word for word in self.question.context if not _has(self.heads[table.label], word)]
        if not (is_said and (asked.computes or asked.chooses)):  # "the cheapest canoe" isn't the kayak
            for place, its in enumerate(cells):
                scores[place] += _CONTEXT * sum(_value(word, no) for word in context if _has(its, word))
        here = table.terms_of(table.passage.title, table.passage.heading)
        apart = (word for word in self.said if " " not in word.text)  # "one bedroom", where documents make it one word
        self.missing = [word for word in apart if word not in self.matched + self.in_heads and not _has(here, word)]
        if self.missing:
            self.asked = replace(asked, counts=False)
        self.top = max(scores, default=0.0)
        least = self.top * (_NEARLY if self.missing else 1)  # "back tooth": both "front tooth" and "molar"
        self.chosen = [row for row, score in zip(table.rows, scores, strict=True) if score >= least]
        self.follows_up = self._follows_up()
        if self.before and self.follows_up:
            self.chosen = min(self.before.chosen, self.chosen, key=len)

    def choose_alike(self, rows: Sequence[dict[str, str]]) -> None:
        """Choose those of these rows that were chosen by words, or all of them."""
        if rows:
            self.chosen = [row for row in rows if row in self.chosen] or list(rows)
            self.is_vague, self.is_computed = False, True

    def _follows_up(self) -> bool:
        """Return whether the message means the rows of the last reply: "when is it?", "who teaches it?"."""
        chooses = self.asked.chooses and self.features
        names_others = self.matched or self.missing or self.names or self.asked.computes or chooses
        return self.before is not None and len(self.before.chosen) < len(self.table.rows) and not names_others

    def _share_of_name(self) -> float:
        """Return how much of a chosen row's name is said: a "croissant" is no "Croissants and puff pastry"."""
        said = frozenset(self.question.sequence)
        names = [self.table.terms_of(row.get(self.table.label, "")) for row in self.chosen]
        return max((len(name & said) / len(name) for name in names if name), default=0.0)

    def _choose_columns(self) -> None:
        """Choose the columns that the message names or asks for; if it does neither, those of the one before."""
        asked = self.asked
        self.columns = self._named([word for word in self.in_heads if word not in self.matched])
        is_about_all = bool(self.said and not self.missing and asked.dimension)  # "what does a membership cost?"
        self.is_about_rows = bool(self.matched or self.names or self.follows_up or is_about_all)
        if self.before and not (self.columns or asked.dimension or asked.stock or asked.computes):  # "and for a child?"
            context = self.before.question.words
            self.columns = self._named([word for word in context if not _has(self.in_rows, word)])
            self._add_asked_columns(self.before.asked)
        self._add_asked_columns(asked)

    def _cells(self) -> list[frozenset[str]]:
        """Return the terms of each row. The words of an amount are only in rows that have it.

        Rows are not counted by a word of a sentence in them.
        """
        made = []
        most = _MOST_COUNTED if self.asked.counts else inf
        told = [self.table.terms_of(*map(self.asked.of, row.values())) for row in self.table.rows]
        people = (said for amount, said in self.asked.amounts if amount.dimension == "people")  # 15, and no age
        of_amounts = self.table.terms_of(*people).union(*told)
        for row, its in zip(self.table.rows, told, strict=True):
            cells = [cell for cell in row.values() if len(words(cell)) <= most]
            made.append(self.table.terms_of(*cells) - of_amounts | its)
        return made

    def _choose_named(self) -> bool:
        """Choose the rows that the message names, if it compares them, and return whether it does."""
        names = [(row, self.table.terms_of(row.get(self.table.label, ""))) for row in self.table.rows]
        named = [row for row, name in names if any(_has(name, word) for word in self.matched)]
        compares = self.asked.compares and len(named) > 1
        self.chosen = named if compares else self.chosen
        return compares

    def _named(self, said: Sequence[Word]) -> list[str]:
        """Return the columns that these words name, but for the rows' names; "peak" is not "off-peak"."""
        heads, said_terms = self.heads, self.question.sequence
        sequence = {*said_terms, *(first + second for first, second in pairwise(said_terms))}
        named = {column: [word for word in said if _has(head, word)] for column, head in heads.items()}
        most = max(1, *map(len, named.values()))
        columns = [column for column in heads if len(named[column]) == most and column != self.table.label]
        sizes = [(named[one], len(heads[one] - sequence)) for one in columns]
        least = [min(size for its, size in sizes if its == words) for words, _ in sizes]
        return [one for one, (_, size), fewest in zip(columns, sizes, least, strict=True) if size == fewest]

    def _add_asked_columns(self, asked: _Asked) -> None:
        if asked.dimension and not self.asked.computes and (column := self._column_of(asked.dimension)):
            alike = [column] if column in self.columns else self._columns_like(column)
            self.columns = list(dict.fromkeys([*alike, *self.columns]))
        if asked.stock or (asked.counts and len(self.chosen) == 1):  # "how many kayaks have you got?"
            named = [one for one in self.table.columns if table_words.STOCK.search(one)]
            self.columns = list(dict.fromkeys([*self.columns, *named]))

    def _compute(self) -> bool:
        """Reduce the rows to those that a comparison, a limit or a choice leaves; return whether it did, or counted."""
        asked, before = self.asked, len(self.chosen)
        if not self.table.is_whole:
            return False
        if before > 1 and (asked.stock or self.features or ((asked.chooses or asked.counts) and not asked.limit)):
            self._keep_true()
        if asked.limit and not self._keep_within(asked.limit):
            return False
        if asked.extreme:
            return self._keep_extreme(*asked.extreme)
        return asked.limit is not None or asked.counts or len(self.chosen) < before

    def _keep_within(self, limit: Limit) -> bool:
        wanted = limit.amount
        column = self._column_of("money" if wanted.is_money else wanted.dimension)
        column = column or (None if wanted.dimension else self._column_of("money"))
        told = self.table.amounts(column, self.chosen)
        if not told or not told[0][1].is_comparable(wanted):
            return False
        kept = [row for row, amount in told if limit.allows(amount.number)]
        self._show(column, told[0][1].dimension)
        self.chosen = kept or self.chosen
        return bool(kept)

    def _keep_extreme(self, dimension: str, largest: bool) -> bool:
        column = self._column_of(dimension) or (self._column_of("people") if dimension == "length" else None)
        told = self.table.amounts(column, self.chosen)
        if not told:
            return False
        wanted = (max if largest else min)(amount.number for _, amount in told)
        self._show(column, told[0][1].dimension)
        self.chosen = [row for row, amount in told if amount.number == wanted]
        return True

    def _column_of(self, dimension: str) -> str | None:
        """Return the column of this dimension; if there are several, the one that the message names."""
        table, rows = self.table, self.chosen
        named = [one for one in self.columns if table.amounts(one, rows)]
        fitting = table.columns_of(dimension, rows) if dimension else named
        found = next((one for one in [*named, *fitting] if one in fitting), None)
        return found or (self._column_of("length") if dimension == "time" else None)  # "how long" is either

    def _columns_like(self, column: str) -> list[str]:
        """Return the columns of the same dimension as this one: all prices, also if what is meant is free."""
        dimension = self.table.amounts(column, self.chosen)[0][1].dimension
        return [one for rows in (self.chosen, self.table.rows) for one in self.table.columns_of(dimension, rows)]

    def _keep_true(self) -> None:
        """Keep the rows that have what a column says: those that are open on Sunday, in stock, with parking."""
        for column in self.columns:
            values = {row.get(column, "") for row in self.table.rows}
            said = any(_has(self.table.terms_of(value), word) for value in values for word in self.matched)
            if len(set(map(table_words.is_false, values))) == 2 and not said:
                wanted = self.asked.negates
                kept = [row for row in self.chosen if table_words.is_false(row.get(column, "")) == wanted]
                self.chosen = kept or self.chosen

    def _show(self, column: str, dimension: str) -> None:
        """Show the column that was compared first; of the last train, or of the rooms for 50 people, all columns."""
        others = [one for one in self.columns if one != column]
        self.columns = [] if dimension in _OF_A_ROW else [column, *others]

    @property
    def text(self) -> str:
        """A single row in words, several as a Markdown table, with their number if that is asked."""
        label = self.table.label
        counted = self.asked.counts or len(self.chosen) > _MOST_ROWS
        columns = self.columns or ([label] if counted else self.table.columns)
        names = self.table.names(self.chosen, columns)
        shown = [*names[1:], *(one for one in columns if one not in names)]
        if len(self.chosen) == 1 and shown:
            return _row(label, sorted(shown, key=self.table.columns.index), self.chosen[0])
        if len(shown) >= _MOST_COLUMNS > len(self.chosen) and len(names) == 1:
            return _side_by_side(label, shown, self.chosen)
        shown = sorted(shown[: _MOST_COLUMNS - 1], key=self.table.columns.index)
        table = as_markdown([label, *shown], self.chosen[:_MOST_ROWS])
        return f"**{len(self.chosen)}**\n\n{table}" if counted else table


def _row(label: str, columns: Sequence[str], row: dict[str, str]) -> str:
    """Return a row as a sentence if it is short, else as a list."""
    name = escaped(row.get(label, ""))
    filled = [column for column in columns if row.get(column)]
    values = [f"{escaped(column)}: {escaped(row.get(column) or '–')}" for column in filled or columns]
    if len(values) <= _MOST_IN_A_SENTENCE:
        return f"{name} – {', '.join(values)}"
    return "\n".join([f"**{name}**\n", *(f"- {value}" for value in values)])


def _side_by_side(label: str, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> str:
    """Return a table with a column for each row, for a few rows of which a lot is told."""
    names = [row.get(label, "") for row in rows]
    cells = [
        {label: column} | {name: row.get(column, "") for name, row in zip(names, rows, strict=True)}
        for column in columns
    ]
    return as_markdown([label, *names], cells)


def as_table(text: str) -> str:
    """Return a few rows of a passage as a Markdown table; "" for any other text."""
    rows = rows_of(text)
    columns = list(dict.fromkeys(column for row in rows for column in row))[:_MOST_COLUMNS]
    return as_markdown(columns, rows) if 1 <= len(rows) <= _MOST_ROWS else ""


def as_markdown(columns: Sequence[str], rows: Sequence[dict[str, str]]) -> str:
    cells = ([row.get(column, "") for column in columns] for row in rows)
    return "\n".join([_line(columns), "|" + "---|" * len(columns), *map(_line, cells)])


def _value(word: Word, no: frozenset[str] = frozenset()) -> float:
    """Return what a word counts: hardly anything if `no`, the cells that say no, have it, nothing if a relative."""
    share = 1 if not _has(no, word) else 0 if no.isdisjoint(word.terms) else _SAYS_NO
    return word.weight * word.rarity * share


def _has(found: frozenset[str], word: Word) -> bool:
    return not found.isdisjoint(word.terms) or not found.isdisjoint(word.relatives)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(escaped(cell) for cell in cells) + " |"

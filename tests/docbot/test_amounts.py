"""Amounts in the cells of tables, and text that is no table."""

import pytest

from docbot.answering.tables.rows import Amount, amount_of, closeness, rows_of

AMOUNTS = {
    "£1,299.50": (1299.5, "£"),
    "1.299,50 €": (1299.5, "€"),
    "7,90 Euro": (7.9, "€"),
    "1,500": (1500, ""),
    "0.125 kg": (125, "weight"),
    "3 to 5 working days": (3 * 86_400, "time"),
    "70%": (70, "%"),
    "2 h": (7200, "time"),
    "one day": (86_400, "time"),
    "9.30 am": (9.5, "clock"),
    "12 noon": (12, "clock"),
    "4 p.m.": (16, "clock"),
    "21:15": (21.25, "clock"),
    "18 Uhr": (18, "clock"),
    "20 people": (20, "people"),
    "25 Nutzer": (25, "people"),
    "12 meses": (12 * 2_629_800, "time"),
}


def test_amounts_are_understood():
    assert {cell: amount_of(cell) for cell in AMOUNTS} == {cell: Amount(*amount) for cell, amount in AMOUNTS.items()}


def test_a_cell_without_an_amount_has_none():
    cells = ["11:00-16:00", "unlimited", "", "next day", "noon"]
    assert [amount_of(cell) for cell in cells] == [None] * len(cells)


def test_the_narrowest_range_around_an_age_is_the_closest():
    names = ("4 years", "3 to 5", "Under 5", "Young friend (under 18)", "5 to 15", "Adult")
    close = [closeness(name, amount_of("4 years")) for name in names]
    assert close == sorted(close, reverse=True)
    assert close[3] > close[4] == close[5] == 0


@pytest.mark.parametrize(
    "text", ["Note: we are closed.", "One sentence; and another one.", "E1: A wheel is stuck.\nE2: No bin."]
)
def test_prose_is_not_a_table(text):
    assert rows_of(text) == []

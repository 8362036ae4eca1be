"""Long and deeply nested Markdown is rendered in time, and no word of it is lost."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from tests.webchat.rendered import HIDDEN, check, parse, words_of
from webchat.rendering import follow_ups
from webchat.rendering.bot_text import MAX_BYTES, bounded, markdown, without_invisible


def fill(piece: str) -> str:
    """Fill half of the longest reply, which shows as well as a whole one what takes the square of its length."""
    return piece * (MAX_BYTES // 2 // len(piece.encode()))


MUCH = {
    **{repr(piece): fill(piece) for piece in ("> ", "*", "`", "[", "|a", "*a **b ", "![a](")},
    "links": fill("<http://a.b>"),
    "an e-mail address without an end": fill("me@" + "b." * 30_000),
    "a table of too many cells": "|a" * 1000 + "\n" + "|-" * 1000 + "\n" + "|\n" * 30000,
    "a long definition many times": "[a]: http://a.b/" + "x" * 30000 + "\n\n" + "[a] " * 8000,
    "deeper and deeper quotations": "".join("> " * depth + "a\n" for depth in range(1, 250)),
    "tasks": fill("- [x] a\n"),
    "unclosed footnotes": fill("[^"),
    "a list continued again and again": "1. a\n\n" + "".join(f"a\n{number}. x\n\n" for number in range(2, 5000)),
    "lists deeper and deeper": "".join("   " * (depth % 15) + "1. a\n" for depth in range(2500)),
    "runs of backticks": "".join("`" * length + "a" for length in range(1, 350)),
}  # fmt: skip


@pytest.mark.parametrize("text", MUCH.values(), ids=MUCH)
def test_large_hostile_text_is_rendered_in_time_and_stays_small(text):
    began = time.process_time()
    shown = str(markdown(text))
    assert time.process_time() - began < 2
    assert len(shown) < 16 * MAX_BYTES
    check(html.fragment_fromstring(shown, create_parent="div"))


def test_an_endless_list_of_questions_is_put_aside_in_time():
    endless = "Do you mean:\n\n" + "- [a](#ask)\n" * 80_000
    began = time.process_time()
    assert follow_ups.split(endless).text == endless
    assert time.process_time() - began < 1


def test_deeply_nested_text_is_complete():
    """markdown-it leaves out what is nested deeper than 20 blocks."""
    levels = range(40)
    nested = "".join("  " * level + f"- level{level}\n" for level in levels)
    quoted = "> " * 40 + "deep\n\nafter"
    assert [f"level{level}" in words_of(parse(nested)) for level in levels] == [True] * 40
    assert "deep" in words_of(parse(quoted))
    assert "after" in words_of(parse(quoted))


@pytest.mark.parametrize("character", ["a", "é", "中", "😀"])
def test_a_reply_is_cut_between_characters(character):
    cut = bounded(character * (MAX_BYTES + 1))
    assert len(cut.encode()) <= MAX_BYTES
    assert cut.endswith("…")
    assert set(cut) == {character, "…"}


def test_a_reply_that_is_too_long_is_shown_up_to_the_limit(visitor, upstream):
    upstream.will_reply("word " * 100_000)
    reply = visitor.send("Hello").turns[0].reply
    assert reply.endswith("…")
    assert len(reply.encode()) <= MAX_BYTES


often = settings(deadline=None, max_examples=30)

pieces = st.sampled_from(
    [*"*_`[]()<>!#-+>|~\\&;:/\"' \n\t\0", "**", "```\n", "    ", "](", "<a", "&#x202e;", "\u202e", "http://a.b", "1. "]
)

marked_up = st.lists(pieces | st.text(max_size=3), max_size=40).map("".join)


@often
@given(marked_up)
def test_any_text_becomes_only_allowed_markup(text):
    check(parse(text))


@often
@given(st.lists(st.lists(st.sampled_from(["> ", "- ", "1. ", "# ", "  ", "    ", "* ", "**"]), max_size=30)))
def test_no_word_is_lost_whatever_precedes_it(lines):
    text = "\n".join("".join(marks) + f"word{number}" for number, marks in enumerate(lines))
    shown = parse(text).text_content()
    assert [number for number in range(len(lines)) if f"word{number}" not in shown] == []


@often
@given(st.text())
def test_invisible_characters_are_removed_and_all_else_is_kept(text):
    clean = without_invisible(text)
    assert HIDDEN.isdisjoint(clean)
    assert without_invisible(clean) == clean
    assert [each for each in text if each.isalnum()] == [each for each in clean if each.isalnum()]

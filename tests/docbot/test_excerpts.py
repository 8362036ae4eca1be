"""What a reply quotes of a passage: the answer first, at most 80 words, no loose ends."""

from pathlib import Path

import pytest

from docbot.answering.answers import answer
from docbot.retrieval.index import IndexedPassage, build, open_index

FILLER = "People who come here for the first time like the old mill and its wheel of oak very much. "


def quoted(folder: Path, text: str, question: str) -> str:
    build(folder, [IndexedPassage(1, 1, "The mill", "", text, language="en")])
    return answer(open_index(folder), question).text.rpartition("\n\nSource")[0]


def test_the_sentence_that_answers_stands_first(tmp_path):
    text = f"{FILLER}A ticket for the mill costs four pounds. Children pay two pounds. {FILLER}"
    assert quoted(tmp_path, text, "What does a ticket for the mill cost?").startswith("A ticket for the mill costs")


def test_a_short_section_is_quoted_whole(tmp_path):
    text = "Collecting is free. The bell rings when your flour is ready. Bring the paper with its number."
    said = quoted(tmp_path, text, "When is my flour ready?")
    assert said == "The bell rings when your flour is ready. Bring the paper with its number.\n\nCollecting is free."


def test_a_reply_is_short(tmp_path):
    text = f"{FILLER * 3}A ticket for the mill costs four pounds. {FILLER * 6}"
    assert len(quoted(tmp_path, text, "What does a ticket for the mill cost?").split()) <= 80


def test_a_sentence_that_points_back_comes_after_the_one_that_it_points_at(tmp_path):
    text = f"{FILLER}The millers live next door. They considered a bakery at the mill. {FILLER}"
    said = quoted(tmp_path, text, "Was a bakery considered at the mill?")
    assert said.startswith("The millers live next door. They considered a bakery")


def test_german_sie_is_also_you(tmp_path):
    text = "Die Mühle ist alt. Sie können Karten an der Mühle kaufen."
    build(tmp_path, [IndexedPassage(1, 1, "Mühle", "", text, language="de")])
    assert answer(open_index(tmp_path), "Wo kann ich Karten kaufen?").text.startswith("Sie können Karten")


def test_a_heading_within_the_text_is_not_the_answer(tmp_path):
    text = f"{FILLER}\n\nPrices of a ticket\n\nEverybody pays four pounds. {FILLER}"
    assert quoted(tmp_path, text, "prices of a ticket").startswith("Everybody pays four pounds.")


def test_steps_are_quoted_from_the_first_to_the_last_and_may_be_longer(tmp_path):
    steps = "\n".join(f"{number}. Turn the wheel to place {number}, then wait for the bell." for number in range(1, 8))
    said = quoted(tmp_path, f"To start the mill:\n\n{steps}", "How do I start the mill wheel?")
    assert said.startswith("To start the mill:\n\n1. Turn")
    assert "7. Turn" in said


def test_a_short_list_is_quoted_as_a_whole(tmp_path):
    said = quoted(tmp_path, "The mill sells:\n\n- bread\n- flour\n- honey\n\n" + FILLER, "Does the mill sell flour?")
    assert said.startswith("The mill sells:\n\n- bread\n- flour\n- honey")


def test_of_a_list_of_definitions_the_one_asked_for_comes_first(tmp_path):
    said = quoted(
        tmp_path, "- Stone: it grinds.\n- Sluice: it lets water in.\n- Hopper: it feeds.", "What is a sluice?"
    )
    assert said.startswith("- Sluice: it lets water in.")


@pytest.mark.parametrize("rest", ["", f" {FILLER * 5}"])
def test_no_reply_ends_with_a_colon(tmp_path, rest):
    text = f"The mill opens at nine. On Sundays this is different:\n\n{rest or FILLER}"
    assert not quoted(tmp_path, text, "When does the mill open?").endswith(":")

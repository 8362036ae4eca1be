"""What a reply quotes from a passage: the answer first or soon, at most 60 words, no incomplete sentences."""

from pathlib import Path

import pytest

from docbot.answering.answers import answer
from tests.docbot.conftest import index_of

FILLER = "People who come here for the first time like the old mill and its great wheel of dark oak very much. "


def quote(folder: Path, text: str, question: str) -> str:
    return answer(index_of(folder, ("The mill", "", text)), question).text.rpartition("\n\nSource")[0]


STEPS = "\n".join(f"{number}. Turn the wheel to place {number}, then wait for the bell." for number in range(1, 8))
TICKET = "What does a ticket for the mill cost?"
# The passage, the question, and how the reply begins.
QUOTED = {
    "the sentence that answers": (
        f"{FILLER}A ticket for the mill costs four pounds. Children pay two pounds. {FILLER}",
        TICKET,
        "A ticket for the mill costs",
    ),
    "a short section as it stands": (
        "Collecting is free. The bell rings when your flour is ready. Bring the paper with its number.",
        "When is my flour ready?",
        "Collecting is free. The bell rings when your flour is ready. Bring the paper with its number.",
    ),
    "the yes before an answer that comes soon": (
        "Yes, on Sundays from May to September. A ticket for the mill costs four pounds.",
        TICKET,
        "Yes, on Sundays from May to September. A ticket for the mill costs",
    ),
    "first the sentence that another one points back at": (
        f"{FILLER}The millers live next door. They considered a bakery at the mill. {FILLER}",
        "Was a bakery considered at the mill?",
        "The millers live next door. They considered a bakery",
    ),
    "first the sentence that explains what it comes after": (
        f"Children climb the mill for nothing. After that a ticket for the mill costs four pounds. {FILLER * 4}",
        TICKET,
        "Children climb the mill for nothing. After that a ticket",
    ),
    "not what stands before something that there is": (
        f"{FILLER}The millers live next door. There is no bakery at the mill. {FILLER}",
        "Is there a bakery at the mill?",
        "There is no bakery at the mill.",
    ),
    "a short answer before the sentence that explains it": (
        "No, sorry. A ticket for the mill costs four pounds, for children, too.",
        "What does a ticket for the mill cost children?",
        "No, sorry. A ticket for the mill",
    ),
    "the sentence with a name to a question who it was": (
        f"The miller built the mill by hand and ground flour. {FILLER}In 1802 Silas Brook built the mill for a duke.",
        "who built the mill?",
        "In 1802 Silas Brook built the mill",
    ),
    "a sentence after one that ends with a unit": (
        f"{FILLER}The mill opens from 10 h to 20 h. A ticket for the mill costs four pounds.",
        TICKET,
        "A ticket for the mill costs",
    ),
    "not a question within the text": (
        f"{FILLER}What does a ticket for the mill cost? Everybody pays four pounds. {FILLER}",
        TICKET,
        "Everybody pays four pounds.",
    ),
    "not a heading within the text": (
        f"{FILLER}\n\nPrices of a ticket\n\nEverybody pays four pounds. {FILLER}",
        "prices of a ticket",
        "Everybody pays four pounds.",
    ),
    "all steps, though they are long": (
        f"To start the mill:\n\n{STEPS}",
        "How do I start the mill wheel?",
        f"To start the mill:\n\n{STEPS}",
    ),
    "a short list as a whole": (
        f"The mill sells:\n\n- bread\n- flour\n- honey\n\n{FILLER}",
        "Does the mill sell flour?",
        "The mill sells:\n\n- bread\n- flour\n- honey",
    ),
    "what stands below a list in a short section": (
        "- bread\n- flour\n- honey\n\nFlour is sold by the sack only.",
        "Does the mill sell bread and flour?",
        "- bread\n- flour\n- honey\n\nFlour is sold by the sack only.",
    ),
}


@pytest.mark.parametrize(("text", "question", "begins"), QUOTED.values(), ids=QUOTED)
def test_the_quotation_begins_with_the_answer(tmp_path, text, question, begins):
    assert quote(tmp_path, text, question).startswith(begins)


def test_the_answer_is_followed_by_the_best_matching_sentences_but_not_by_a_no_to_something_else(tmp_path):
    text = f"{FILLER * 3}A ticket for the mill costs four pounds. {FILLER * 6}"
    assert len(quote(tmp_path / "short", text, TICKET).split()) <= 60
    answer, other = "A ticket for the mill costs four pounds.", "Children pay for a ticket, too."
    text = f"No. Guides show the mill. {FILLER * 5}{answer} {FILLER * 3}{other}"
    begins = f"{answer} … {other}\n\nGuides show the mill."
    assert quote(tmp_path, text, TICKET).startswith(begins)


RULES = "- Bring a towel to the mill.\n- No dogs on the wheel, but guide dogs.\n- Photographs are welcome."


def test_of_a_list_of_rules_the_one_that_answers_is_quoted(tmp_path):
    assert quote(tmp_path, RULES, "Are dogs allowed on the wheel?") == "- No dogs on the wheel, but guide dogs."


def test_another_paragraph_is_quoted_only_if_it_is_about_the_question_too(tmp_path):
    price = "A ticket for the mill costs four pounds. Pay at the door."
    children = "Children pay two pounds for a ticket for the mill."
    assert quote(tmp_path, f"{price}\n\n{children}\n\n{FILLER}", TICKET) == f"{price}\n\n{children}"


ABOVE = [
    (
        "Do you grind for visitors?",
        "Yes, on Sundays.",
        "Do you sell bread to visitors?",
        "**Do you grind for visitors?**",
    ),
    ("Do you grind for visitors?", "Yes, on Sundays.", "do you grind for visitors", "Yes, on Sundays."),
    ("The millers", "They live next door.", "Where are the children of the millers?", "**The millers**\n\nThey live"),
    ("What can't you grind?", "Maize and chestnuts.", "Can you grind maize?", "**What can't you grind?**\n\nMaize"),
    ("What can't you grind?", "Maize and chestnuts.", "What don't you grind?", "Maize and chestnuts."),
]


@pytest.mark.parametrize(("heading", "text", "question", "begins"), ABOVE)
def test_the_heading_stands_above_what_answers_it_but_not_the_message(tmp_path, heading, text, question, begins):
    mill = index_of(tmp_path, ("The mill", heading, text), ("The inn", "", FILLER))
    assert answer(mill, question, sure=0.0).text.startswith(begins)


@pytest.mark.parametrize("sentence", ["Sie können Karten an der Mühle kaufen.", "Die Karten kann man am Tor kaufen."])
def test_the_german_sie_and_die_point_back_at_nothing(tmp_path, sentence):
    mill = index_of(tmp_path, ("Mühle", "", f"{'Das Haus ist alt. ' * 6}{sentence}"), language="de")
    assert answer(mill, "Wo kann ich Karten kaufen?").text.startswith(sentence)


def test_no_reply_ends_with_a_colon(tmp_path):
    text = f"The mill opens at nine. On Sundays this is different:\n\n{FILLER}"
    assert not quote(tmp_path, text, "When does the mill open?").endswith(":")


def test_a_table_that_a_sentence_announces_is_quoted_with_it(tmp_path):
    rows = "Loaf: Rye; Price: £4; Days: Monday\nLoaf: Spelt; Price: £5; Days: Friday"
    mill = index_of(tmp_path, ("The mill", "Bread", "Bread that we bake at the mill:"), ("The mill", "Bread", rows))
    said = answer(mill, "Do you bake bread at the mill?", sure=0.0).text
    assert said.startswith("Bread that we bake at the mill:\n\n| Loaf | Price | Days |")

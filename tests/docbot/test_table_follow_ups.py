"""Follow-ups about a table: which row, which column and which table they mean."""

import pytest

from docbot.answering.answers import PastExchange, answer
from tests.docbot.asking import ask
from tests.docbot.conftest import index_of
from tests.docbot.test_tables import FILES, PRICES


def test_a_follow_up_refers_to_the_same_row(tmp_path):
    said = ask(tmp_path, FILES["boats.csv"], "boats.csv", "What does the Gull cost per day?", "and how heavy is it?")
    assert said.text.startswith("Gull – Weight: 95 kg")
    said = ask(tmp_path, FILES["boats.csv"], "boats.csv", "What does the Gull cost per day?", "and the Tern?")
    assert said.text.startswith("Tern – Price per day: £990")


LESSONS = "Course;Price;Length;Dates\nTaster;£25;90 minutes;every Saturday\nClinic;£35;2 hours;12 March\n"
POTTERY = "Course;Teacher;Price;Places left\nThrowing;Ms Okafor;£80;0\nGlazing;Mr Lind;£95;4\nRaku;Dr Marsh;£120;2\n"
AFTER_THE_CHEAPEST = {
    "and when is it?": (LESSONS, "Taster – ", "every Saturday"),
    "when?": (LESSONS, "Taster – ", "every Saturday"),
    "how long does it take?": (LESSONS, "Taster – ", "90 minutes"),
    "who does it?": (POTTERY, "Throwing – ", "Ms Okafor"),
    "who teaches it?": (POTTERY, "Throwing – ", "Ms Okafor"),
    "how many places are left?": (POTTERY, "Throwing – ", "Places left: 0"),
}


@pytest.mark.parametrize("message", AFTER_THE_CHEAPEST)
def test_it_is_the_row_that_the_last_reply_computed(tmp_path, message):
    table, begins, told = AFTER_THE_CHEAPEST[message]
    said = ask(tmp_path, table.encode(), "courses.csv", "what is the cheapest course?", message)
    assert said.text.startswith(begins)
    assert told in said.text


def test_a_follow_up_that_compares_has_all_rows_again(tmp_path):
    said = ask(tmp_path, PRICES, "prices.csv", "What does the e-bike cost?", "And the cheapest bike for a full day?")
    assert said.text.startswith("Child bike Pipoca")


def test_within_how_many_days_counts_no_rows(tmp_path):
    page = "# Shop\n\n## Refunds\n\nThe money is back within ten days.\n\n## Hours\n\n"
    week = "| Days | From |\n|---|---|\n| Monday | 10 am |\n| Tuesday | 11 am |\n"
    said = ask(tmp_path, (page + week).encode(), "shop.md", "Can I get a refund?", "Within how many days?").text
    assert said.startswith("The money is back within ten days.")


def test_a_follow_up_is_about_the_table_that_was_cited(tmp_path):
    prices = "Curso: Inglés intensivo; Precio: 160 €; Horas a la semana: 10\n"
    prices += "Curso: Inglés general; Precio: 75 €; Horas a la semana: 3\n"
    prices += "Curso: Francés; Precio: 70 €; Horas a la semana: 3"
    dates = "Curso: Inglés general; Días: lunes; Hora: 18:00\nCurso: Inglés general; Días: viernes; Hora: 19:30\n"
    dates += "Curso: Francés; Días: martes; Hora: 18:00"
    school = index_of(tmp_path, ("Precios", "", prices), ("Calendario", "", dates), language="es")
    first = answer(school, "¿Cuánto vale el inglés intensivo?")
    again = answer(school, "y cuántas horas son?", [PastExchange("¿Cuánto vale el inglés intensivo?", first.sources)])
    assert again.text.startswith("Inglés intensivo – Horas a la semana: 10\n")


FARES = """Ticket;Single;Return
Adult;£4.80;£8.50
Child 5 to 15;£2.40;£4.20
"""


def test_a_follow_up_without_a_column_uses_that_of_the_message_before(tmp_path):
    messages = ("How much is an adult return?", "and for a 6 year old?")
    assert ask(tmp_path, FARES.encode(), "fares.csv", *messages).text.startswith("Child 5 to 15 – Return: £4.20\n")


def test_a_follow_up_is_answered_from_the_table_that_was_cited(tmp_path):
    boats = "Boat: Tern; Material: plastic; Length: 4.8 m\nBoat: Tern Carbon; Material: carbon; Length: 5.1 m"
    kit = "Article: Carbon paddle; Price: £219; Stock: 4\nArticle: Dry bag; Price: £18; Stock: 40"
    index, first = index_of(tmp_path, ("Boats", "", boats), ("Kit", "", kit)), "How long is the Tern?"
    history = [PastExchange(first, answer(index, first, sure=0.0).sources)]
    assert "5.1 m" in answer(index, "And the carbon one?", history, sure=0.0).text

"""The opening hours: whatever words visitors ask for them in, the reply is the hours."""

import pytest

from docbot.answering.answers import answer
from docbot.answering.opening_hours import asked
from docbot.retrieval import index
from docbot.retrieval.index import Index, IndexedPassage
from tests.docbot.conftest import index_of

WEEK = "Day: Monday; Hours: closed\nDay: Tuesday to Friday; Hours: 11 am to 6 pm\nDay: Saturday; Hours: 10 am to 6 pm"
SHOP = (
    (
        "The shop",
        "Giving us records",
        "Bring records in opening hours. We are open to gifts, but closed for classical music.",
    ),
    ("The shop", "When we are here", WEEK),
    ("The shop", "When we are here", "We are away on 25 and 26 December."),
    ("The shop", "Concerts", "On the first Friday a band plays at 8.30 pm. The doors open at 8 pm."),
)
BAKERY = (
    ("Bäckerei", "Öffnungszeiten", "Montag bis Freitag: 6 bis 18 Uhr. Samstag: 6 bis 13 Uhr."),
    ("Bäckerei", "Bestellung", "Bestellungen nehmen wir bis 15 Uhr an."),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of(tmp_path_factory.mktemp("shop"), *SHOP)


@pytest.mark.parametrize(
    "message",
    ["When are you open?", "opening hours", "what time do u close", "are you open today", "r u open on boxing day?"],
)
def test_the_reply_is_the_whole_section_with_the_hours(shop, message):
    said = answer(shop, message).text
    assert said.startswith("| Day | Hours |\n|---|---|\n| Monday | closed |")
    assert "We are away on 25 and 26 December." in said


def test_for_a_day_it_is_the_days_row(shop):
    assert answer(shop, "are you open on Saturday").text.startswith("Saturday – Hours: 10 am to 6 pm\n")


def test_a_taught_answer_comes_before_the_hours_in_the_documents(tmp_path):
    documents = [IndexedPassage(number, 1, *each, language="en") for number, each in enumerate(SHOP, start=1)]
    taught = IndexedPassage(9, 2, "When are you open?", "", "We open again in May.", taught_on="2026-11-26")
    index.build(tmp_path, [*documents, taught])
    assert answer(index.open_index(tmp_path), "When are you open?").text.startswith("We open again in May.")


@pytest.mark.parametrize("message", ["wann macht ihr zu?", "bis wann habt ihr auf", "Habt ihr samstags offen?"])
def test_hours_in_sentences_are_the_reply_in_german(tmp_path, message):
    assert answer(index_of(tmp_path, *BAKERY, language="de"), message).text.startswith(
        "Montag bis Freitag: 6 bis 18 Uhr"
    )


HOURS = {
    "es": "¿A qué hora cierran los domingos?",
    "fr": "vous êtes ouverts quand ?",
    "it": "a che ora chiudete",
    "nl": "tot hoe laat zijn jullie open",
    "pl": "do której otwarte",
    "pt": "a que horas fecham",
    "ru": "до скольки вы работаете",
    "tr": "kaçta kapanıyorsunuz",
    "ar": "متى تفتحون",
    "hi": "कब खुलते हैं",
    "ja": "何時まで開いてますか",
    "zh": "几点关门",
    "ko": "몇 시에 닫아요?",
}


@pytest.mark.parametrize(("language", "message"), HOURS.items(), ids=HOURS)
def test_the_question_is_recognised_in_each_language(language, message):
    assert asked(message, language)


@pytest.mark.parametrize(
    "message", ["how close are you", "can I open the widget", "when does the café open", "closing a file"]
)
def test_another_question_with_such_words_is_not_about_the_hours(message):
    assert not asked(message, "en")

"""Questions that a reply suggests, replies when nothing fits, and links to the source."""

import pytest

from docbot.answering.answers import PastExchange, answer
from docbot.answering.certainty import calibration
from docbot.answering.quoting import label, name
from docbot.retrieval.index import Index
from tests.docbot.conftest import index_of
from webchat.rendering.follow_ups import split

HOTEL = (
    ("When is breakfast?", "Breakfast is served from seven to ten in the garden room."),
    ("DOOR_CODE", "A setting of the door's: how many digits its code has."),
    ("Can I park my car?", "The garage costs twelve euros a night for a car."),
    ("What we think about the long history of our house", "The house was built by a miller."),
    ("Can I bring a dog?", "Dogs sleep free of charge. They have a blanket of their own."),
)


@pytest.fixture(scope="module")
def hotel(tmp_path_factory: pytest.TempPathFactory) -> Index:
    passages = (("Hotel", *each) for each in HOTEL)
    return index_of(tmp_path_factory.mktemp("hotel"), *passages, url="https://hotel.example/")


def test_an_answer_suggests_neighbouring_questions_but_no_names_from_programs(hotel):
    reply = split(answer(hotel, "When is breakfast?").text)
    assert reply.text.startswith("Breakfast is served")
    assert reply.questions == ["Can I park my car?", "Can I bring a dog?"]


def test_a_question_already_asked_is_not_suggested_again(hotel):
    first = answer(hotel, "Can I bring a dog?")
    reply = answer(hotel, "When is breakfast?", [PastExchange("Can I bring a dog?", first.sources)])
    assert split(reply.text).questions == ["Can I park my car?"]


def test_a_reply_that_knows_no_answer_suggests_what_is_known(hotel):
    reply = answer(hotel, "Who painted the Mona Lisa?")
    assert reply.certainty == "unknown"
    assert split(reply.text).questions == ["Hotel"]  # where not even a word is found
    closest = answer(hotel, "Who built the town hall over there?", sure=9.0)
    assert closest.certainty == "unknown"
    assert split(closest.text).questions[0] == "What we think about the long history of our house"


def test_in_a_small_bot_an_unrelated_message_does_not_get_the_last_reply_again(tmp_path):
    shop = index_of(
        tmp_path, ("Our shop", "Opening hours", "We open at nine."), ("Our shop", "Returns", "Send it back.")
    )
    calibration.calibrate(tmp_path, "these", "words")
    first = answer(shop, "When do you open?")
    assert first.text.startswith("We open at nine")
    reply = answer(shop, "What is the capital of Peru?", [PastExchange("When do you open?", first.sources)])
    assert reply.certainty == "unsure"


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Who painted the Mona Lisa?", "Sorry, I couldn’t find an answer to that. Try asking in other words.\n\nI can"),
        (
            "Wer hat die Mona Lisa gemalt?",
            "Dazu habe ich leider keine Antwort gefunden. Fragen Sie gern noch einmal mit anderen Worten.\n",
        ),
        ("谁画了蒙娜丽莎", "抱歉，我没有找到答案。您可以换个说法再试试。\n"),
    ],
)
def test_a_reply_that_knows_no_answer_is_in_the_visitors_language_and_promises_nobody(hotel, message, begins):
    assert answer(hotel, message).text.startswith(begins)


def test_the_source_links_to_the_quoted_sentence(hotel):
    assert "https://hotel.example/#:~:text=Breakfast%20is%20served" in answer(hotel, "When is breakfast?").text
    assert "%2D" in name("T", "", "https://a.example/b", "A well-known thing.")
    assert name("T", "", "https://a.example/#b", "A thing.") == "[T](<https://a.example/#b:~:text=A%20thing.>)"
    code = "Install `shop`:\n\n```sh\npip install shop\n```\n\nThen start it."
    assert name("T", "", "", "Then start it.", code) == '[T](#source "Install shop: pip install shop Then start it.")'


def test_long_headings_are_shortened_between_words():
    assert label("", "word " * 40) == ("word " * 18).strip()
    assert label("Title", "Above › Below") == "Below"
    assert label("Title", "Above › Below", is_alone=False) == "Title: Below"

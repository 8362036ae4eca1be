"""Questions that a reply suggests, replies when nothing fits, and links to the source."""

import pytest

from docbot.answering.answers import answer
from docbot.answering.certainty import calibration
from docbot.answering.quoting import label, name
from docbot.retrieval.index import Index
from tests.docbot.asking import converse
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


def test_an_answer_suggests_neighbouring_questions_but_no_names_from_programs_and_none_twice(hotel):
    reply = split(answer(hotel, "When is breakfast?").text)
    assert reply.text.startswith("Breakfast is served")
    assert reply.questions == ["Can I park my car?", "Can I bring a dog?"]
    assert split(converse(hotel, "Can I bring a dog?", "When is breakfast?").text).questions == ["Can I park my car?"]


def test_a_reply_that_knows_no_answer_suggests_what_is_known(hotel):
    reply = answer(hotel, "Who painted the Mona Lisa?")
    assert reply.certainty == "unknown"
    assert split(reply.text).questions == ["Hotel"]  # where not even a word is found
    closest = answer(hotel, "Who built the town hall over there?", sure=9.0)
    assert closest.certainty == "unknown"
    assert split(closest.text).questions[0] == "What we think about the long history of our house"


def test_in_a_small_bot_an_unrelated_message_does_not_get_the_last_reply_again(tmp_path):
    hours, returns = ("Our shop", "Opening hours", "We open at nine."), ("Our shop", "Returns", "Send it back.")
    shop = index_of(tmp_path, hours, returns)
    calibration.calibrate(tmp_path, "these", "words")
    assert converse(shop, "When do you open?").text.startswith("We open at nine")
    assert converse(shop, "When do you open?", "What is the capital of Peru?").certainty == "unsure"


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Who painted the Mona Lisa?", "Sorry, I couldn’t find an answer to that. Try asking in other words.\n\nI can"),
        ("谁画了蒙娜丽莎", "抱歉，我没有找到答案。您可以换个说法再试试。\n"),
    ],
)
def test_a_reply_that_knows_no_answer_is_in_the_visitors_language_and_promises_nobody(hotel, message, begins):
    assert answer(hotel, message).text.startswith(begins)


def test_the_source_links_to_the_quoted_sentence(hotel):
    assert "https://hotel.example/#:~:text=Breakfast%20is%20served" in answer(hotel, "When is breakfast?").text
    assert "%2D" in name("T", "", "https://a.example/b", "A well-known thing.")
    assert name("T", "", "https://a.example/#b", "A thing.") == "[T](<https://a.example/#b:~:text=A%20thing.>)"
    assert label("", "word " * 40) == ("word " * 18).strip()  # long headings are shortened between words
    code = "Install `shop`:\n\n```sh\npip install shop\n```\n\nThen start it."
    assert name("T", "", "", "Then start it.", code) == '[T](#source "Install shop: pip install shop Then start it.")'

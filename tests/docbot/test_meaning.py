"""Search by meaning, for questions in other words than the documents': encoder, vectors and replies."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from docbot.answering.answers import answer
from docbot.answering.certainty import calibration
from docbot.reading import read
from docbot.retrieval import index, questions
from docbot.retrieval.index import IndexedPassage, open_index
from docbot.retrieval.meaning import english, vectors
from docbot.training.passages import cut
from tests.bench.shop_documents import SHOP, write_documents
from tests.docbot.asking import converse
from webchat.rendering import follow_ups

SERVICE = (
    ("Accounts", "Registration", "Enter your e-mail address and choose a password. You get a link to confirm it."),
    ("Accounts", "Deletion", "Your data is erased within thirty days after you have closed the account."),
    ("Rooms", "Internet", "Wireless internet is free in all rooms. The password is on the card of your key."),
    ("Rooms", "Breakfast", "Breakfast is served from seven to ten in the garden room."),
    ("Arriving", "Cars", "You can leave your vehicle in our garage for twelve euros a night."),
)
PETS = (
    ("Dog walks", "What to bring", "A lead, water and a towel are enough for a walk of an hour."),
    ("Dog walks", "When it rains", "Walks take place in any weather, but for thunderstorms."),
    ("Cat sitting", "What to prepare", "Leave the key, two days of food and the number of your vet."),
    ("Cat sitting", "How often we come", "Twice a day, in the morning and in the evening."),
    ("Grooming", "How long it takes", "Washing and cutting takes two hours; nails take ten minutes."),
    ("Grooming", "What it costs", "A small pet costs £30, a large one £55."),
)
HOTELS = {
    "Grand Hotel": ("three", "free"),
    "Marina": ("two", "five euros a day"),
    "Old Mill Inn": ("four", "not offered"),
}


def build(folder: Path, passages: Sequence[tuple[str, ...]], *, limits: Sequence[str] = ("english",)) -> index.Index:
    """Build an index with vectors and, as training does, the limits of the encoder, of words, or both."""
    titles = list(dict.fromkeys(title for title, *_ in passages))
    found = [
        IndexedPassage(number, titles.index(title), title, heading, text, language="en", taught_on="".join(taught_on))
        for number, (title, heading, text, *taught_on) in enumerate(passages, start=1)
    ]
    index.build(folder, found)
    vectors.build(folder, found, english)
    for by in limits:
        calibration.calibrate(folder, "these", by)
    return open_index(folder)


def sections(business: str, *names: str) -> list[tuple[str, str, str]]:
    """Return title, heading and text of what training makes of a business's documents."""
    made = [read((SHOP / business / name).read_bytes(), name) for name in names]
    return [(document.title, passage.heading, passage.text) for document in made for passage in cut(document)]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> index.Index:
    return build(tmp_path_factory.mktemp("service"), SERVICE, limits=("words", "english"))


@pytest.fixture(scope="module")
def hotels(tmp_path_factory: pytest.TempPathFactory) -> index.Index:
    facts = [
        (name, heading, text)
        for name, (hour, parking) in HOTELS.items()
        for heading, text in (
            ("When is check-in?", f"Check-in is from {hour} o'clock."),
            ("What does parking cost?", f"Parking is {parking}."),
            ("Are dogs allowed?", "Dogs are welcome in all rooms."),
        )
    ]
    return build(tmp_path_factory.mktemp("hotels"), facts)


# --- The encoder ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello world", [101, 7592, 2088, 102]),
        ("Hello, World!", [101, 7592, 1010, 2088, 999, 102]),
        ("Café", [101, 7668, 102]),
        ("embeddings", [101, 7861, 8270, 4667, 2015, 102]),
        ("東京", [101, 1879, 1755, 102]),
        ("", [101, 102]),
        ("\x00", [101, 100, 102]),
        ("x" * 101, [101, 100, 102]),
        ("hello " * 500, [101, *[7592] * 126, 102]),
    ],
)
def test_a_text_is_split_into_the_models_tokens(text, tokens):
    assert english.tokens(text) == tokens


def test_sentences_with_the_same_meaning_have_similar_vectors_also_among_longer_ones():
    one, same, other = english.encode(["How do I sign up?", "Registration of a new account", "The weather in Peru"])
    assert one @ same > 0.4
    assert abs(one @ other) < 0.15
    assert np.allclose(np.linalg.norm([one, same, other], axis=1), 1)
    long = "A much longer sentence that stands in the same batch as the others do."
    assert np.allclose(one, english.encode([long, "How do I sign up?"])[1], atol=1e-5)


# --- The vectors ------------------------------------------------------------------------------------------------------


def passage(number: int, text: str, language: str = "en") -> IndexedPassage:
    return IndexedPassage(number, number, "Title", "", text, language=language)


def test_only_new_texts_are_encoded(tmp_path, monkeypatch):
    assert vectors.build(tmp_path, [passage(1, "One."), passage(2, "Two. And three.")], english)
    before = vectors.open_vectors(tmp_path, english)
    encoded: list[str] = []
    encode = english.encode
    monkeypatch.setattr(english, "encode", lambda texts: encoded.extend(texts) or encode(texts))
    assert not vectors.build(tmp_path, [passage(2, "Two. And three."), passage(1, "One.")], english)
    assert vectors.build(tmp_path, [passage(2, "Two. And three."), passage(3, "Four.")], english)
    assert encoded == ["Title", "Four."]
    now = vectors.open_vectors(tmp_path, english)
    assert (before.passages, now.passages) == ({1, 2}, {2, 3})
    assert now.places(now.rows(2)) == [-1, 0, 1]
    assert np.array_equal(now.vectors(now.rows(2)), before.vectors(before.rows(2)))
    assert now.places(now.rows(1)) == []


def test_passages_in_other_languages_have_no_vectors(tmp_path):
    assert vectors.open_vectors(tmp_path / "none", english) is None
    vectors.build(tmp_path, [passage(1, "Wir öffnen um neun.", "de"), passage(2, "We open at nine.")], english)
    assert vectors.open_vectors(tmp_path, english).passages == {2}
    vectors.build(tmp_path, [], english)
    assert not vectors.open_vectors(tmp_path, english)


# --- Replies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "told"), [("How do I sign up?", "choose a password"), ("Is there wifi?", "Wireless internet is free")]
)
def test_a_question_in_other_words_is_answered(service, question, told):
    assert told in converse(service, question).text
    assert told not in answer(service, question, by_meaning=False).text


@pytest.mark.parametrize("message", ["what is the capital of peru", "play some music", "how old are cats"])
def test_a_question_unrelated_to_the_documents_is_refused(service, message):
    assert converse(service, message).certainty != "sure"
    assert converse(service, "How do I sign up?", message).certainty != "sure"


def test_a_follow_up_is_read_together_with_the_two_messages_before_it(tmp_path):
    pets = build(tmp_path, PETS)
    about_a_cat = ("Can somebody look after our cat?", "That's great")
    assert "the key" in converse(pets, *about_a_cat, "What should I get ready?").text
    about_a_dog = ("Can you take my dog out?", "Even in a storm?")
    assert "A lead" in converse(pets, *about_a_dog, "And what do I need to give you?").text
    assert converse(pets, *about_a_cat, "how old is the queen").certainty != "sure"


def test_a_question_about_something_else_is_answered_as_if_it_had_been_asked_first(service):
    said = converse(service, "How much is the garage?", "Where can I park my car?", "When can we eat in the morning?")
    assert "seven to ten" in said.text


@pytest.mark.parametrize(
    ("conversation", "told"),
    [
        (["Tell me about the Marina", "When is check-in?"], "two"),
        (["Tell me about the Marina", "and the old mill inn?", "what time can we check in"], "four"),
        (["When is check-in at the Grand Hotel?", "And at the Marina?"], "two"),
        (["What does parking cost at the marina?"], "five euros"),
    ],
)
def test_a_follow_up_refers_to_the_document_named_last(hotels, conversation, told):
    reply = converse(hotels, *conversation)
    assert told in reply.text
    assert {source.title for source in reply.sources} <= {"Marina", "Old Mill Inn"}


def test_when_no_document_was_named_docbot_asks_which_one_is_meant(hotels, service):
    assert (service.description.repeats, hotels.description.repeats) == (False, True)  # one kind of thing, or not
    reply = converse(hotels, "When is check-in?")
    assert reply.text.splitlines()[0] == "Which one do you mean?"
    asked = follow_ups.split(reply.text).questions
    assert set(asked) == {f"When is check-in ({name})?" for name in HOTELS}
    assert reply.certainty == "unsure"
    chosen = next(question for question in asked if "Marina" in question)
    assert "two" in converse(hotels, "When is check-in?", chosen).text


# --- Training ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> index.Index:
    """Return the service's index with a taught answer, a table and short sections about boats."""
    trial = "Yes. Every new boat can be paddled for an hour. Bring a towel and shoes that may get wet on the water."
    rows = (
        "Boat for hire: Single kayak; Half day: £28; Full day: £42\nBoat for hire: Canoe; Half day: £48; Full day: £75"
    )
    clubs = "Scouts hire a boat at half price from Tuesday to Thursday. Students get nothing off."
    added = (
        ("When is lunch served?", "", "Lunch is from noon.", "2026-11-24"),
        ("FAQ", "Can I try a boat before I buy it?", trial),
        ("FAQ", "Is there a discount for clubs?", clubs),
        ("Hire prices", "", rows),
    )
    return build(tmp_path_factory.mktemp("boats"), [*SERVICE, *added])


def test_a_taught_answer_is_given_only_if_its_question_is_clearly_closer_than_another_heading(boats):
    assert answer(boats, "When is lunch served?").text.startswith("Lunch is from noon.")
    assert answer(boats, "What time is breakfast?").text.startswith("Breakfast is served")


@pytest.mark.parametrize(
    ("message", "quoted"),
    [
        ("Could I test a boat on the water first?", "**Can I try a boat before I buy it?**\n\nYes. Every new boat"),
        ("What does it cost to hire a boat?", "| Boat for hire"),
        ("What would it cost scouts to hire a boat?", "Scouts hire a boat"),  # more of its words than the table has
    ],
)
def test_the_section_that_answers_is_quoted_from_its_start(message, quoted, boats):
    assert answer(boats, message, sure=0.0).text.startswith(quoted)


def test_a_section_that_is_asked_for_is_quoted_from_its_first_step(tmp_path):
    steps = "1. Install the program.\n2. Enter your passphrase.\n3. Choose the folders."
    text = f"{steps}\n\nRestoring can be interrupted; a new start goes on where it stopped."
    restoring = ("Restoring", "All your data, on a new computer", text)
    reply = answer(build(tmp_path, [restoring, *SERVICE]), "My laptop was stolen, how do I get my data on the new one?")
    assert reply.text.startswith(steps)


def test_a_section_with_nearly_all_words_is_not_contested_by_one_that_lacks_them(tmp_path):
    shop = build(tmp_path, sections("kayaks", "hire prices.csv", "questions.md"), limits=())
    said = answer(shop, "Can I hire a boat in December?", sure=0.0).text
    assert said.startswith("From November to February the hire desk is closed")


def test_rows_that_a_message_chooses_are_shown_though_a_section_is_closer(tmp_path):
    write_documents("waste", tmp_path / "documents")
    made = [read(file.read_bytes(), file.name) for file in (tmp_path / "documents").glob("*centres*")]
    waste = build(tmp_path / "index", [(one.title, part.heading, part.text) for one in made for part in cut(one)])
    assert answer(waste, "Which recycling centres are open on Sundays?").text.startswith("| Centre | Sunday |\n")


def test_a_table_that_shares_no_word_with_the_message_is_no_answer(tmp_path):
    rows = "Bike: Frog 48; Type: children's; Price: £110\nBike: Brompton; Type: folding; Price: £690"
    bikes = build(tmp_path, [("Bikes", "", rows)], limits=())
    assert answer(bikes, "Do you sell skateboards?", sure=0.0).certainty == "unsure"


def test_a_campsite_answers_from_its_guide_and_from_what_it_was_taught(tmp_path):
    """A heading and a sentence that answer together are quoted; what was taught is found by another wording alone."""
    asked = ("Is there a place to dry wet boots and clothes?", "", "Yes, in the boiler room by the barn.", "2026-11-24")
    camp = build(tmp_path, [*sections("campsite", "guide.md"), asked])
    assert answer(camp, "Are campfires allowed?").text.startswith("Fires are only lit in the fire bowls")
    said = answer(camp, "where can we dry our wet clothes")
    assert said.is_taught
    assert said.text.startswith("Yes, in the boiler room")
    for other in ("Can we wash our clothes?", "Can I bring my two spaniels?"):
        assert not answer(camp, other).is_taught


def test_a_word_that_no_document_has_is_read_as_what_documents_call_it_but_a_day_only_if_it_is_one(tmp_path):
    cards = ("Paying", "Cards", "We take Visa, but neither American Express nor cheques, on Saturday and Sunday.")
    hotel = build(tmp_path, (*SERVICE, cards))
    asked = ("Do you take Amex?", "Where does the sun set?")
    read_as = [questions.read(hotel, message, "en").corrected for message in asked]
    assert read_as == ["Do you take american express?", "Where does the sun set?"]
    assert "neither American Express" in answer(hotel, asked[0]).text

"""Questions that a reply offers as buttons: which lists count, and how the page shows them."""

import pytest

from webchat.models import Turn
from webchat.rendering import follow_ups

OFFERS = "We open at nine.\n\n- [Where are you?](#ask)\n- [How do I pay?](#ask)"


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        (OFFERS, ["Where are you?", "How do I pay?"]),
        (f"{OFFERS}\n\n", ["Where are you?", "How do I pay?"]),
        ("Yes.\n\n* [A](#ask)", ["A"]),
        ("Yes.\r\n\r\n- [A](#ask)\r\n- [B](#ask)\r\n", ["A", "B"]),
        (r"Yes." + "\n\n" + r"- [Is 2 \* 3 \[six\]?](#ask)", ["Is 2 * 3 [six]?"]),
        ("Yes.\n\n- [متى تفتحون؟](#ask)", ["متى تفتحون؟"]),
        ("Yes.\n\n- [<b>A</b>](#ask)", ["<b>A</b>"]),
        # A list of something else, or not only of questions.
        ("We open at nine.", []),
        ("See:\n\n- [Where are you?](#where)", []),
        ("See:\n\n- [Where are you?](https://example.com/#ask)", []),
        ("See:\n\n- Where are you?\n- [How do I pay?](#ask)", []),
        ("See:\n\n- [Where are you?](#ask)\n- How do I pay?", []),
        ("See:\n\n- [Where are you?](#ask) or not", []),
        ("See:\n- [Where are you?](#ask)", []),
        ("- [Where are you?](#ask)", []),  # nothing would be left to read
        ("See:\n\n- [](#ask)", []),
        ("See:\n\n- [ ](#ask)", []),
        (f"See:\n\n- [{'a' * 201}](#ask)", []),
        ("See:\n\n" + "- [A](#ask)\n" * 7, []),
        ("- [A](#ask)\n\nAnd that is all.", []),
        ("", []),
    ],
)
def test_only_a_final_list_of_nothing_but_questions_counts(reply, questions):
    parts = follow_ups.split(reply)
    assert parts.questions == questions
    assert ("#ask" in parts.text) == (not questions and "#ask" in reply)


def test_a_question_is_a_button_that_sends_what_it_shows(visitor, upstream):
    upstream.will_reply(OFFERS)
    page = visitor.send("When?")
    buttons = page.all("ul[contains(@class, 'follow-ups')]//button")
    assert [(each.get("value"), each.text_content().strip()) for each in buttons] == [
        ("Where are you?", "Where are you?"),
        ("How do I pay?", "How do I pay?"),
    ]
    assert {(each.get("form"), each.get("name")) for each in buttons} == {("composer", "suggestion")}
    assert "Where are you?" not in page.one("*[@data-reply]").text_content()


def test_a_saved_conversation_lists_the_questions(visitor, upstream):
    upstream.will_reply(OFFERS)
    visitor.send("When?")
    assert Turn.objects.get().reply == OFFERS
    assert follow_ups.in_words(OFFERS) == "We open at nine.\n\n– Where are you?\n– How do I pay?"
    assert follow_ups.in_words("We open at nine.") == "We open at nine."

"""Questions that a reply offers as buttons: which lists count, and how the page shows them."""

import pytest

from tests.webchat.visitor import Page
from webchat.models import Bot, Turn
from webchat.rendering import follow_ups

OFFERS = "We open at nine.\n\n- [Where are you?](#ask)\n- [How do I pay?](#ask)"


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        (OFFERS, ["Where are you?", "How do I pay?"]),
        ("Yes.\r\n\r\n- [A](#ask)\r\n- [B](#ask)\r\n", ["A", "B"]),
        (r"Yes." + "\n\n" + r"- [Is 2 \* 3 \[six\]?](#ask)", ["Is 2 * 3 [six]?"]),
        ("Yes.\n\n- [<b>A</b>](#ask)", ["<b>A</b>"]),
        # A list of something else, or not only of questions.
        ("See:\n\n- Where are you?\n- [How do I pay?](#ask)", []),
        ("See:\n- [Where are you?](#ask)", []),
        ("- [Where are you?](#ask)", []),  # nothing would be left to read
        (f"See:\n\n- [{'a' * 201}](#ask)", []),
        ("See:\n\n" + "- [A](#ask)\n" * 7, []),
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


def offered(page: Page) -> list[list[str]]:
    """Return the questions below each reply."""
    return [
        [each.get("value") for each in under.xpath(".//button")]
        for under in page.all("ul[contains(@class, 'follow-ups')]")
    ]


def test_the_owners_questions_stand_below_the_newest_reply_until_they_have_been_asked(visitor, upstream):
    Bot.objects.update(next_questions="Where?\nWhere?\nWhat does it cost?\n\nHow do I pay?\nWho are you?")
    first, then = (
        ["Where?", "What does it cost?", "How do I pay?"],
        ["What does it cost?", "How do I pay?", "Who are you?"],
    )
    assert offered(visitor.send("When?")) == [first]
    assert offered(visitor.send("", suggestion="Where?")) == [then]
    Turn.objects.filter(message="Where?").update(message="https://shop.example/\n\nWhere?")  # asked first, in a widget
    assert offered(visitor.send_live("And why?")) == [then]
    upstream.will_reply(OFFERS)
    assert offered(visitor.send_live("When?"))[-1] == ["Where are you?", "How do I pay?"]
    upstream.will_refuse("BOT_DISABLED", status=403)
    assert offered(visitor.send_live("When?")) == []
    visitor.open()
    assert offered(visitor.page) == [["Where are you?", "How do I pay?"]]  # of an earlier reply: the page hides them

"""Questions to teach: which are listed, for whom, and in which wording."""

import csv
import io

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.utils import timezone
from lxml import html

from desk.models import TaughtTurn
from desk.teaching import clusters, questions
from desk.teaching.names import only_the_question, without_names
from tests.desk.conftest import words
from tests.desk.test_teaching import ASKED, TEACH, TEACHER, fields, url
from webchat.models import Bot, Conversation, Customer, Detail, Entry, Turn


def test_the_list_contains_questions_without_a_helpful_answer(bot, said, not_known, waiting):
    not_known("Is there a garden?", days_ago=1)
    said("How high is the tower?", feedback=-1)
    unsure = said("What does a wheel weigh?")
    Turn.objects.filter(pk=unsure.pk).update(outcome="not_sure")
    said("When are you open?")
    to_member = said("Do you paint frames?", "")
    Turn.objects.filter(pk=to_member.pk).update(state=Turn.State.PERSON)
    Entry.objects.create(conversation=to_member.conversation, kind="message", after_turn=to_member.pk, text="We do.")
    not_known("Is there a pool?", days_ago=100)
    not_known("Thank you!")
    before = said("Do you lend tents?").conversation  # the question before the request for a person counts
    said("Can I speak to a human?", conversation=before)
    Conversation.objects.get(pk=before.pk).join_queue()
    reasons = {one.text: one.reason for one in questions.to_teach(questions.turns_of(bot))}
    assert reasons == {
        "Is there a garden?": "not_known",
        "How high is the tower?": "thumb_down",
        "What does a wheel weigh?": "not_sure",
        "Is my parcel lost?": "person",
        "Do you paint frames?": "person",
        "Do you lend tents?": "person",
    }


def test_finding_open_questions_reads_no_table_of_turns_from_end_to_end(bot, django_assert_num_queries):
    """The navigation counts them on each page of the desk."""
    if connection.vendor != "sqlite":
        pytest.skip("the plan of SQLite")
    with django_assert_num_queries(1) as asked:
        questions.open_questions(questions.turns_of(bot))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
        steps = [row[-1] for row in cursor.fetchall()]
    turns = [step for step in steps if "webchat_turn " in step or step.endswith("webchat_turn")]
    assert turns
    assert [step for step in turns if step.startswith("SCAN") or "AUTOMATIC" in step] == []


def test_the_newest_open_questions_are_found_whatever_makes_them_open(bot, said, not_known):
    """The navigation counts only the newest ones, so nothing before them is read."""
    asked = said("Do you lend tents?", days_ago=9)
    asked.conversation.join_queue()
    Entry.objects.update(created_at=asked.created_at)
    unknown = [not_known(f"Where is room {days}?", days_ago=days) for days in range(8, 1, -1)]
    said("How high is the tower?", feedback=-1, days_ago=1)
    TaughtTurn.objects.create(turn=unknown[-1])

    def newest(most: int) -> list[str]:
        return [turn.message for turn, _reason in questions.open_questions(questions.turns_of(bot), most=most)]

    every = newest(99)
    assert [every[0], every[1], every[-1]] == ["How high is the tower?", "Where is room 3?", "Do you lend tents?"]
    assert [newest(most) for most in (2, 4)] == [every[:2], every[:4]]


ALIKE = {
    "en": (
        *("How much does parking cost?", "Is there a garden?", "What is the price of parking?"),
        *("can we book the whole café", "Can I rent the café for a birthday?"),
        "Is it possible to hire the café for a party?",
    ),
    "de": ("Darf ich meinen Hund mitbringen?", "Gibt es einen Garten?", "Sind Hunde erlaubt?"),
}


@pytest.mark.parametrize(("language", "sizes"), [("en", [3, 2, 1]), ("de", [2, 1])])
def test_different_wordings_with_the_same_meaning_are_one_cluster(bot, not_known, settings, language, sizes):
    settings.DOCBOT_MEANING = True
    for text in ALIKE[language]:
        not_known(text)
    assert [cluster.size for cluster in clusters.clusters(questions.to_teach(questions.turns_of(bot)))] == sizes


def test_a_bot_of_another_service_has_the_list_but_no_form(staff, not_known, settings):
    settings.CHAT_BASE_URL = "https://elsewhere.example"
    client, asked = staff(*TEACHER), not_known()
    Bot.objects.create(slug="a", name="A")
    assert ASKED not in words(client.get(f"{TEACH}?bot=a"))
    assert ASKED in words(client.get(TEACH)), "the bot of the latest question"
    assert "is trained at its own service" in words(client.get(TEACH))
    page = client.get(url(asked))
    assert not html.fromstring(page.content).xpath("//textarea")
    assert "I don’t know." in words(page)
    assert client.post(url(asked), fields()).status_code == 403


def test_the_list_can_be_exported_as_csv(staff, not_known):
    not_known()
    not_known("=SUM(A1) is there a garden?")
    client = staff(*TEACHER, "webchat.export_conversation")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": timezone.now().timestamp()}]
    session.save()
    response = client.get(f"{TEACH}questions.csv?bot=help")
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert [(row["times"], row["question"], row["reason"]) for row in rows] == [
        ("1", "'=SUM(A1) is there a garden?", "not_known"),
        ("1", ASKED, "not_known"),
    ]
    assert "Exported the open questions." in LogEntry.objects.values_list("change_message", flat=True)


PERSONAL = (
    ("I am Maria Huber, where is my parcel 12345678?", "I am …, where is my parcel …?"),
    ("Write to maria@example.org or call +49 170 1234567", "Write to … or call …"),
    ("my name is Otto, are you open?", "my name is …, are you open?"),
    ("Marianne plates, size 44?", "Marianne plates, size 44?"),
    ("Hello! I'm Tom Baker. Is there wifi?", "Hello! I'm …. Is there wifi?"),
    ("Ich bin Rentner, gibt es Rabatt?", "Ich bin Rentner, gibt es Rabatt?"),
    ("Is there a garden? Thanks, Tom", "Is there a garden?"),
    ("Wie lange dauert es? Viele Grüße, Aileen McLeod", "Wie lange dauert es?"),
    ("Huber-Lind here: does A-77 fit, Maria Lind asks", "…-… here: does … fit, … asks"),
)


def test_personal_details_are_removed_from_a_proposed_question(bot, said):
    customer = Customer.objects.create(bot=bot, subject="1", name="Maria Huber", email="maria@example.org")
    conversation = said().conversation
    conversation.customer = customer
    Detail.objects.create(conversation=conversation, kind=Detail.Kind.NAME, text="Maria Lind")
    Detail.objects.create(conversation=conversation, kind=Detail.Kind.OWN, question="Your size", text="A-77")
    for text, without in PERSONAL:
        assert without_names(text, conversation) == without


def test_introductions_are_removed_from_a_proposed_question():
    for text, question in (
        ("Hi, my name is …, do you have oat milk? …", "do you have oat milk?"),
        ("I am …, where is my parcel …?", "where is my parcel …?"),
        ("Hello! I'm …. Is there wifi?", "Is there wifi?"),
        ("Is there wifi? My mail is …", "Is there wifi?"),
        ("Dear team, do you lend tents?", "do you lend tents?"),
        ("Hello can I bring my dog, please?", "can I bring my dog, please?"),
        ("Write to … or call …", "Write to … or call …"),
        ("Do you sell … plates?", "Do you sell … plates?"),
        ("…", "…"),
    ):
        assert only_the_question(text) == question


def test_equal_questions_are_one_cluster_whose_most_frequent_and_neatest_wording_is_proposed(bot, not_known):
    for message in (
        *("Do you sell gift vouchers?", "do you sell gift vouchers", "Do you also sell gift vouchers??"),
        *("Do you have gluten-free bread?", "Is your bread gluten-free bread", "Is there a garden?"),
    ):
        not_known(message)
    found = clusters.clusters(questions.to_teach(questions.turns_of(bot)))
    assert [cluster.size for cluster in found] == [3, 2, 1]
    assert len(found[0].wordings) == 2
    assert [cluster.wordings[0] for cluster in found[1:]] == ["Do you have gluten-free bread?", "Is there a garden?"]


def test_a_persons_reply_is_proposed_without_its_greeting(staff, colleague, trained, waiting, not_known):
    _, ann = colleague("Ann")
    waiting.claim(ann)
    answer = "Dear Mrs Huber,\n\nthree days. Write to shop@example.com."
    waiting.write_message(ann, "6fa459ea-ee8a-4ca4-894e-db77e160355e", answer)
    asked, unknown = waiting.turns.get(), not_known()
    client = staff(*TEACHER)
    shown = words(client.get(url(unknown)))
    assert "Nothing in its documents came close enough." in shown
    assert "% of the certainty it needs to answer." in shown
    assert ASKED not in words(client.post(f"{url(unknown)}done/", follow=True)), "there is nothing to teach"
    assert TaughtTurn.objects.get().taught_answer is None
    page = client.get(url(asked))
    entry = html.fromstring(page.content).xpath("//button[@name='reply']/@value")[0]
    page = client.post(url(asked), {"reply": entry})
    [text] = html.fromstring(page.content).xpath("//textarea[@name='text']/text()")
    assert text.strip() == "three days. Write to shop@example.com."

"""To teach: which questions are listed, for whom, and what becomes of a taught answer."""

import csv
import datetime
import io

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from lxml import html

from desk.models import TaughtTurn
from desk.teaching import clusters, questions
from desk.teaching.names import only_the_question, without_names
from docbot.endpoint import exchanges, keys
from docbot.models import Chat, Document, Exchange, TaughtAnswer, TrainedBot
from docbot.training import taught as training_of_taught
from docbot.training.training import train
from tests.desk.conftest import words
from webchat.models import Conversation, Detail, Person, Turn

TEACH = "/admin/teach/"
TAUGHT = f"{TEACH}taught/"
TEACHER = ("webchat.answer_conversation", "docbot.change_trainedbot")
ASKED = "Do you sell gift vouchers?"
ANSWER = "Yes: gift vouchers from **ten euros** on, at the counter."


@pytest.fixture(autouse=True)
def own_data_folder(settings, tmp_path) -> None:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "var", tmp_path / "var" / "media"


@pytest.fixture
def trained(bot, settings, tmp_path) -> TrainedBot:
    """The trained bot that answers for the bot."""
    docs = tmp_path / "docs"
    docs.mkdir()
    hours = "## Opening hours\n\nWe are open from nine to six, Monday to Friday.\n\n"
    (docs / "shop.md").write_text(f"# The shop\n\n{hours}## Repairs\n\nA repair of a bicycle takes three days.\n")
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    trained = TrainedBot.objects.create(slug="shop", name="Shop")
    settings.IN_PROCESS_KEY = keys.issue(trained, "here")[1]
    train(trained, [docs])
    return trained


@pytest.fixture
def not_known(said):
    """A question that the bot didn't know: `not_known("Do you …?")`."""

    def turn(message: str = ASKED, **more: object) -> Turn:
        asked = said(message, "I don’t know.", **more)
        Turn.objects.filter(pk=asked.pk).update(outcome="not_known")
        return asked

    return turn


def fields(**more: object) -> dict[str, object]:
    return {"question": ASKED, "paraphrases": "Can I buy a voucher?", "text": ANSWER, "valid_until": ""} | more


def url(page: Turn | str) -> str:
    """Of an open question or, given so, of a taught answer."""
    return page if isinstance(page, str) else f"{TEACH}{page.pk}/"


def tried(client: Client, turn: Turn | str, **more: object) -> object:
    return client.post(url(turn), fields(**more) | {"try": "1"})


def save(client: Client, turn: Turn | str, **more: object) -> object:
    hidden = html.fromstring(tried(client, turn, **more).content).xpath("//form[@id='teach']//input[@type='hidden']")
    return client.post(
        url(turn), {each.name: each.value or "" for each in hidden} | fields(**more) | {"save": "1"}, follow=True
    )


def reply(trained: TrainedBot, message: str) -> str:
    return exchanges.compose_reply(trained, message, []).answer.text


# --- Who may see and teach what ---


def test_who_may_answer_only_reads(colleague, trained, not_known):
    asked = not_known()
    client, _ = colleague("Ann")
    assert ASKED in words(client.get(TEACH))
    assert "you need the permission" in words(client.get(url(asked)))
    assert client.post(url(asked), fields() | {"try": "1"}).status_code == 403
    assert client.post(f"{url(asked)}done/").status_code == 403
    taught = TaughtAnswer.objects.create(trained_bot=trained, question=ASKED, text=ANSWER, author="Bea")
    assert ANSWER.split("*")[0] in words(client.get(f"{TAUGHT}{taught.pk}/"))
    assert client.post(f"{TAUGHT}{taught.pk}/", fields() | {"try": "1"}).status_code == 403
    assert client.post(f"{TAUGHT}{taught.pk}/take-back/").status_code == 403
    assert not TaughtAnswer.objects.get().is_draft


# --- The list ---


def test_the_list_holds_what_was_not_answered_or_did_not_help(bot, said, not_known, waiting):
    not_known("Is there a garden?", days_ago=1)
    said("How high is the tower?", feedback=-1)
    unsure = said("What does a wheel weigh?")
    Turn.objects.filter(pk=unsure.pk).update(outcome="not_sure")
    said("When are you open?")
    not_known("Is there a pool?", days_ago=100)
    not_known("Thank you!")
    reasons = {one.text: one.reason for one in questions.to_teach(bot)}
    assert reasons == {
        "Is there a garden?": "not known",
        "How high is the tower?": "thumb down",
        "What does a wheel weigh?": "not sure",
        "Is my parcel lost?": "went to a person",
    }


def test_the_question_before_the_wish_for_a_person_counts(bot, said):
    asked = said("Do you lend tents?")
    said("Can I speak to a human?", conversation=asked.conversation)
    asked.conversation.refresh_from_db()
    asked.conversation.join_queue()
    assert [one.text for one in questions.to_teach(bot)] == ["Do you lend tents?"]


def test_the_same_question_is_one_cluster_and_the_biggest_stands_first(bot, not_known):
    not_known("Is there a garden?")
    for message in ("Do you sell gift vouchers?", "do you sell gift vouchers", "Do you also sell gift vouchers??"):
        not_known(message)
    found = clusters.clusters(questions.to_teach(bot))
    assert [cluster.size for cluster in found] == [3, 1]
    assert len(found[0].wordings) == 2


def test_other_words_for_the_same_are_one_cluster_by_meaning(bot, not_known, settings):
    settings.DOCBOT_MEANING = True
    not_known("How much does parking cost?")
    not_known("Is there a garden?")
    not_known("What is the price of parking?")
    assert [cluster.size for cluster in clusters.clusters(questions.to_teach(bot))] == [2, 1]


def test_a_question_joins_what_is_alike_all_in_all_though_no_single_wording_is(bot, not_known, settings):
    settings.DOCBOT_MEANING = True
    not_known("can we book the whole café")
    not_known("Can I rent the café for a birthday?")
    not_known("Is it possible to hire the café for a party?")
    assert [cluster.size for cluster in clusters.clusters(questions.to_teach(bot))] == [3]


def test_a_question_shows_what_was_found_and_why_it_was_not_enough(staff, trained, not_known):
    page = words(staff(*TEACHER).get(url(not_known())))
    assert "Nothing in its documents came close enough." in page
    assert "% as sure as it has to be to answer." in page


def test_what_is_not_worth_it_goes_off_the_list(staff, not_known):
    client, asked = staff(*TEACHER), not_known()
    assert ASKED not in words(client.post(f"{url(asked)}done/", follow=True))
    assert client.get(url(asked)).status_code == 404
    assert TaughtTurn.objects.get().taught_answer is None


def test_a_bot_of_another_service_has_the_list_but_no_form(staff, not_known, settings):
    settings.CHAT_BASE_URL = "https://elsewhere.example"
    client, asked = staff(*TEACHER), not_known()
    assert "is trained at its own service" in words(client.get(TEACH))
    page = client.get(url(asked))
    assert not html.fromstring(page.content).xpath("//textarea")
    assert "I don’t know." in words(page)
    assert client.post(url(asked), fields()).status_code == 403


def test_the_list_as_csv(staff, not_known):
    not_known()
    not_known("=SUM(A1) is there a garden?")
    client = staff(*TEACHER, "webchat.export_conversation")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": timezone.now().timestamp()}]
    session.save()
    response = client.get(f"{TEACH}questions.csv?bot=help")
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert [(row["times"], row["question"], row["reason"]) for row in rows] == [
        ("1", "'=SUM(A1) is there a garden?", "not known"),
        ("1", ASKED, "not known"),
    ]
    assert "Exported the questions to teach." in LogEntry.objects.values_list("change_message", flat=True)


# --- Names ---


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("I am Maria Huber, where is my parcel 12345678?", "I am …, where is my parcel …?"),
        ("Write to maria@example.org or call +49 170 1234567", "Write to … or call …"),
        ("my name is Otto, are you open?", "my name is …, are you open?"),
        ("Marianne plates, size 44?", "Marianne plates, size 44?"),
        ("Hello! I'm Tom Baker. Is there wifi?", "Hello! I'm …. Is there wifi?"),
        ("Ich bin Rentner, gibt es Rabatt?", "Ich bin Rentner, gibt es Rabatt?"),
        ("Is there a garden? Thanks, Tom", "Is there a garden?"),
        ("Wie lange dauert es? Viele Grüße, Aileen McLeod", "Wie lange dauert es?"),
        ("Huber-Lind here: does A-77 fit, Maria Lind asks", "…-… here: does … fit, … asks"),
    ],
)
def test_a_question_is_proposed_without_who_asked_it(bot, said, text, without):
    person = Person.objects.create(bot=bot, subject="1", name="Maria Huber", email="maria@example.org")
    conversation = said().conversation
    conversation.person = person
    Detail.objects.create(conversation=conversation, kind=Detail.Kind.NAME, text="Maria Lind")
    Detail.objects.create(conversation=conversation, kind=Detail.Kind.OWN, question="Your size", text="A-77")
    assert without_names(text, conversation) == without


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Hi, my name is …, do you have oat milk? …", "do you have oat milk?"),
        ("I am …, where is my parcel …?", "where is my parcel …?"),
        ("Hello! I'm …. Is there wifi?", "Is there wifi?"),
        ("Is there wifi? My mail is …", "Is there wifi?"),
        ("Dear team, do you lend tents?", "do you lend tents?"),
        ("Hello can I bring my dog, please?", "can I bring my dog, please?"),
        ("Write to … or call …", "Write to … or call …"),
        ("Do you sell … plates?", "Do you sell … plates?"),
        ("…", "…"),
    ],
)
def test_who_introduces_themselves_leaves_only_the_question_to_teach(text, question):
    assert only_the_question(text) == question


def test_of_equally_frequent_wordings_the_one_written_as_a_question_is_proposed(bot, not_known):
    not_known("Do you have gluten-free bread?")
    not_known("is your bread gluten-free bread")
    not_known("Is there a garden?")
    assert [cluster.wordings[0] for cluster in clusters.clusters(questions.to_teach(bot))] == [
        "Do you have gluten-free bread?",
        "Is there a garden?",
    ]


def test_a_persons_reply_is_proposed_without_its_greeting(bot):
    conversation = Conversation.objects.create(bot=bot, visitor="0" * 64)
    text = "Dear Mrs Huber,\n\nwe do. Write to shop@example.com."
    assert without_names(text, conversation, is_reply=True) == "we do. Write to shop@example.com."


def test_the_reply_of_a_person_can_be_approved(staff, colleague, trained, waiting):
    _, ann = colleague("Ann")
    waiting.claim(ann)
    waiting.say(ann, "6fa459ea-ee8a-4ca4-894e-db77e160355e", "Hello Maria, a parcel takes three days.")
    asked = waiting.turns.get()
    client = staff(*TEACHER)
    page = client.get(url(asked))
    entry = html.fromstring(page.content).xpath("//button[@name='reply']/@value")[0]
    page = client.post(url(asked), {"reply": entry})
    assert html.fromstring(page.content).xpath("//textarea[@name='text']/text()")[0].strip() == (
        "a parcel takes three days."
    )


# --- Trying, saving, taking back ---


def test_a_trial_shows_before_and_after_and_stores_nothing(staff, trained, said, not_known):
    said("When are you open?")
    page = tried(staff(*TEACHER), not_known())
    document = html.fromstring(page.content)
    assert "2 of 2 ways to ask this get the new answer." in words(page)
    assert "None of the latest 1 other questions changes." in words(page)
    assert "ten euros" in document.xpath("//*[@data-after]")[0].text_content()
    assert TaughtAnswer.objects.count() == 0
    assert "ten euros" not in reply(trained, ASKED)
    assert list(trained.index_folder.glob("trial-*")) == []


def test_a_trial_names_other_questions_that_would_change(staff, trained, said, not_known):
    said("How long does a repair take?")
    page = tried(staff(*TEACHER), not_known(), paraphrases="How long does a repair take?")
    others = html.fromstring(page.content).xpath("//*[@data-others]")
    assert "How long does a repair take?" in others[0].text_content()


def test_the_very_words_that_were_taught_win_over_every_document(trained):
    question = "How long does a repair of a bicycle take?"
    assert "three days" in reply(trained, question)
    TaughtAnswer.objects.create(trained_bot=trained, question=question, text="A week in spring.", author="Bea")
    train(trained)
    assert reply(trained, question).startswith("A week in spring.")
    assert "nine to six" in reply(trained, "When are you open?")


def test_nothing_is_saved_that_was_not_tried(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    proof = html.fromstring(tried(client, asked).content).xpath("//input[@name='tried']/@value")[0]
    page = client.post(url(asked), fields(text="Another one.") | {"save": "1", "tried": proof})
    assert "What changes" in words(page)
    assert TaughtAnswer.objects.count() == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"text": ""}, "This field is required."),
        ({"text": "x" * 2001}, "This is too long"),
        ({"paraphrases": "a?\n" * 11}, "These are too many"),
        ({"paraphrases": "a" * 301}, "One of them is too long"),
        ({"valid_until": "2020-01-01"}, "This day is over."),
    ],
)
def test_what_cannot_be_taught_is_refused_with_the_text_kept(staff, trained, not_known, given, sentence):
    page = tried(staff(*TEACHER), not_known(), **given)
    assert page.status_code == 422
    assert sentence in words(page)
    assert html.fromstring(page.content).xpath("//input[@name='question']/@value") == [ASKED]


def test_a_taught_answer_answers_its_question_and_its_paraphrases(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    page = save(client, asked)
    assert "Saved." in words(page)
    assert "Nothing to teach" in words(page)
    train(trained)
    day = timezone.localdate().strftime("%-d %B %Y")
    for message in (ASKED, "Can I buy a voucher?", "do you sell a gift voucher"):
        assert reply(trained, message) == f"{ANSWER}\n\n*Answered by the team, {day}*"
    assert "Monday to Friday" in reply(trained, "When are you open?")
    document = trained.documents.get(kind=Document.Kind.TAUGHT)
    assert (document.title, document.taught_answer.author) == (
        ASKED,
        "reader-webchat.answer_conversation-docbot.change_trainedbot",
    )
    assert LogEntry.objects.filter(change_message="Taught an answer.").exists()


def test_an_answer_that_is_taken_back_stays_as_a_draft_and_can_be_taught_again(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    save(client, asked)
    train(trained)
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    page = client.post(f"{answer}take-back/", follow=True)
    assert f"{ASKED} {ANSWER} draft".replace("**", "") in words(page)
    train(trained)
    assert "ten euros" not in reply(trained, ASKED)
    assert not trained.documents.filter(kind=Document.Kind.TAUGHT).exists()
    assert ASKED in words(client.get(TEACH))
    assert "ten euros" in words(client.get(url(asked)))

    assert "Saved." in words(save(client, answer))
    train(trained)
    assert "ten euros" in reply(trained, ASKED)
    assert client.get(url(asked)).status_code == 404
    changes = html.fromstring(client.get(answer).content.decode()).xpath("//*[@data-changes]/li/span/text()")
    assert [change.rstrip("· ") for change in changes] == ["Taught again", "Taken back", "Taught"]


def test_a_draft_can_be_deleted_and_what_is_taught_cannot(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    save(client, asked)
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    assert client.post(f"{answer}delete/").status_code == 404
    client.post(f"{answer}take-back/")
    assert "Deleted." in words(client.post(f"{answer}delete/", follow=True))
    assert not TaughtAnswer.objects.exists()
    assert client.get(url(asked)).status_code == 200


def test_a_taught_answer_is_changed_after_the_same_trial(staff, trained, not_known):
    client = staff(*TEACHER)
    save(client, not_known(), paraphrases="")
    train(trained)
    TaughtAnswer.objects.update(taught_at=timezone.now() - datetime.timedelta(days=9), author="Bea")
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    new = {"text": "No more, sorry.", "paraphrases": "What about presents?"}
    page = html.fromstring(tried(client, answer, **new).content)
    before = page.xpath("//*[h4[starts-with(., 'Before')]]/div")
    after = page.xpath("//*[@data-after]/div")
    assert "ten euros" in before[0].text_content()
    assert [one.text_content().split("\n")[0] for one in after] == ["No more, sorry.", "No more, sorry."]
    assert "ten euros" in reply(trained, ASKED)
    save(client, answer, **new)
    assert "being trained" in words(client.get(TAUGHT))
    train(trained)
    today = timezone.localdate().strftime("%-d %B %Y")
    assert reply(trained, "what about presents") == f"No more, sorry.\n\n*Answered by the team, {today}*"
    assert TaughtAnswer.objects.get().author.startswith("reader")
    assert "being trained" not in words(client.get(TAUGHT))


def test_another_end_leaves_the_day_below_the_answer_as_it_is(staff, trained, not_known):
    client = staff(*TEACHER)
    save(client, not_known())
    day = timezone.now() - datetime.timedelta(days=9)
    TaughtAnswer.objects.update(taught_at=day, author="Bea")
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    save(client, answer, valid_until="2099-01-02")
    taught = TaughtAnswer.objects.get()
    assert (taught.taught_at, taught.author, taught.valid_until.year) == (day, "Bea", 2099)
    assert "Changed" in words(client.get(answer))


def test_what_somebody_else_changed_meanwhile_is_tried_again(staff, trained, not_known):
    client = staff(*TEACHER)
    save(client, not_known())
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    proof = html.fromstring(tried(client, answer, text="Mine.").content).xpath("//input[@name='tried']/@value")[0]
    TaughtAnswer.objects.update(text="Theirs.")
    page = client.post(answer, fields(text="Mine.") | {"save": "1", "tried": proof})
    assert "What changes" in words(page)
    assert TaughtAnswer.objects.get().text == "Theirs."


@pytest.mark.parametrize(("sought", "is_found"), [("VOUCHERS euros", True), ("ärger", True), ("voucher tent", False)])
def test_taught_answers_are_found_by_their_words(staff, trained, sought, is_found):
    answer = {"question": ASKED, "paraphrases": ["Ärger?"], "text": ANSWER, "author": "Bea"}
    TaughtAnswer.objects.create(trained_bot=trained, **answer)
    page = words(staff("webchat.answer_conversation").get(TAUGHT, {"q": sought}))
    assert (ASKED in page) == is_found


def test_docbots_own_list_of_unanswered_questions_knows_what_was_taught(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    chat = Chat.objects.create(trained_bot=trained)
    Exchange.objects.create(chat=chat, message=asked.message, reply="I don’t know.", certainty="unknown")
    Exchange.objects.create(chat=chat, message="Is there a garden?", reply="I don’t know.", certainty="unknown")
    save(client, asked)
    assert [exchange.message for exchange in Exchange.objects.unknown()] == ["Is there a garden?"]
    client.post(f"{TAUGHT}{TaughtAnswer.objects.get().pk}/take-back/")
    assert Exchange.objects.unknown().count() == 2
    client.post(f"{url(asked)}done/")
    assert [exchange.message for exchange in Exchange.objects.unknown()] == ["Is there a garden?"]


def test_a_question_among_the_taught_wordings_goes_off_the_list_wherever_it_was_grouped(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    elsewhere = not_known("What about presents?")
    form = fields(paraphrases="what about presents")
    page = client.post(url(asked), form | {"try": "1"})
    assert html.fromstring(page.content).xpath("count(//ul[@data-others]/li)") == 0
    save(client, asked, paraphrases="what about presents")
    assert client.get(url(elsewhere)).status_code == 404


def test_an_open_question_that_gets_the_new_answer_goes_off_the_list_too(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    elsewhere, another = not_known("What about presents?"), not_known("Is there a garden?")
    save(client, asked, paraphrases="What about presents for children?")
    assert client.get(url(elsewhere)).status_code == 404
    assert client.get(url(another)).status_code == 200


def test_a_trial_says_what_to_do_about_wordings_that_do_not_get_the_answer(staff, trained, not_known):
    client = staff(*TEACHER)
    asked = not_known("Do you sell gift vouchers in the shop?")
    sentence = "If a wording keeps its old reply, add it to “Other ways to ask it” and try again."
    assert sentence not in words(tried(client, asked, question=asked.message))
    assert sentence in words(tried(client, asked, question="How long does a repair of a bell take?", paraphrases=""))


def test_deleting_its_document_takes_an_answer_back_too(trained):
    TaughtAnswer.objects.create(trained_bot=trained, question=ASKED, text=ANSWER, author="Bea")
    train(trained)
    trained.documents.get(kind=Document.Kind.TAUGHT).forget()
    assert TaughtAnswer.objects.get().is_draft
    assert not trained.documents.filter(kind=Document.Kind.TAUGHT).exists()


def test_an_ended_answer_is_left_out_and_the_bot_trained_again(trained, monkeypatch):
    taught = TaughtAnswer.objects.create(trained_bot=trained, question=ASKED, text=ANSWER, author="Bea")
    begun = []
    monkeypatch.setattr("docbot.training.taught.rebuild_index", begun.append)
    training_of_taught.train_outdated()
    assert begun == [trained]
    train(trained)
    training_of_taught.train_outdated()
    assert begun == [trained]
    TaughtAnswer.objects.update(text="From ten euros on.")
    training_of_taught.train_outdated()
    assert begun == [trained, trained]
    train(trained)
    taught.refresh_from_db()
    taught.valid_until = timezone.localdate() - datetime.timedelta(days=1)
    taught.save()
    training_of_taught.train_outdated()
    assert begun == [trained, trained, trained]
    train(trained, only=True)
    assert "ten euros" not in reply(trained, ASKED)


def test_training_on_one_folder_only_keeps_what_was_taught(trained, tmp_path):
    TaughtAnswer.objects.create(trained_bot=trained, question=ASKED, text=ANSWER, author="Bea")
    train(trained, [tmp_path / "docs"], only=True)
    assert "ten euros" in reply(trained, ASKED)


def test_a_bot_that_is_not_trained_yet_says_so(staff, trained, not_known, tmp_path):
    trained.index_folder.rename(tmp_path / "gone")
    page = tried(staff(*TEACHER), not_known())
    assert page.status_code == 409
    assert "train it first" in words(page)


def test_a_trial_that_takes_too_long_says_so_and_can_be_saved(staff, trained, said, not_known, monkeypatch):
    monkeypatch.setattr("desk.teaching.trying.SECONDS", 0)
    said("When are you open?")
    client, asked = staff(*TEACHER), not_known()
    assert "Time ran out: 0 of 1 other questions were asked." in words(tried(client, asked))
    assert "Saved." in words(save(client, asked))

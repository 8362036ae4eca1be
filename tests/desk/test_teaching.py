"""Teaching: who may do it, and how taught answers are used."""

import datetime

from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from lxml import html

from desk.models import TaughtTurn
from docbot.endpoint import exchanges
from docbot.models import Document, TaughtAnswer, TrainedBot
from docbot.training import taught as training_of_taught
from docbot.training.training import train
from tests.desk.conftest import words
from webchat.models import Turn

TEACH = "/admin/teach/"
TAUGHT = f"{TEACH}taught/"
TEACHER = ("webchat.answer_conversation", "docbot.change_trainedbot")
ASKED = "Do you sell gift vouchers?"
ANSWER = "Yes: gift vouchers from **ten euros** on, at the counter."


def fields(**more: object) -> dict[str, object]:
    return {"question": ASKED, "paraphrases": "Can I buy a voucher?", "text": ANSWER, "valid_until": ""} | more


def url(page: Turn | str) -> str:
    """Return the URL of an open question; that of a taught answer is given as it is."""
    return page if isinstance(page, str) else f"{TEACH}{page.pk}/"


def try_out(client: Client, turn: Turn | str, **more: object) -> object:
    return client.post(url(turn), fields(**more) | {"try": "1"})


def save(client: Client, turn: Turn | str, **more: object) -> object:
    hidden = html.fromstring(try_out(client, turn, **more).content).xpath("//form[@id='teach']//input[@type='hidden']")
    return client.post(
        url(turn), {each.name: each.value or "" for each in hidden} | fields(**more) | {"save": "1"}, follow=True
    )


def reply(trained: TrainedBot, message: str) -> str:
    return exchanges.compose_reply(trained, message, []).answer.text


def test_members_who_may_only_answer_can_read(colleague, trained, not_known):
    asked = not_known()
    client, _ = colleague("Ann")
    assert ASKED in words(client.get(TEACH))
    assert "you need permission" in words(client.get(url(asked)))
    assert client.post(url(asked), fields() | {"try": "1"}).status_code == 403
    assert client.post(f"{url(asked)}done/").status_code == 403
    answer = {"question": ASKED, "paraphrases": ["Ärger?"], "text": ANSWER, "author": "Bea"}
    taught = TaughtAnswer.objects.create(trained_bot=trained, **answer)
    assert ANSWER.split("*")[0] in words(client.get(f"{TAUGHT}{taught.pk}/"))
    for sought, is_found in (("VOUCHERS euros", True), ("ärger", True), ("voucher tent", False)):
        assert (ASKED in words(client.get(TAUGHT, {"q": sought}))) == is_found
    assert client.post(f"{TAUGHT}{taught.pk}/", fields() | {"try": "1"}).status_code == 403
    assert client.post(f"{TAUGHT}{taught.pk}/take-back/").status_code == 403
    assert not TaughtAnswer.objects.get().is_draft


def test_a_trial_shows_before_and_after_and_stores_nothing(staff, trained, said, not_known, tmp_path):
    client, asked = staff(*TEACHER), not_known()
    said("How long does a repair take?")
    page = try_out(client, asked)
    document = html.fromstring(page.content)
    what_to_do = "If a wording keeps its old reply, add it to “Other ways to ask it” and try again."
    assert what_to_do not in words(page)
    assert "2 of 2 ways to ask this get the new answer." in words(page)
    assert "None of the latest 1 other questions changes." in words(page)
    assert "ten euros" in document.xpath("//*[@data-after]")[0].text_content()
    proof = document.xpath("//input[@name='tried']/@value")[0]
    page = client.post(url(asked), fields(text="Another one.") | {"save": "1", "tried": proof})
    assert "What changes" in words(page), "only what was tried can be saved"
    for given, sentence in (
        ({"text": ""}, "This field is required."),
        ({"text": "x" * 2001}, "This is too long"),
        ({"paraphrases": "a?\n" * 11}, "That is too many"),
        ({"paraphrases": "a" * 301}, "One of them is too long"),
        ({"valid_until": "2020-01-01"}, "This date is in the past."),
    ):
        page = try_out(client, asked, **given)
        assert page.status_code == 422
        assert sentence in words(page)
        assert html.fromstring(page.content).xpath("//input[@name='question']/@value") == [ASKED]
    others = html.fromstring(try_out(client, asked, paraphrases="How long does a repair take?").content)
    assert "How long does a repair take?" in others.xpath("//*[@data-others]")[0].text_content()
    assert what_to_do in words(
        try_out(client, asked, question="How long does a repair of a bell take?", paraphrases="")
    )
    assert TaughtAnswer.objects.count() == 0
    assert "ten euros" not in reply(trained, ASKED)
    assert list(trained.index_folder.glob("trial-*")) == []
    trained.index_folder.rename(tmp_path / "gone")
    page = try_out(client, asked)
    assert page.status_code == 409
    assert "train it first" in words(page)


def test_a_wrong_reply_is_taught_anew_from_its_conversation(staff, trained, said):
    turn = said("When are you open?", "We are always open.")
    client = staff(*TEACHER, "webchat.view_conversation")
    conversation = f"/admin/webchat/conversation/{turn.conversation.pk}/change/"
    [link] = html.fromstring(client.get(conversation).content).xpath("//td/a[.='Teach']/@href")
    assert "It replied:We are always open." in words(client.get(link))
    assert "Nothing to teach" not in words(client.get(link))
    tried = try_out(client, turn, question="When are you open?", paraphrases="", text="From nine to five.")
    [form] = html.fromstring(tried.content).xpath("//form[@id='teach']")
    saved = dict(form.form_values()) | {"save": "1"}
    assert "Saved." in words(client.post(link, saved, follow=True))
    train(trained)
    assert reply(trained, "When are you open?").startswith("From nine to five.")
    assert "From nine to five." in words(client.get(link, follow=True))
    assert "From nine to five." in words(client.post(link, saved, follow=True)), "pressed twice, it is taught once"
    assert client.post(f"{link}done/").status_code == 404
    assert TaughtAnswer.objects.count() == TaughtTurn.objects.exclude(taught_answer=None).count() == 1
    member = staff("webchat.view_conversation", TEACHER[0])
    assert not html.fromstring(member.get(conversation).content).xpath("//td/a[.='Teach']")


def test_a_taught_answer_is_given_to_all_its_wordings(staff, admin_client, bot, trained, not_known, tmp_path):
    client, asked = staff(*TEACHER), not_known()
    page = save(client, asked)
    assert "Saved." in words(page)
    assert "Nothing to teach" in words(page)
    train(trained)
    day = timezone.localdate().strftime("%-d %B %Y")
    for message in (ASKED, "Can I buy a voucher?", "do you sell a gift voucher"):
        assert reply(trained, message) == f"{ANSWER}\n\n*Answered by the team, {day}*"
    assert "Monday to Friday" in reply(trained, "When are you open?")
    answers = words(admin_client.get(f"/admin/webchat/bot/{bot.pk}/answers/")).replace("Look at them ", "")
    assert "1 document 1 taught answer" in answers
    assert "from 1 document." in words(admin_client.get(f"/admin/webchat/bot/{bot.pk}/change/"))
    train(trained, [tmp_path / "docs"], only=True)
    assert "ten euros" in reply(trained, ASKED)
    document = trained.documents.get(kind=Document.Kind.TAUGHT)
    assert (document.title, document.taught_answer.author) == (
        ASKED,
        "reader-webchat.answer_conversation-docbot.change_trainedbot",
    )
    assert LogEntry.objects.filter(change_message="Taught an answer.").exists()


def test_a_withdrawn_answer_stays_as_a_draft_and_can_be_taught_again_or_deleted(staff, trained, not_known):
    client, asked = staff(*TEACHER), not_known()
    save(client, asked)
    train(trained)
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    assert client.post(f"{answer}delete/").status_code == 404
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
    assert client.get(url(asked)).url == answer
    changes = html.fromstring(client.get(answer).content.decode()).xpath("//*[@data-changes]/li/span/text()")
    assert [change.rstrip("· ") for change in changes] == ["Taught again", "Taken back", "Taught"]
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
    page = html.fromstring(try_out(client, answer, **new).content)
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
    trained.documents.get(kind=Document.Kind.TAUGHT).forget()
    assert TaughtAnswer.objects.get().is_draft
    assert not trained.documents.filter(kind=Document.Kind.TAUGHT).exists()


def test_a_changed_expiry_keeps_the_author_and_a_colleagues_change_must_be_tried_again(staff, trained, not_known):
    client = staff(*TEACHER)
    save(client, not_known())
    answer = f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    day = timezone.now() - datetime.timedelta(days=9)
    TaughtAnswer.objects.update(taught_at=day, author="Bea")
    save(client, answer, valid_until="2099-01-02")
    taught = TaughtAnswer.objects.get()
    assert (taught.taught_at, taught.author, taught.valid_until.year) == (day, "Bea", 2099)
    assert "Changed" in words(client.get(answer))
    proof = html.fromstring(try_out(client, answer, text="Mine.").content).xpath("//input[@name='tried']/@value")[0]
    TaughtAnswer.objects.update(text="Theirs.")
    page = client.post(answer, fields(text="Mine.") | {"save": "1", "tried": proof})
    assert "What changes" in words(page)
    assert TaughtAnswer.objects.get().text == "Theirs."


def test_an_open_question_that_gets_the_new_answer_leaves_the_list_too(staff, trained, not_known, said, monkeypatch):
    client, asked = staff(*TEACHER), not_known()
    similar, taught = not_known("What about presents?"), not_known("Are there coupons?")
    another = not_known("Is there a garden?")
    wordings = {"paraphrases": "What about presents for children?\nare there coupons"}
    listed = html.fromstring(try_out(client, asked, **wordings).content).xpath("//ul[@data-others]/li")
    assert "Are there coupons?" not in "".join(each.text_content() for each in listed)
    save(client, asked, **wordings)
    for each in (similar, taught):
        assert client.get(url(each)).url == f"{TAUGHT}{TaughtAnswer.objects.get().pk}/"
    assert client.get(url(another)).status_code == 200
    monkeypatch.setattr("desk.teaching.trying.SECONDS", 0)
    assert "Time ran out: 0 of " in words(try_out(client, another, question="Is there a garden?"))
    assert "Saved." in words(save(client, another, question="Is there a garden?"))


def test_an_expired_answer_is_left_out_and_the_bot_trained_again(trained, monkeypatch):
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

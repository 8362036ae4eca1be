"""A customer's conversations: started, resumed, renamed, deleted, saved; with and without JavaScript."""

import json
import uuid

from docbot.models import Chat, Exchange, TrainedBot
from tests.portal.conftest import PAGE, customer, listed, post, queries, titles, url_of
from tests.webchat.visitor import Page
from webchat.models import Bot, Conversation, Turn


def test_the_first_message_starts_a_conversation_with_its_own_url_in_which_a_refused_one_stays(rosa):
    rosa.send("When do you open?")
    conversation = Conversation.objects.get()
    assert rosa.page.response.request["PATH_INFO"] == url_of(conversation)
    assert [turn.reply for turn in rosa.turns] == ["You said: When do you open?"]
    assert (conversation.surface, conversation.customer) == ("portal", customer("rosa"))
    page = rosa.send("x" * 5000)
    assert (page.status, [turn.message for turn in page.turns]) == (422, ["When do you open?"])
    assert rosa.send("Two").turns[-1].message == "Two"
    assert Conversation.objects.count() == 1


def test_with_javascript_the_page_takes_the_url_of_the_conversation_that_it_started(rosa, upstream):
    rosa.open()
    sent = rosa.post_message("One")
    conversation = Conversation.objects.get()
    field = sent.one("input[@name='conversation']")
    assert (field.get("value"), field.get("data-page")) == (str(conversation.public_id), url_of(conversation))
    assert {link.get("href") for link in sent.all("p[@id='save']/a")} == {
        f"{url_of(conversation)}transcript.{kind}" for kind in ("txt", "html", "json")
    }
    rosa.post_message("Two", conversation=field.get("value"), key=str(uuid.uuid4()))
    assert Conversation.objects.count() == 1
    assert sent.turns[0].reply == "You said: One"


def test_a_new_conversation_leaves_the_others_unchanged_and_each_keeps_its_chat_id(rosa, upstream):
    upstream.will_reply("One", chat_id="first").will_reply("Two", chat_id="second")
    rosa.send("One")
    page = rosa.press_other_button("/new", draft="Not\nfinished", ask="1")
    assert (page.turns, page.typed) == ([], "Not\nfinished")
    assert not page.all("dialog[@data-confirm-new]")
    rosa.send("Two")
    assert listed(rosa) == ["Two", "One"]
    first, second = Conversation.objects.order_by("pk")
    for conversation in (first, second, first):
        rosa.open(url_of(conversation))
        rosa.send("On")
    assert [request.chat_id for request in upstream.requests] == [None, None, "first", "second", "first"]
    assert [turn.message for turn in rosa.turns] == ["One", "On", "On"]
    short = queries(rosa, url_of(first))
    Turn.objects.bulk_create(Turn(conversation=first, message="x", state="answered") for _ in range(50))
    assert queries(rosa, url_of(first)) == short <= 6
    page = rosa.press_other_button("/new", ask="1")
    assert (page.turns, page.response.request["PATH_INFO"]) == ([], PAGE)


def test_a_message_to_a_deleted_conversation_returns_to_the_message_box_at_once(rosa):
    rosa.open()
    key = rosa.post_message("One").turns[0].key
    assert post(rosa.client, f"{PAGE}turns/{key}/reply", form_on=PAGE).status_code == 303
    rosa.open(url_of(Conversation.objects.get()))
    Conversation.objects.all().delete()
    assert post(rosa.client, f"{PAGE}turns/{key}/reply", form_on=PAGE).status_code == 404
    page = rosa.post_message("Two")
    assert (page.status, page.response["HX-Retarget"]) == (404, "#composer-refusal")
    assert page.response["Webchat-Fragment"] == "1"  # else the page would send it again and again
    assert page.one("*[@data-alert]").get("data-code") == "CONVERSATION_ENDED"


def path_of(action: str) -> str:
    return f"/portal/conversations/{Conversation.objects.get().public_id}/{action}"


def test_a_conversation_can_be_renamed_and_its_first_words_restored(rosa):
    rosa.send("Hello")
    assert post(rosa.client, path_of("rename"), title="  The kettle  ").status_code == 303
    assert listed(rosa) == ["The kettle"]
    page = Page(post(rosa.client, path_of("rename"), title="x" * 81))
    assert page.status == 422
    assert page.one("input[@name='title']").get("value") == "x" * 81
    assert page.one("input[@name='title']").get("aria-invalid") == "true"
    assert post(rosa.client, path_of("rename"), title="").status_code == 303
    assert listed(rosa) == ["Hello"]


def test_a_conversation_is_deleted_with_everything_in_it_after_a_confirmation(rosa):
    rosa.send("Hello")
    turn, chat = Turn.objects.get(), Chat.objects.create(trained_bot=TrainedBot.objects.create(slug="help"))
    Exchange.objects.create(chat=chat, created_at=turn.ended_at, message="Hello", reply=turn.reply)
    page = rosa.open(path_of("delete"))
    assert "Hello" in page.one("main").text_content()
    assert [page.one(f"main//{each}").get("class") for each in ("button", "a")] == ["button destructive", "button"]
    assert Turn.objects.exists()
    assert post(rosa.client, path_of("delete")).status_code == 303
    assert not Turn.objects.exists()
    assert not Chat.objects.exists(), "docbot's copy"
    page = rosa.open("/portal/")
    assert (titles(page), page.one("p[@role='status']").text_content()) == ([], "The conversation has been deleted.")


def test_each_conversation_can_be_saved(rosa):
    for message in ("One", "Two"):
        rosa.open(PAGE)
        rosa.send(message)
    first = Conversation.objects.order_by("pk").first()
    for kind in ("txt", "html", "json"):
        link = rosa.open(url_of(first)).one(f"a[@download][contains(@href,'.{kind}')]").get("href")
        response = rosa.client.get(link)
        text = response.content.decode()
        assert "You said: One" in text
        assert "Two" not in text
        assert response["Content-Disposition"] == f'attachment; filename="help.{kind}"'
    assert [turn["message"] for turn in json.loads(text)["turns"]] == ["One"]


def test_a_bot_that_offers_a_person_does_so_in_the_portal(rosa):
    Bot.objects.update(handover=True)
    page = rosa.open()
    assert page.status == 200
    assert page.all("*[@class='to-person']//button[@form='composer']")
    rosa.send("One")
    rosa.press_other_button("/new")
    rosa.send("Two")
    asked = rosa.press_other_button("/person")
    first, last = Conversation.objects.order_by("pk")
    assert asked.one("input[@name='conversation']").get("value") == str(last.public_id)
    form = asked.one("form[contains(@class, 'handover')]")
    rosa.submit(form, {"email": "rosa@example.com", "message": "Call me"})
    stands = [len(rosa.open(url_of(each)).all("*[@data-asked]")) for each in (first, last)]
    assert stands == [0, 1], "without its transcript, it stands in the conversation that was begun last"

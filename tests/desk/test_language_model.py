"""Setting up the language model of a trained bot at the desk: URL, model and key, tried with a question."""

from collections.abc import Iterator

import pytest
from django.contrib.admin.models import LogEntry
from lxml import html

from docbot.endpoint import exchanges
from docbot.models import Chat
from tests.docbot.fake_model import FakeModel
from webchat import encryption
from webchat.models import Bot

QUESTION = "When are you open?"
KEY = "sk-very-secret"


@pytest.fixture
def model() -> Iterator[FakeModel]:
    with FakeModel() as model:
        yield model.will_say("From **nine to six** [1].")


def url(bot: Bot) -> str:
    return f"/admin/webchat/bot/{bot.pk}/model/"


def page(response) -> html.HtmlElement:
    assert response.status_code == 200
    assert KEY not in response.content.decode()
    return html.fromstring(response.content.decode())


def words(shown: html.HtmlElement) -> str:
    return " ".join(shown.xpath("string(//main)").split()) or " ".join(shown.text_content().split())


def model_fields(model: FakeModel, **more: str) -> dict[str, str]:
    return {"model_url": model.base_url, "model_name": "small-one", "new_key": KEY} | more


def test_a_model_is_set_up_and_writes_the_replies_from_the_next_message_on(admin_client, bot, trained, model):
    assert admin_client.post(url(bot), model_fields(model)).status_code == 302
    trained.refresh_from_db()
    assert (trained.model_url, trained.model_name) == (model.base_url, "small-one")
    assert encryption.unseal(trained.sealed_model_key) == KEY
    reply = exchanges.answer_message(trained, QUESTION, None)
    assert reply.reply.startswith("From **nine to six**.")
    assert model.asked[-1][0]["Authorization"] == f"Bearer {KEY}"
    assert "small-one" in words(page(admin_client.get(f"/admin/webchat/bot/{bot.pk}/answers/")))
    assert (
        "Replies are written by the language model “\u2068small-one\u2069”" in LogEntry.objects.first().change_message
    )


def test_the_sites_own_model_stays_the_default(admin_client, bot, trained, model, settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = "https://site.example.com/v1", "site-model", "s"
    assert exchanges.model_of(trained).model == "site-model"
    assert "site-model" in words(page(admin_client.get(url(bot))))
    admin_client.post(url(bot), model_fields(model))
    trained.refresh_from_db()
    assert exchanges.model_of(trained).model == "small-one"
    admin_client.post(url(bot), {"model_url": "", "model_name": "", "forget_key": "on"})
    trained.refresh_from_db()
    assert (exchanges.model_of(trained).model, trained.sealed_model_key) == ("site-model", "")


def test_a_trial_saves_nothing_and_a_key_needs_the_password(admin_client, bot, trained, model, monkeypatch):
    shown = page(admin_client.post(url(bot), model_fields(model, question=QUESTION) | {"try": "1"}))
    [tried] = shown.xpath("//*[@data-tried]")
    assert "What the model writes" in tried.text_content()
    assert "s with the model" in " ".join(tried.text_content().split())
    assert tried.xpath(".//strong[text()='nine to six']")
    assert "What you entered is kept" in words(shown)
    trained.refresh_from_db()
    assert (trained.model_url, trained.sealed_model_key, Chat.objects.count()) == ("", "", 0)
    kept = model_fields(model, new_key="", kept_key=shown.xpath("//input[@name='kept_key']/@value")[0])
    with monkeypatch.context() as long_ago:
        long_ago.setattr("desk.access.guard.has_entered_password", lambda request: False)
        shown = page(admin_client.post(url(bot), kept))
    assert "Confirm that it is you" in words(shown)
    kept["kept_key"] = shown.xpath("//input[@name='kept_key']/@value")[0]
    assert admin_client.post(url(bot), kept).status_code == 302
    elsewhere = {"model_url": "https://other.example.com/v1", "model_name": "small-one", "new_key": ""}
    for more in ({}, {"try": "1", "question": QUESTION}):  # a key is sent only to the URL that it was entered for
        assert page(admin_client.post(url(bot), elsewhere | more)).xpath("//section[@data-problems]")
    trained.refresh_from_db()
    assert (trained.model_url, encryption.unseal(trained.sealed_model_key)) == (model.base_url, KEY)
    Bot.objects.update(base_url="https://bots.example.com", sealed_key=encryption.seal("k"))
    assert admin_client.get(url(bot)).status_code == 404, "another service has its own"


def test_a_failing_model_is_shown_with_the_reason_and_what_visitors_read_instead(admin_client, bot, trained, model):
    asked = model_fields(model, question="Who painted the Mona Lisa?") | {"try": "1"}
    assert "The model wasn’t asked" in words(page(admin_client.post(url(bot), asked)))
    assert model.asked == []
    model.will_answer(401, {"error": {"message": "no such key"}})
    shown = words(page(admin_client.post(url(bot), asked | {"question": QUESTION})))
    assert "The model gave no reply: answered with status 401." in shown
    assert "What visitors read instead" in shown
    assert "no such key" not in shown


WRONG = [
    ({"model_url": "http://models.example.com/v1"}, "model_url"),  # unencrypted
    ({"model_url": "somewhere"}, "model_url"),
    ({"model_name": ""}, "model_name"),
    ({"new_key": "sk a"}, "new_key"),
]


def test_invalid_settings_are_refused_with_everything_kept(admin_client, bot, trained, model):
    for more, field in WRONG:
        entered = model_fields(model, **more)
        shown = page(admin_client.post(url(bot), entered))
        assert shown.xpath("//section[@data-problems]//a/@href") == [f"#id_{field}"]
        for name in ("model_url", "model_name"):
            assert (shown.get_element_by_id(f"id_{name}").value or "") == entered[name]
    trained.refresh_from_db()
    assert trained.model_url == ""

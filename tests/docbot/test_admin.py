"""docbot's pages at the desk: bots, keys, try-it box, transcripts."""

import ast
import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override
from lxml import html

from docbot import reading
from docbot.dashboard import pages
from docbot.endpoint import keys
from docbot.models import ApiKey, Chat, Document, Exchange, TrainedBot
from webchat.models import TeamMember

KNOWN = "When is the workshop open on weekdays?"
UNKNOWN = "Who wrote the Iliad and the Odyssey?"


def page(response) -> html.HtmlElement:
    assert response.status_code in (200, 422), response.status_code
    return html.fromstring(response.content.decode())


def text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def find(element: html.HtmlElement, path: str) -> list[html.HtmlElement]:
    """Find elements by tags and classes, outermost first: `ol.hits li`, `.reply`, `#result_list tbody tr`."""
    steps = []
    for step in path.split():
        tag, mark, name = re.fullmatch(r"(\w*)(?:([.#])([\w-]+))?", step).groups()
        tests = {".": f"[contains(concat(' ', @class, ' '), ' {name} ')]", "#": f"[@id='{name}']", None: ""}
        steps.append(f"descendant::{tag or '*'}{tests[mark]}")
    return element.xpath("/".join(steps))


def bot_url(bot: TrainedBot, rest: str = "change/") -> str:
    return f"/admin/docbot/trainedbot/{bot.pk}/{rest}"


def store_exchange(bot: TrainedBot, message: str, certainty: str = "sure", chat: Chat | None = None) -> Exchange:
    """Store an exchange in the history without asking the bot."""
    reply = "We open at **nine**." if certainty == "sure" else "I don't know."
    chat = chat or Chat.objects.create(trained_bot=bot)
    return Exchange.objects.create(chat=chat, message=message, reply=reply, certainty=certainty)


# --- Bots ---


def test_the_list_shows_each_bots_state(admin_client, bot):
    TrainedBot.objects.create(slug="empty", name="Empty")
    TrainedBot.objects.create(slug="spent", name="Spent", credits=0)
    TrainedBot.objects.create(slug="off", name="Off", enabled=False)
    TrainedBot.objects.create(slug="over", name="Over", credits=9, trial_ends_at=timezone.now() - timedelta(days=1))
    rows = find(page(admin_client.get("/admin/docbot/trainedbot/")), "#result_list tbody tr")
    shown = {text(find(row, ".field-name")[0]): text(find(row, ".field-state")[0]) for row in rows}
    assert shown == {
        "Bicycle workshop": "Online",
        "Empty": "Not trained yet",
        "Spent": "Offline: no replies left",
        "Off": "Switched off",
        "Over": "Offline: trial over",
    }


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_bots(admin_client, bot):
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            admin_client.get("/admin/docbot/trainedbot/")
        return len(made)

    admin_client.get("/admin/docbot/trainedbot/")  # what is cached is cached
    of_one = queries()
    TrainedBot.objects.bulk_create(TrainedBot(slug=f"bot-{number}", name=f"Bot {number}") for number in range(20))
    assert queries() == of_one <= 12


def test_a_new_bot_leads_to_its_documents(admin_client, db):
    response = admin_client.post(
        "/admin/docbot/trainedbot/add/", {"name": "Shop", "slug": "shop", "language": "", "enabled": "on"}, follow=True
    )
    made = TrainedBot.objects.get()
    assert response.redirect_chain[-1][0].endswith(f"document/?trained_bot__id__exact={made.pk}")
    assert "Not trained yet" in text(page(response))


def test_deleting_a_bot_deletes_its_index_and_uploads(admin_client, bot, django_capture_on_commit_callbacks):
    bot.upload_folder.mkdir(parents=True)
    with django_capture_on_commit_callbacks(execute=True):
        admin_client.post(bot_url(bot, "delete/"), {"post": "yes"})
    assert not TrainedBot.objects.exists()
    assert not bot.index_folder.exists()
    assert not bot.upload_folder.exists()


# --- Permissions ---


@pytest.fixture
def reader(bot) -> Client:
    """Staff who may view everything and change nothing."""
    staff = User.objects.create_user("reader", password="x", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="docbot", codename__startswith="view"))
    TeamMember.objects.create(user=staff, name="reader")
    client = Client()
    client.force_login(staff)
    return client


def test_staff_who_may_only_view_see_the_pages_without_their_forms(reader, bot, key):
    for rest in ("change/", "keys/", "try/"):
        assert reader.get(bot_url(bot, rest)).status_code == 200
    assert not page(reader.get(bot_url(bot, "keys/"))).xpath("//form[contains(@action, '/keys/')]")


# --- Keys ---


def shown_key(response) -> str:
    return page(response).xpath("//@data-plain-key/../@value")[0]


def test_a_new_key_has_a_name_is_shown_once_and_works(admin_client, bot, ask):
    assert admin_client.post(bot_url(bot, "keys/"), {"name": " "}).status_code == 422
    made = admin_client.post(bot_url(bot, "keys/"), {"name": "Telegram bridge"})
    assert "no-store" in made.headers["Cache-Control"]
    plain = shown_key(made)
    assert keys.find(plain).name == "Telegram bridge"
    again = admin_client.get(bot_url(bot, "keys/"))
    assert plain.encode() not in again.content
    assert "Telegram bridge" in text(page(again))
    assert set(ApiKey.objects.values_list("name", flat=True)) == {"website", "Telegram bridge"}


def test_a_revoked_key_is_no_longer_accepted_and_another_bots_cannot_be_revoked(admin_client, bot, key, other_key):
    others = keys.find(other_key).pk
    assert admin_client.post(bot_url(bot, f"keys/{others}/revoke/")).status_code == 404
    assert keys.find(other_key)
    url = bot_url(bot, f"keys/{keys.find(key).pk}/revoke/")
    assert admin_client.get(url).status_code == 405
    assert keys.find(key)
    shown = admin_client.post(url, follow=True)
    assert keys.find(key) is None
    assert "revoked" in text(page(shown))


# --- Try it ---


def test_the_try_it_box_shows_replies_in_a_conversation_beside_the_passages_and_their_scores(admin_client, bot):
    message = "How much is a repair of a bicycle?"
    first = page(admin_client.post(bot_url(bot, "try/"), {"message": message}))
    assert "45 euros" in text(find(first, "div.reply")[0])
    assert "What a repair costs" in text(find(first, "ol.hits li")[0])
    scores = [float(meter.get("value")) for meter in find(first, ".hits meter")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0
    assert first.xpath("//input[@name='earlier']/@value") == [message]
    then = {"message": "And how long does it take?", "earlier": [message], "follow_up": "on"}
    assert "three days" in text(find(page(admin_client.post(bot_url(bot, "try/"), then)), "div.reply")[0])


def test_a_bot_that_is_offline_can_be_tried_but_not_without_a_message_or_documents(admin_client, bot):
    TrainedBot.objects.update(enabled=False)
    other = TrainedBot.objects.create(slug="other", name="Other")
    for headers in ({}, {"HX-Request": "true"}):
        tried = admin_client.post(bot_url(bot, "try/"), {"message": KNOWN}, headers=headers)
        assert find(page(tried), "div.reply")
        refused = admin_client.post(bot_url(bot, "try/"), {"message": "  "}, headers=headers)
        assert refused.status_code == (200 if headers else 422)
        assert "Type a message first" in text(page(refused))
        untrained = admin_client.post(bot_url(other, "try/"), {"message": KNOWN}, headers=headers)
        assert "not trained yet" in text(page(untrained))
        assert [b"<html" in answer.content for answer in (tried, refused, untrained)] == [not headers] * 3


# --- Documents ---


def test_a_bots_documents_are_listed_and_show_their_passages(admin_client, bot):
    rows = find(
        page(admin_client.get(f"/admin/docbot/document/?trained_bot__id__exact={bot.pk}")), "#result_list tbody tr"
    )
    assert len(rows) == 4
    repairs = next(row for row in rows if "Repairs" in text(row))
    assert text(find(repairs, ".field-passage_count")[0]) == "2"
    assert text(find(repairs, ".field-in_language")[0]) == "English"
    document = Document.objects.get(title="Repairs")
    shown = page(admin_client.get(f"/admin/docbot/document/{document.pk}/change/"))
    headings = [text(heading) for heading in find(shown, ".passage h4")]
    assert headings == ["What a repair costs", "How long a repair takes"]


def test_a_document_that_could_not_be_read_says_why_in_its_readers_language(admin_client, bot):
    url = f"/admin/docbot/document/?trained_bot__id__exact={bot.pk}&problem=yes"
    for problem, in_german in (
        ("it is empty", "die Datei ist leer"),
        ("the website answers with an error (status 404)", "die Website antwortet mit einem Fehler (status 404)"),
        ("it leads elsewhere (https://a.example/(1))", "leitet auf eine andere Seite weiter (https://a.example/(1))"),
        ("it is something new", "it is something new"),
    ):
        Document.objects.filter(title="Payment").update(problem=problem)
        for language, reason in (("en", problem), ("de", in_german)):
            (row,) = find(page(admin_client.get(url, headers={"Accept-Language": language})), "#result_list tbody tr")
            assert reason.lower() in text(row).lower()
    Document.objects.filter(title="Payment").update(title="", kind="upload", location="/srv/media/1/payment.pdf")
    (named,) = Document.objects.filter(title="")
    shown = text(find(page(admin_client.get(f"/admin/docbot/document/{named.pk}/delete/")), "h1")[0])
    assert shown == "Delete “payment.pdf”?"


def test_every_reason_of_the_reader_is_a_sentence_with_a_translation():
    room = Path(reading.__file__).parent
    trees = [ast.parse(file.read_text()) for file in [*room.rglob("*.py"), *(room.parent / "training").glob("*.py")]]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "Unreadable"]
    given.remove("answer['problem']")  # a reason from the reader's process
    assert len(given) > 30
    with override("de"):
        assert [one for one in map(ast.literal_eval, given) if one == pages.translated(one)] == []


# --- Chat History ---


def test_a_chat_is_a_readable_transcript_which_cannot_be_edited(admin_client, bot):
    first = store_exchange(bot, KNOWN)
    store_exchange(bot, UNKNOWN, "unknown", first.chat)
    url = f"/admin/docbot/chat/{first.chat.pk}/change/"
    shown = page(admin_client.get(url))
    assert [text(said) for said in find(shown, ".said")] == [KNOWN, UNKNOWN]
    assert "nine" in text(find(shown, ".reply")[0])
    assert find(shown, ".reply")[0].xpath(".//strong")  # rendered as for its visitor
    assert [text(mark) for mark in find(shown, ".certainty")] == ["Answered", "Didn’t know"]
    assert not shown.xpath("//*[@id='content']//input | //textarea")
    assert admin_client.post(url, {"chat_id": "x"}).status_code == 403


def test_chats_are_found_by_words_date_bot_and_certainty(admin_client, bot):
    old = store_exchange(bot, KNOWN).chat
    Chat.objects.filter(pk=old.pk).update(last_used_at=timezone.now() - timedelta(days=20))
    store_exchange(bot, UNKNOWN, "unknown")
    recent = (timezone.now() - timedelta(days=7)).isoformat()
    (unanswered,) = page(admin_client.get(bot_url(bot, "keys/"))).xpath("//a[text()='Unanswered']/@href")
    for query, found in {
        "?q=workshop": [KNOWN],
        "?q=nine": [KNOWN],
        "?q=Iliad": [UNKNOWN],
        f"?last_used_at__gte={quote(recent)}": [UNKNOWN],
        "?exchanges__certainty__exact=sure": [KNOWN],
        unanswered: [UNKNOWN],
        f"?trained_bot__id__exact={bot.pk}": [KNOWN, UNKNOWN],
    }.items():
        url = query if query.startswith("/") else f"/admin/docbot/chat/{query}"
        shown = text(find(page(admin_client.get(url)), "#result_list tbody")[0])
        assert [message for message in (KNOWN, UNKNOWN) if message in shown] == found, query


def test_documents_cannot_inject_html_into_the_desk(admin_client, bot):
    evil = "<script>alert(1)</script> and <img src=x onerror=alert(1)>"
    exchange = store_exchange(bot, evil)
    Exchange.objects.update(reply=evil)
    Document.objects.update(title=evil)
    for url in (
        f"/admin/docbot/chat/{exchange.chat.pk}/change/",
        f"/admin/docbot/document/{Document.objects.first().pk}/change/",
        "/admin/docbot/document/",
        "/admin/docbot/chat/",
        f"/admin/docbot/document/?trained_bot__id__exact={bot.pk}",
    ):
        shown = page(admin_client.get(url))
        assert not shown.xpath("//script[contains(text(), 'alert')] | //img[@onerror]"), url

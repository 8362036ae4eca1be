"""The open inbox: who is available or typing, what is new, and what team members set for themselves."""

import io
import uuid
from contextlib import closing

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from lxml import html
from PIL import Image

from desk.inbox import updates
from tests.desk.conftest import words
from tests.desk.test_access import pass_time
from tests.desk.test_inbox import HTMX, INBOX, token_of, url
from webchat.models import Bot, CannedReply, Conversation, TeamMember, Turn


def test_available_and_away(colleague, bot, waiting):
    client, ann = colleague("Ann")
    waiting.claim(ann)
    TeamMember.objects.filter(pk=ann.pk).update(seen_at=None)
    other, _ben = colleague("Ben")
    tokens = [(each, token_of(each.get(url(waiting)))) for each in (client, other)]
    assert ann in TeamMember.objects.online(bot), "whose inbox is open"
    client.post(f"{INBOX}availability/", {"available": "no"})
    assert ann not in TeamMember.objects.online(bot)
    own, colleagues = (each.get(f"{INBOX}updates/{token}/", headers=HTMX) for each, token in tokens)
    assert "Visitors are not offered a chat with you." in words(own)
    assert "Take over" in words(colleagues)
    page = client.post(f"{INBOX}availability/", {"available": "yes"}, follow=True)
    assert ann in TeamMember.objects.online(bot)
    assert "Available" in words(page)
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")][-2:] == ["Away.", "Available."]


def test_an_open_inbox_is_told_when_business_hours_end(client_of_ann, bot, monkeypatch):
    token = token_of(client_of_ann.get(INBOX))
    monkeypatch.setattr(updates, "FRESH_FOR", -1)  # half a minute later
    assert "Outside business hours" not in words(client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX))
    Bot.objects.filter(pk=bot.pk).update(people_answer=True, closed=True)
    assert "Outside business hours" in words(client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX))


def test_an_inbox_that_is_up_to_date_takes_one_statement(client_of_ann, waiting, django_assert_num_queries):
    token = token_of(client_of_ann.get(url(waiting)))
    with django_assert_num_queries(1):
        answer = client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX)
    assert answer.status_code == 204
    assert "Content-Language" not in answer  # answered before the rest of the site runs
    waiting.notify_pages(visitor_typing_at=timezone.now())
    news = client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX).content.decode()
    assert "The visitor is typing" in news
    assert "inbox-transcript" not in news, "it has not changed"


def test_news_is_sent_to_the_team_only_and_read_where_the_page_is_visible(client_of_ann, waiting):
    token = token_of(client_of_ann.get(url(waiting)))
    Turn.objects.create(conversation=waiting, message="Still there?", state=Turn.State.PERSON)
    waiting.notify_pages()
    for seen in ("hidden", "visible"):
        news = client_of_ann.get(f"{INBOX}updates/{token}/?{seen}", headers=HTMX)
        assert "Still there?" in words(news)
        waiting.refresh_from_db()
        assert waiting.is_read_by_team == (seen == "visible")
    stranger = Client().get(f"{INBOX}updates/{token}/", headers=HTMX)
    assert stranger.status_code == 302
    assert client_of_ann.get(f"{INBOX}updates/{token}x/").status_code == 404


def test_only_the_member_who_leads_is_shown_as_typing_and_told_what_the_visitor_has_seen(colleague, waiting):
    (client, ann), (other, _) = colleague("Ann"), colleague("Bea")
    waiting.claim(ann)
    other.post(url(waiting, "typing"), headers=HTMX)
    waiting.refresh_from_db()
    assert not waiting.is_team_typing
    client.post(url(waiting, "typing"), headers=HTMX)
    waiting.refresh_from_db()
    assert waiting.is_team_typing
    sent = waiting.write_message(ann, uuid.uuid4(), "Hello")
    client.post(url(waiting, "typing"), {"key": str(sent.key)}, headers=HTMX)  # which the message has overtaken
    waiting.refresh_from_db()
    assert not waiting.is_team_typing
    assert "Seen by the visitor" not in words(client.get(url(waiting)))
    Conversation.objects.update(visitor_read_to=sent.pk)
    assert "Seen by the visitor" in words(client.get(url(waiting)))


def test_answering_with_htmx_counts_as_activity(client_of_ann, waiting):
    for number in range(2):
        pass_time(client_of_ann, 20)
        fields = {"key": str(uuid.uuid4()), "kind": "message", "text": f"Hello {number}"}
        assert client_of_ann.post(url(waiting, "write"), fields, headers=HTMX).status_code == 200
    assert client_of_ann.get(INBOX).status_code == 200


def test_a_member_sets_how_visitors_see_them(colleague):
    client, ann = colleague("Ann")
    drawn = io.BytesIO()
    Image.new("RGB", (20, 20), "green").save(drawn, "PNG")
    picture = SimpleUploadedFile("ann.png", drawn.getvalue(), "image/png")
    page = client.post(f"{INBOX}profile/", {"name": "Ann of Support", "picture": picture}, follow=True)
    assert "Saved." in words(page)
    ann.refresh_from_db()
    assert ann.name == "Ann of Support"
    assert LogEntry.objects.latest("pk").change_message == "Changed the name and picture that visitors see."
    (link,) = html.fromstring(page.content).xpath("//main//form//a")
    with closing(client.get(link.get("href"))) as shown:
        assert (link.text, shown["Content-Type"]) == ("Show", "image/webp")


def test_visitors_read_no_e_mail_address_as_the_name_of_a_new_member(db):
    for username, full, name in (("grace@example.com", "", "grace"), ("grace", "Hopper", "Hopper"), ("@", "", "@")):
        assert TeamMember.of(User.objects.create(username=username, last_name=full)).name == name


def test_canned_replies_are_edited_at_the_desk(colleague, bot):
    client, _ = colleague("Ann")
    new = {"shortcut": "hours", "text": "At nine."}
    client.post(f"{INBOX}canned-replies/new/", new)
    reply = CannedReply.objects.get()
    assert "/hours At nine.All bots" in words(client.get(f"{INBOX}canned-replies/"))
    again = client.post(f"{INBOX}canned-replies/new/", new)
    assert "There is already a canned reply with this shortcut." in words(again)
    limited, _ = colleague("Bea", bot)
    assert limited.get(f"{INBOX}canned-replies/{reply.pk}/").status_code == 403
    limited.post(f"{INBOX}canned-replies/new/", new | {"bot": bot.pk})
    own = CannedReply.objects.get(bot=bot)
    limited.post(f"{INBOX}canned-replies/{own.pk}/", {"delete": "1"})
    assert CannedReply.objects.get() == reply


def test_a_canned_reply_is_mentioned_if_there_is_one_and_inserted_without_javascript(client_of_ann, waiting, bot):
    def composer() -> bytes:
        return html.tostring(
            html.fromstring(client_of_ann.get(url(waiting)).content).get_element_by_id("inbox-composer")
        )

    CannedReply.objects.create(bot=Bot.objects.create(slug="other", name="Other"), shortcut="foreign", text="No")
    assert b"canned" not in composer()
    reply = CannedReply.objects.create(bot=bot, shortcut="hours", text="We open at nine.")
    assert b"Type / for canned replies." in composer()
    page = client_of_ann.post(url(waiting, "write"), {"text": "Hello!", "put": "canned", "canned": reply.pk})
    document = html.fromstring(page.content)
    assert document.xpath("//textarea[@name='text']/text()")[0].split() == ["Hello!", "We", "open", "at", "nine."]
    assert document.xpath("//select[@name='canned']/option/text()") == ["/hours"]
    assert not waiting.entries.filter(kind="message").exists()
    for unknown in ("x", "9" * 5000):
        put = client_of_ann.post(url(waiting, "write"), {"text": "Hello!", "put": "canned", "canned": unknown})
        assert html.fromstring(put.content).xpath("//textarea[@name='text']/text()")[0].strip() == "Hello!"

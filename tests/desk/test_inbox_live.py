"""The open inbox: who is available, who is typing, and what is new."""

import uuid

from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from desk.inbox import updates
from tests.desk.conftest import words
from tests.desk.test_inbox import HTMX, INBOX, token_of, url
from webchat.models import Bot, Conversation, TeamMember, Turn


def test_available_and_away(colleague, bot):
    client, ann = colleague("Ann")
    client.post(f"{INBOX}availability/", {"available": "no"})
    assert not TeamMember.objects.online(bot).exists()
    page = client.post(f"{INBOX}availability/", {"available": "yes"}, follow=True)
    assert TeamMember.objects.online(bot).get() == ann
    assert "Available" in words(page)
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")][-2:] == ["Away.", "Available."]


def test_another_tab_and_a_colleagues_inbox_show_at_once_who_is_available(colleague, waiting):
    client, ann = colleague("Ann")
    Conversation.objects.get().claim(ann)
    other, _ben = colleague("Ben")
    tokens = [(each, token_of(each.get(url(waiting)))) for each in (client, other)]
    client.post(f"{INBOX}availability/", {"available": "no"})
    own, colleagues = (each.get(f"{INBOX}updates/{token}/", headers=HTMX) for each, token in tokens)
    assert "Visitors are not offered a chat with you." in words(own)
    assert "Take over" in words(colleagues)


def test_a_member_with_an_open_inbox_counts_as_present(colleague, bot):
    client, ann = colleague("Ann")
    TeamMember.objects.filter(pk=ann.pk).update(seen_at=None)
    client.get(INBOX)
    assert TeamMember.objects.online(bot).get() == ann


def test_an_open_inbox_is_told_when_business_hours_end(client_of_ann, bot, monkeypatch):
    token = token_of(client_of_ann.get(INBOX))
    monkeypatch.setattr(updates, "FRESH_FOR", -1)  # half a minute later
    assert "Outside business hours" not in words(client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX))
    Bot.objects.filter(pk=bot.pk).update(people_answer=True, closed=True)
    assert "Outside business hours" in words(client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX))


def test_an_inbox_that_is_up_to_date_takes_one_statement(colleague, waiting, django_assert_num_queries):
    client, _ = colleague("Ann")
    token = token_of(client.get(url(waiting)))
    with django_assert_num_queries(1):
        answer = client.get(f"{INBOX}updates/{token}/", headers=HTMX)
    assert answer.status_code == 204
    assert "Content-Language" not in answer  # answered before the rest of the site runs


def test_news_is_sent_to_the_team_only(client_of_ann, waiting):
    token = token_of(client_of_ann.get(url(waiting)))
    Turn.objects.create(conversation=waiting, message="Still there?", state=Turn.State.PERSON)
    waiting.notify_pages()
    news = client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX)
    assert "Still there?" in words(news)
    stranger = Client().get(f"{INBOX}updates/{token}/", headers=HTMX)
    assert stranger.status_code == 302
    assert client_of_ann.get(f"{INBOX}updates/{token}x/").status_code == 404
    waiting.refresh_from_db()
    assert waiting.is_read_by_team


def test_an_update_leaves_out_a_transcript_that_has_not_changed(client_of_ann, waiting):
    token = token_of(client_of_ann.get(url(waiting)))
    waiting.notify_pages(visitor_typing_at=timezone.now())
    news = client_of_ann.get(f"{INBOX}updates/{token}/", headers=HTMX).content.decode()
    assert "The visitor is typing" in news
    assert "inbox-transcript" not in news


def test_a_hidden_inbox_marks_nothing_as_read_until_it_is_visible_again(client_of_ann, waiting):
    token = token_of(client_of_ann.get(url(waiting)))
    Turn.objects.create(conversation=waiting, message="Hello?", state=Turn.State.PERSON)
    waiting.notify_pages()
    hidden = client_of_ann.get(f"{INBOX}updates/{token}/?hidden", headers=HTMX)
    waiting.refresh_from_db()
    assert not waiting.is_read_by_team
    client_of_ann.get(f"{INBOX}updates/{token_of(hidden)}/?visible", headers=HTMX)
    waiting.refresh_from_db()
    assert waiting.is_read_by_team


def test_only_the_member_who_leads_is_shown_as_typing(colleague, waiting):
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


def test_the_team_is_told_when_the_visitor_has_seen_the_last_message(colleague, waiting):
    client, ann = colleague("Ann")
    waiting.claim(ann)
    sent = waiting.write_message(ann, uuid.uuid4(), "Hello")
    assert "Seen by the visitor" not in words(client.get(url(waiting)))
    Conversation.objects.update(visitor_read_to=sent.pk)
    assert "Seen by the visitor" in words(client.get(url(waiting)))


def test_answering_with_htmx_counts_as_activity(client_of_ann, waiting, settings):
    settings.STAFF_IDLE_MINUTES = 30
    client_of_ann.get(INBOX)
    session = client_of_ann.session
    before = {key: value for key, value in session.items() if "seen" in key}
    for key in before:
        session[key] = before[key] - 20 * 60
    session.save()
    fields = {"key": str(uuid.uuid4()), "kind": "message", "text": "Hello"}
    client_of_ann.post(url(waiting, "write"), fields, headers=HTMX)
    assert before
    assert all(client_of_ann.session[key] >= value for key, value in before.items())

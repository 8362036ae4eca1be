"""Files from a team member: sent with a reply, shown in the inbox, and deleted later."""

import datetime
import json
import os
import time
import uuid

import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from lxml import html

from desk.privacy import retention
from tests.attachments.conftest import send_file
from tests.attachments.files import HTML, PDF, picture, upload
from tests.webchat.visitor import Page, Visitor
from webchat.attachments import storing
from webchat.models import Attachment, Bot, Conversation, Entry, TeamMember, Turn
from webchat.notifications import outbox, replies


def write(inbox: Client, file: object = None, text: str = "", kind: str = "message", **more: object) -> object:
    conversation = Conversation.objects.get()
    fields = {"key": str(uuid.uuid4()), "kind": kind, "text": text} | ({"file": file} if file else {}) | more
    return inbox.post(f"/admin/inbox/{conversation.public_id}/write/", fields, follow=True)


def refusal(response: object) -> str:
    return html.fromstring(response.content).xpath("string(//*[@id='inbox-refusal'])").strip()


@pytest.mark.parametrize("text", ["Here it is, **at last**.", ""])
def test_a_reply_with_a_file_is_in_the_visitors_transcript(visitor, inbox, text):
    write(inbox, upload(PDF, "offer.pdf"), text)
    page = visitor.open()
    link = page.one("*[@data-entry][@data-kind='message']//figure//a")
    assert link.text_content() == "offer.pdf"
    assert page.one("figure").get("data-file") == "Grace sent a file: offer.pdf"
    assert len(page.all("*[@data-team-message]")) == bool(text)
    response = visitor.client.get(link.get("href"))
    assert b"".join(response.streaming_content) == PDF


def test_the_inbox_shows_what_the_visitor_sent(visitor, inbox):
    send_file(visitor, upload(picture("JPEG"), "leak.jpg"))
    page = html.fromstring(inbox.get(f"/admin/inbox/{Conversation.objects.get().public_id}/").content)
    (image,) = page.xpath("//figure//img")
    response = inbox.get(image.get("src"))
    assert response["Content-Type"] == "image/jpeg"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    response.close()
    assert page.xpath("//figure/@data-file") == ["Visitor sent a picture: leak.jpg"]
    assert "leak.jpg" in page.xpath("string(//*[@class='inbox-row'][1])")


def test_the_text_is_kept_when_its_file_is_refused_files_are_off_or_nobody_leads(visitor, inbox, media, grace):
    response = write(inbox, upload(HTML), "My text")
    assert "a picture" in refusal(response)
    assert html.fromstring(response.content).xpath("string(//textarea[@name='text'])") == "My text"
    assert "too large" in refusal(write(inbox, upload(PDF + bytes(10 * 1024 * 1024)), "My text"))
    assert Entry.objects.filter(kind="message").count() == 0
    Bot.objects.update(takes_files=False)
    assert refusal(write(inbox, upload(PDF))) == "Files are turned off for this bot."
    page = inbox.get(f"/admin/inbox/{Conversation.objects.get().public_id}/")
    assert b"inbox-file" not in page.content
    Bot.objects.update(takes_files=True)
    Conversation.objects.get().hand_back(grace)
    assert "Your text is still here" in refusal(write(inbox, upload(PDF), "Here"))
    assert [file for file in media.rglob("*") if file.is_file()] == []


def client_of(*permissions: str, bots: list[Bot] | None = None) -> Client:
    user = User.objects.create_user(f"user{User.objects.count()}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    TeamMember.objects.create(user=user, name="Bea", all_bots=bots is None).bots.set(bots or [])
    client = Client()
    client.force_login(user)
    return client


def test_only_staff_who_may_read_the_conversation_can_open_its_file(visitor, db):
    send_file(visitor)
    url = f"/admin/inbox/files/{Attachment.objects.get().key}/"
    other = Bot.objects.create(slug="other", name="Eve")
    for permission in ("view_conversation", "answer_conversation"):
        response = client_of(permission).get(url)
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
        response.close()
    assert client_of("view_bot").get(url).status_code == 403
    assert client_of("answer_conversation", bots=[other]).get(url).status_code == 404
    assert visitor.client.get(url).status_code == 302
    assert Client().get(url).status_code == 302


def test_an_export_and_a_saved_conversation_name_the_file(visitor, inbox, admin_client, tmp_path):
    send_file(visitor, upload(picture(), "leak.png"))
    write(inbox, upload(PDF, "offer.pdf"))
    path = tmp_path / "visitor.json"
    call_command("visitor", "export", str(Conversation.objects.get().public_id), "--output", str(path))
    (exported,) = json.loads(path.read_text())["conversations"]
    sent, answered = exported["turns"][-1]["file"], exported["team"][-1]["file"]
    assert (sent["name"], sent["type"]) == ("leak.webp", "image/webp")
    assert (answered["name"], answered["bytes"]) == ("offer.pdf", len(PDF))
    assert Attachment.objects.filter(file=sent["path"]).exists()
    for kind in ("txt", "html"):
        saved = visitor.client.get(f"/chat/help/transcript.{kind}").content.decode()
        assert "You sent a picture: leak.webp" in saved
    assert json.loads(visitor.client.get("/chat/help/transcript.json").content)["turns"][-1]["file"] == "leak.webp"


@pytest.mark.parametrize("how", ["erased", "kept long enough", "deleted at the desk", "with its bot"])
def test_files_and_what_the_team_wrote_are_deleted_with_their_conversation(
    how, visitor, inbox, media, admin_client, django_capture_on_commit_callbacks
):
    send_file(visitor)
    write(inbox, upload(PDF))
    write(inbox, text="Looks angry", kind="note")
    assert len(list((media / "attachments").iterdir())) == 2
    long_ago = timezone.now() - datetime.timedelta(days=8)
    for model, moment in ((Conversation, "started_at"), (Turn, "created_at"), (Entry, "created_at")):
        model.objects.update(**{moment: long_ago})
    with django_capture_on_commit_callbacks(execute=True):
        if how == "erased":
            call_command("visitor", "erase", str(Conversation.objects.get().public_id), "--yes")
        elif how == "kept long enough":
            Bot.objects.update(retention_days=7)
            retention.delete_expired()
        elif how == "with its bot":
            Bot.objects.all().delete()
        else:
            pk = Conversation.objects.get().pk
            admin_client.post(f"/admin/webchat/conversation/{pk}/delete/", {"post": "yes"})
    assert [model.objects.count() for model in (Conversation, Turn, Entry, Attachment)] == [0, 0, 0, 0]
    assert list((media / "attachments").iterdir()) == []


def test_files_without_a_row_are_deleted_after_a_day(visitor, media):
    storing.delete_abandoned()  # the folder may not exist yet
    send_file(visitor)
    yesterday = time.time() - datetime.timedelta(days=2).total_seconds()
    for name in ("old.webp", "new.webp"):
        (media / "attachments" / name).write_bytes(b"x")
    for file in (media / "attachments").iterdir():
        if file.name != "new.webp":
            os.utime(file, (yesterday, yesterday))
    storing.delete_abandoned()
    kept = {os.path.basename(Attachment.objects.get().file.name), "new.webp"}
    assert {file.name for file in (media / "attachments").iterdir()} == kept


def test_an_email_to_a_visitor_who_has_left_names_the_file(visitor, inbox, settings):
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", "https://chat.example.com"
    Conversation.objects.update(reply_email="jo@example.com")
    write(inbox, upload(PDF, "offer.pdf"))
    ago = timezone.now() - datetime.timedelta(minutes=5)
    Conversation.objects.update(visitor_seen_at=ago)
    Entry.objects.update(created_at=ago)
    replies.mail_replies()
    outbox.deliver_due()
    (sent,) = mail.outbox
    assert "Grace sent a file: offer.pdf" in sent.body
    assert sent.attachments == []
    assert "offer" not in sent.subject


def test_a_kiosk_shows_files_from_the_person_but_its_visitor_can_send_none(bot, grace, upstream, inbox, kiosk_visitor):
    visitor: Visitor = kiosk_visitor
    visitor.send("Hello")
    Conversation.objects.get().claim(grace)
    write(inbox, upload(picture(), "map.png"))
    write(inbox, upload(PDF, "offer.pdf"))
    page: Page = visitor.open()
    assert not page.all("input[@type='file']")
    assert not page.all("*[@data-send-file]")
    (source,) = [image.get("src") for image in page.all("figure//img")]
    response = visitor.client.get(source)
    assert response["Content-Type"] == "image/webp"
    response.close()
    assert not page.all("figure//a")
    assert "take the conversation with you" in page.all("figure")[-1].text_content()


def test_a_reply_with_a_file_sent_twice_is_stored_once(visitor, inbox, media):
    key = str(uuid.uuid4())
    for _ in range(2):
        write(inbox, upload(PDF), "Here", key=key)
    assert Attachment.objects.count() == 1
    assert len([file for file in media.rglob("*") if file.is_file()]) == 1

"""What a team member sets for themselves at the inbox: name, picture and canned replies."""

import io
from contextlib import closing

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html
from PIL import Image

from tests.desk.conftest import words
from tests.desk.test_inbox import INBOX, url
from webchat.models import Bot, CannedReply, TeamMember


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


@pytest.mark.parametrize(
    ("account", "name"),
    [
        ({"username": "grace@example.com"}, "grace"),
        ({"username": "grace", "first_name": "Grace", "last_name": "Hopper"}, "Grace Hopper"),
        ({"username": "@"}, "@"),
    ],
)
def test_visitors_read_no_e_mail_address_as_the_name_of_a_new_member(db, account, name):
    assert TeamMember.of(User.objects.create(**account)).name == name


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

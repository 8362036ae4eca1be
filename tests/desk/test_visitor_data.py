"""The page "A visitor's data": finding, downloading and deleting it without a terminal."""

import datetime
import io
import json
import logging
import zipfile

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client

from tests.desk.conftest import page, words
from webchat import encryption
from webchat.models import Attachment, Bot, Conversation, Customer, Handover, Turn
from webchat.models.conversations.conversation import Detail

URL = "/admin/visitor/"


def find(browser: Client, who: str) -> tuple[str, str]:
    """Send the form, and return the URL and the words of the page that it leads to."""
    response = browser.post(URL, {"who": who}, follow=True)
    return response.redirect_chain[-1][0], words(response)


def press(browser: Client, url: str, button: str) -> str:
    """Press a button of the page, and return the words of the page that it leads to."""
    return words(browser.post(url, {"do": button}, follow=True))


@pytest.fixture
def ada(said) -> Customer:
    """A customer with an account, two conversations and a request for a person."""
    customer = Customer.objects.create(user=User.objects.create(username="ada", email="ada@example.com"))
    for surface in ("portal", "embed"):
        turn = said("Where is my parcel?", visitor=customer.visitor, customer=customer, surface=surface)
    Handover.objects.create(
        bot=turn.conversation.bot, visitor=customer.visitor, email="ada@example.com", message="Call"
    )
    return customer


@pytest.fixture
def entered(said) -> Conversation:
    """A conversation in which a visitor who isn't signed in gave Ada's address."""
    conversation = said("My name is Ada").conversation
    conversation.store_details([Detail(kind="email", text="Ada@example.com")])
    return conversation


def test_a_customer_is_found_and_the_address_is_in_no_url_and_no_log(browser, ada, caplog):
    rows = {"conversation": Conversation.objects.first(), "handover": Handover.objects.get(), "customer": ada}
    for name, row in rows.items():  # their pages lead to everything about the visitor
        shown = page(browser.get(f"/admin/webchat/{name}/{row.pk}/change/"))
        (link,) = set(shown.xpath("//a[.='Everything about this visitor']/@href"))
        assert words(browser.get(link, follow=True)).count("Messages: 2"), name
    caplog.set_level(logging.DEBUG)
    for who in ("ADA@example.com ", "ada"):
        url, said = find(browser, who)
        assert url == f"{URL}?customer={ada.pk}"
        assert "Conversations: 2 Messages: 2 Requests for a person: 1 The customer, with their account here" in said
    response = browser.post(URL, {"who": "ada@example.com"})
    assert "ada" not in response["Location"]
    press(browser, url, "erase")
    assert "ada@" not in caplog.text


def test_everything_is_deleted_only_by_an_owner_after_the_confirmation_and_never_by_get(browser, staff, ada, entered):
    url, _said = find(browser, "ada")
    for way in ("delete", "erase", "download"):
        said = words(browser.get(f"{url}&do={way}"))
        assert ("This is deleted: Conversations: 2" in said) == (way == "delete")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post(url, {"do": "erase"}).status_code == 403
    others = staff("webchat.delete_conversation", "webchat.export_conversation", "webchat.view_conversation")
    assert [others.get(URL).status_code, others.post(url, {"do": "erase"}).status_code] == [403, 403]
    assert "A visitor’s data" not in words(others.get("/admin/"))
    assert Turn.objects.count() == 3
    assert "The visitor’s data was deleted." in press(browser, url, "erase")
    assert list(Conversation.objects.all()) == [entered]
    assert not Detail.objects.exists()
    assert not User.objects.filter(username="ada").exists()
    assert "Nothing found" in press(browser, url, "erase")  # pressed twice
    assert "Nothing found Check it for typing errors" in find(browser, "nobody@example.com")[1]
    response = browser.post(URL, {"who": " "})
    assert response.status_code == 422
    assert "Enter one of them." in words(response)
    for query in ("customer=x", "customer=99999999999999999999", "reference=x", "sought=x", "do=delete"):
        assert "Nothing found" in words(browser.get(f"{URL}?{query}"))
    assert "a-secret-key" not in browser.get(URL, {"sought": encryption.seal("a-secret-key")}).content.decode()
    deletions = LogEntry.objects.filter(change_message__startswith="Deleted a visitor’s data.")
    assert deletions.filter(user__username="olivia").count() == 1


def test_an_address_that_was_only_entered_leads_to_conversations_but_deletes_none(browser, entered):
    url, said = find(browser, "ada@example.com")
    assert "Details about the visitor: 1" in said
    assert "Conversations in which the address was entered" in said
    customer = Customer.objects.create(bot=entered.bot, subject="1", name="Ada", email="ada@example.com")
    assert "Details about the visitor: 1 The customer" in press(browser, url, "erase")
    assert Customer.objects.exists(), "who has signed in meanwhile"
    customer.delete()
    press(browser, url, "erase")
    assert list(Conversation.objects.all()) == [entered]
    assert not Detail.objects.exists()


def test_of_several_customers_one_is_chosen_and_until_then_nothing_is_deleted(browser, bot, said):
    for website in (bot, Bot.objects.create(slug="other", name="Other")):
        customer = Customer.objects.create(bot=website, subject="customer-17", name=f"Bob of {website}")
        said("Mine", bot=website, visitor=customer.visitor, customer=customer)
    url, shown = find(browser, "customer-17")
    assert "Several customers fit" in shown
    assert "Several customers fit" in press(browser, url, "erase")
    chosen = page(browser.get(url)).xpath("//a[contains(., 'Bob of Other')]/@href")[0]
    press(browser, URL + chosen, "erase")
    assert [customer.name for customer in Customer.objects.all()] == [f"Bob of {bot}"]


def test_a_download_holds_the_files_too_unless_they_are_lost(browser, ada, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    url, _said = find(browser, "ada")
    at = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
    agreed = {"consented_to": "Two years.\nAll of it.", "consented_at": at}
    Conversation.objects.filter(surface="portal").update(title="The blue parcel", **agreed)
    response = browser.post(url, {"do": "download"})
    assert response["Content-Disposition"] == 'attachment; filename="visitor.json"'
    portal, widget = json.loads(response.getvalue())["conversations"]
    assert (portal["title"], widget["title"], widget["consent"]) == ("The blue parcel", None, None)
    assert portal["consent"] == {"agreed": "2026-01-02T00:00:00+00:00", "text": "Two years.\nAll of it."}
    Turn.objects.update(state=Turn.State.PERSON)
    for turn in Turn.objects.all():
        pdf = {"name": "bill.pdf", "content_type": "application/pdf", "size": 8}
        kept = ContentFile(b"%PDF-1.4", "bill.pdf")
        Attachment.objects.create(conversation=turn.conversation, turn=turn, file=kept, **pdf)
    Attachment.objects.last().file.storage.delete(Attachment.objects.last().file.name)
    archive = zipfile.ZipFile(io.BytesIO(browser.post(url, {"do": "download"}).getvalue()))
    assert archive.testzip() is None
    path = Attachment.objects.first().file.name
    assert archive.namelist() == ["visitor.json", path]
    told = json.loads(archive.read("visitor.json"))
    assert told["conversations"][0]["consent"] == portal["consent"]
    assert path in [turn["file"]["path"] for one in told["conversations"] for turn in one["turns"]]
    assert archive.read(path) == b"%PDF-1.4"
    assert LogEntry.objects.filter(change_message__startswith="Exported a visitor’s data.").count() == 2

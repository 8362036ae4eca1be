"""The inbox at the desk: who sees and answers which conversations, and what happens to them."""

import csv
import datetime
import io
import json
import uuid
from functools import partial

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from lxml import html

from desk.exports import downloads
from desk.inbox.actions import requeue_unattended
from desk.team import membership
from docbot.endpoint import keys
from docbot.models import TrainedBot
from docbot.training.training import train
from tests.desk.conftest import words
from tests.webchat.concurrency import run_concurrently
from webchat.models import Bot, Conversation, Detail, Entry, Leader, TeamMember, Turn
from webchat.models.team import Role

INBOX = "/admin/inbox/"
HTMX = {"HX-Request": "true"}


def url(conversation: Conversation, action: str = "") -> str:
    return f"{INBOX}{conversation.public_id}/{action and f'{action}/'}"


def token_of(page: object) -> str:
    """Return the token in a page that tells what it shows of the inbox."""
    return html.fromstring(page.content).xpath("//input[@name='shown']/@value")[0]


def write(client: Client, conversation: Conversation, text: str, kind: str = "message", **more: object) -> object:
    fields = {"key": str(uuid.uuid4()), "kind": kind, "text": text} | more
    return client.post(url(conversation, "write"), fields, follow=True)


def test_waiting_visitors_come_first_and_are_counted_on_every_page(colleague, waiting, said):
    client, ann = colleague("Ann")
    mine = said("Mine").conversation
    mine.claim(ann)
    page = client.get(INBOX)
    assert page.content.index(b"Is my parcel lost?") < page.content.index(b"Mine")
    assert "(2) Inbox" in page.content.decode()
    assert "waiting < 1 min" in words(page)
    client.get(url(mine))
    page = client.get(INBOX).content
    assert "(1) Inbox" in page.decode()
    [own] = html.fromstring(page).xpath("//h2[@data-own]")
    assert own.text_content().split() == ["Mine", "1"]
    Turn.objects.create(conversation=mine, message="Are you there?", state=Turn.State.PERSON)
    [own] = html.fromstring(client.get(INBOX).content).xpath("//h2[@data-own]")
    assert own.text_content().split() == ["Mine", "1", "New", "message"]
    badge = html.fromstring(client.get("/admin/").content).xpath("//*[@data-badge]")[0]
    assert badge.text_content().split() == ["2", "unread"]


def test_the_views_all_and_closed_and_the_search(colleague, said, django_assert_max_num_queries):
    client, ann = colleague("Ann")
    done = said("About the invoice").conversation
    done.claim(ann)
    write(client, done, "It was paid yesterday")
    done.close(ann)
    said("Something else")
    for number in range(30):
        said(f"Question {number}").conversation.join_queue()
    with django_assert_max_num_queries(16):
        client.get(INBOX)
    assert "Something else" in words(client.get(f"{INBOX}?show=all"))
    closed = words(client.get(f"{INBOX}?show=closed"))
    assert "About the invoice" in closed
    assert "Something else" not in closed
    done.store_details([Detail(kind="own", question="Your order’s number", text="A-4711")])
    for searched in ("paid+yesterday", "a-4711"):
        found = words(client.get(f"{INBOX}?q={searched}"))
        assert "About the invoice" in found
        assert "Something else" not in found


def test_a_conversation_is_claimed_answered_and_closed(colleague, waiting):
    client, _ = colleague("Ann")
    page = client.post(url(waiting, "claim"), follow=True)
    assert "Answered by you" in words(page)
    page = html.fromstring(write(client, waiting, "x" * 10_001).content)
    [box] = page.xpath("//*[@id='inbox-text']")
    assert "too long" in page.xpath("string(//*[@id='inbox-refusal'])")
    assert len(box.text.strip()) == 10_001
    assert box.get("maxlength") is None  # browsers cut a pasted text there without a word
    assert not waiting.entries.filter(kind="message").exists()
    page = write(client, waiting, "It is **on its way**.")
    assert html.fromstring(page.content).xpath("//*[@data-team-message]//strong/text()") == ["on its way"]
    client.post(url(waiting, "close"))
    waiting.refresh_from_db()
    assert (waiting.led_by, waiting.resolved_at is not None) == (Leader.BOT, True)
    trail = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
    assert list(trail)[1:] == ["Claimed.", "Closed."]


def test_text_written_to_a_conversation_that_was_taken_or_is_gone_is_kept(colleague, waiting):
    (client, ann), (_, bea) = colleague("Ann"), colleague("Bea")
    client.post(url(waiting, "claim"))
    for go, why in (
        (lambda: waiting.hand_over_to(ann, bea), "Bea has taken this conversation."),
        (lambda: TeamMember.objects.filter(pk=ann.pk).update(all_bots=False), "Your account doesn’t have permission."),
        (waiting.bot.begin_deletion, "The conversation has been deleted."),
        (waiting.delete, "The conversation has been deleted."),
    ):
        go()
        page = write(client, waiting, "My long answer")
        assert why in words(page)
        assert html.fromstring(page.content).xpath("//textarea[@name='text']/text()")[0].strip() == "My long answer"
        assert not Entry.objects.filter(kind="message").exists()


def test_text_changed_after_its_answer_was_lost_is_kept_and_sent_with_another_key(colleague, waiting):
    client, _ = colleague("Ann")
    fragments = html.fromstring(client.post(url(waiting, "claim"), headers=HTMX).content)
    assert not fragments.xpath("//li[@data-new]")  # claimed while it is open, it is no longer unread
    form = {"key": uuid.uuid4(), "kind": "message", "text": "It is on its way"}
    for _ in range(2):
        client.post(url(waiting, "write"), form, headers=HTMX)
    changed = form | {"text": "It is on its way, and free"}
    fragments = html.fromstring(client.post(url(waiting, "write"), changed, headers=HTMX).content)
    assert "Send your message again." in fragments.xpath("string(//*[@id='inbox-refusal'])")
    [key] = fragments.xpath("//input[@id='inbox-key']/@value")
    client.post(url(waiting, "write"), changed | {"key": key}, headers=HTMX)
    said = Entry.objects.filter(kind="message").order_by("pk").values_list("text", flat=True)
    assert list(said) == [form["text"], changed["text"]]


def test_a_conversation_is_handed_back_to_the_bot_or_to_a_colleague(colleague, waiting):
    (client, ann), (theirs, bea) = colleague("Ann"), colleague("Bea")
    foreign = colleague("Cleo", Bot.objects.create(slug="other", name="Other"))[1]
    colleague("Dora")
    TeamMember.objects.filter(pk=bea.pk).update(is_available=False)
    page = client.post(url(waiting, "claim"), follow=True)
    offered = html.fromstring(page.content).xpath("//select[@name='colleague']/option/text()")
    assert offered == ["Dora", "Bea (away)"]
    page = client.post(url(waiting, "hand-over"), {"colleague": foreign.pk})
    assert "Choose a colleague" in words(page)
    client.post(url(waiting, "hand-over"), {"colleague": bea.pk})
    waiting.refresh_from_db()
    assert waiting.team_member == bea
    assert [theirs.get(page).context["unread"] for page in (INBOX, url(waiting), INBOX)] == [1, 0, 0]
    assert "Handed over to Bea" in words(theirs.get(url(waiting)))
    assert "Bea has taken this conversation." in words(client.post(url(waiting, "hand-back")))
    waiting.hand_over_to(bea, ann)
    client.post(url(waiting, "hand-back"))
    waiting.refresh_from_db()
    assert waiting.led_by == Leader.BOT
    assert LogEntry.objects.filter(change_message="Handed over to \u2068Bea\u2069.").exists()


def test_a_conversation_can_only_be_taken_over_from_a_colleague_who_is_away(colleague, waiting):
    (client, ann), (_, bea) = colleague("Ann"), colleague("Bea")
    waiting.claim(bea)
    assert "Bea has taken this conversation." in words(client.post(url(waiting, "claim")))
    assert "Take over" not in words(client.get(url(waiting)))
    assert client.post(url(waiting, "take-over")).status_code == 409
    TeamMember.objects.filter(pk=bea.pk).update(seen_at=None)
    client.post(url(waiting, "take-over"))
    waiting.refresh_from_db()
    assert waiting.team_member == ann
    assert LogEntry.objects.filter(change_message="Taken over from \u2068Bea\u2069.").exists()


LOSSES = {
    "removed from the team": membership.remove,
    "given a role that only reads": lambda member: membership.give_role(member, Role.READS, True, []),
    "given other bots": lambda member: membership.give_role(member, Role.ANSWERS, False, []),
    "switched off": lambda member: User.objects.filter(pk=member.user_id).update(is_active=False),
}


@pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES)
def test_a_member_who_may_no_longer_answer_returns_their_visitors_to_the_queue(lose, owner, colleague, waiting, said):
    (_, ann), (_, bea) = colleague("Ann"), colleague("Bea")
    waiting.claim(ann)
    (kept := said("Another").conversation).claim(bea)
    lose(ann)
    requeue_unattended()
    waiting.refresh_from_db()
    kept.refresh_from_db()
    assert (waiting.led_by, kept.team_member) == (Leader.QUEUE, bea)
    assert LogEntry.objects.filter(change_message__startswith="Put back into the queue").count() == 1


# How many minutes ago the visitor wrote, and was on the page; whether the person has answered, and has the inbox open.
# The bot's longest wait is five minutes.
IN_VAIN = {
    "away": (6, 0, False, False, Leader.QUEUE),
    "not away": (6, 0, False, True, Leader.PERSON),
    "away for a moment": (4, 0, False, False, Leader.PERSON),
    "answered": (6, 0, True, False, Leader.PERSON),
    "gone": (6, 20, False, False, Leader.PERSON),
}


@pytest.mark.parametrize(("wrote", "seen", "answered", "present", "led_by"), IN_VAIN.values(), ids=IN_VAIN)
def test_nobody_waits_for_a_person_who_is_away(wrote, seen, answered, present, led_by, owner, colleague, waiting):
    (client, _), (theirs, bea) = colleague("Ann"), colleague("Bea")
    waiting.claim(bea)
    write(theirs, waiting, "Good morning!")
    asked_at = timezone.now() - datetime.timedelta(minutes=wrote)
    Turn.objects.create(conversation=waiting, message="And now?", state=Turn.State.PERSON, created_at=asked_at)
    if answered:
        write(theirs, waiting, "Now it is there.")
    Conversation.objects.update(visitor_seen_at=timezone.now() - datetime.timedelta(minutes=seen))
    TeamMember.objects.filter(pk=bea.pk).update(seen_at=timezone.now() if present else None)
    requeue_unattended()
    waiting.refresh_from_db()
    assert waiting.led_by == led_by
    assert client.get(INBOX).context["unread"] == (led_by == Leader.QUEUE)
    if led_by == Leader.QUEUE:
        assert waiting.led_since == asked_at, "the visitor keeps the place"
        assert "Bea is away: the visitor is back in the queue" in words(client.get(url(waiting)))


def test_an_inbox_that_no_visitor_can_reach_says_what_to_turn_on(browser, colleague, bot):
    [link] = html.fromstring(browser.get(INBOX).content).xpath("//*[@id='inbox-rows']/p[1]/a")
    assert link.text_content() == bot.name
    switch = link.get("href").partition("#")
    assert html.fromstring(browser.get(switch[0]).content).get_element_by_id(switch[2]).get("name") == "people_answer"
    client, _ = colleague("Ann")
    assert "Whoever runs the bot can turn on" in words(client.get(INBOX))
    Bot.objects.update(people_answer=True)
    assert "turn on" not in words(client.get(INBOX)) + words(browser.get(INBOX))


def test_a_conversation_that_its_visitor_has_ended_is_read_only(colleague, waiting):
    client, ann = colleague("Ann")
    waiting.claim(ann)
    assert "Enter sends" in words(client.get(url(waiting)))
    waiting.end()
    page = client.get(url(waiting))
    assert not html.fromstring(page.content).xpath("//form[@id='inbox-composer']")
    assert "stopped waiting" not in words(page)
    update = client.get(f"{INBOX}updates/{token_of(page)}/?visible", headers=HTMX)  # an inbox that was opened before
    assert not html.fromstring(update.content).xpath("//button[@name='kind']")
    for part in ("inbox-inserts", "inbox-hint"):
        assert html.fromstring(update.content).get_element_by_id(part).text_content() == ""
    assert "The visitor has ended this conversation." in words(client.post(url(waiting, "claim")))


def test_the_same_message_sent_several_times_at_once_is_stored_once(database_on_disk, colleague, waiting):
    client, ann = colleague("Ann")
    waiting.claim(ann)
    fields = {"key": "6f9619ff-8b86-4011-b42d-00c04fc964ff", "kind": "message", "text": "Hello"}
    press = partial(client.post, url(waiting, "write"), fields)
    run_concurrently(press, press, press)
    assert [entry.text for entry in waiting.entries.filter(kind="message")] == ["Hello"]


def test_what_the_team_wrote_is_exported_but_no_note(admin_client, client_of_ann, waiting, django_assert_num_queries):
    write(client_of_ann, waiting, "=It is on its way")
    page = write(client_of_ann, waiting, "A difficult customer", kind="note")
    assert "Internal note · Ann A difficult customer" in words(page)
    Turn.objects.create(conversation=waiting, message="Thank you", state=Turn.State.PERSON)
    with django_assert_num_queries(4):  # turns, entries and details, for each 1,000 rows
        text = b"".join(downloads.as_csv(Conversation.objects.all()).streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["message"], row["reply"], row["team_member"]) for row in rows] == [
        ("Is my parcel lost?", "I don’t know.", ""),
        ("", "", ""),
        ("", "", "Ann"),
        ("", "'=It is on its way", "Ann"),
        ("Thank you", "", ""),
    ]
    [exported] = json.loads(b"".join(downloads.as_json(Conversation.objects.all()).streaming_content))
    assert [entry["kind"] for entry in exported["team"]] == ["queued", "joined", "message"]
    assert "difficult" not in " ".join(entry.text for entry in waiting.entries.for_visitors())
    seen = words(admin_client.get(f"/admin/webchat/conversation/{waiting.pk}/seen/"))
    assert "It is on its way" in seen
    assert "difficult" not in seen


def test_each_day_is_named_once_each_message_has_its_time_and_a_late_reply_is_marked(colleague, said):
    turn, at = said("Sent yesterday"), datetime.datetime(2026, 3, 4, 12, 47, tzinfo=datetime.UTC)
    Turn.objects.filter(pk=turn.pk).update(created_at=at, late_reply="The bot’s late words")
    Turn.objects.create(conversation=turn.conversation, message="Sent now", state=Turn.State.PERSON)
    page = html.fromstring(colleague("Ann")[0].get(url(turn.conversation)).content)
    items = [" ".join(each.text_content().split()) for each in page.xpath("//ol[@id='inbox-transcript']/li")]
    assert items[0] == "4 Mar 2026"
    assert "Sent yesterday 12:47" in items[1]
    assert "arrived too late, not shown to the visitor" in items[1]
    assert items[2].split() == timezone.localtime().strftime("%-d %b %Y").split()


def test_a_reply_is_suggested_without_sources_which_are_listed(client_of_ann, waiting, said, settings, tmp_path):
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    trained = TrainedBot.objects.create(slug="shop", name="Shop", credits=3)
    settings.IN_PROCESS_KEY = keys.issue(trained, "here")[1]
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "var", tmp_path / "var" / "media"
    (tmp_path / "parcels.md").write_text("# Parcels\n\n## Is my parcel lost?\n\nA parcel is lost after ten days.\n")
    for city in ("Bonn", "Mainz", "Trier"):
        (tmp_path / f"{city}.md").write_text(f"# {city}\n\n## Opening hours\n\nThe shop opens at nine.\n")
    train(trained, sorted(tmp_path.glob("*.md")))
    in_another_language = "Ist mein Parcel lost? Ich finde es nicht."
    for message in ("Is my parcel lost?", in_another_language):
        waiting.turns.update(message=message)
        page = client_of_ann.post(url(waiting, "write"), {"put": "suggestion"})
        (text,) = html.fromstring(page.content).xpath("//textarea[@name='text']/text()")
        assert text.strip() == "A parcel is lost after ten days."
    waiting.turns.update(message="When does the shop open?")
    page = client_of_ann.post(url(waiting, "write"), {"put": "suggestion"})
    assert "The documents have no answer to the last message." in words(page)  # the bot would ask which one is meant
    hours = 'Source: [Shop › Hours](https://shop.example.com/hours "We open at nine.")'
    said("Hours?", f"We open at nine.\n\n{hours}", conversation=waiting)
    said("Returns?", 'Bring it back.\n\nSource: [Returns](#source "Bring it back.")', conversation=waiting)
    said("And on Monday?", f"At nine, too.\n\n{hours}", conversation=waiting)
    facts = html.fromstring(client_of_ann.get(url(waiting)).content.decode()).get_element_by_id("inbox-facts")
    listed = [" ".join(item.text_content().split()) for item in facts.xpath(".//ul/li")]
    assert listed == ["Shop › Hours", "Returns"]
    assert facts.xpath(".//ul//a/@href") == ["https://shop.example.com/hours"]


def test_a_row_shows_the_state_of_its_last_message_and_how_long_ago_it_was(colleague, said):
    turn, (client, _) = said("When are you open?"), colleague("Ann")
    Conversation.objects.update(started_at=timezone.now() - datetime.timedelta(hours=2, minutes=1))
    for fields, shown in (
        ({}, "answered"),
        ({"outcome": "not_known"}, "didn’t know"),
        ({"outcome": "not_sure"}, "not sure"),
        ({"state": "failed", "code": "NO_ANSWER"}, "failed"),
        ({"state": "person"}, "with a person"),
    ):
        Turn.objects.update(**{"outcome": "", "state": "answered", "code": ""} | fields)
        listed = html.fromstring(client.get(f"{INBOX}?show=all").content.decode())
        row = " ".join(listed.get_element_by_id(f"inbox-row-{turn.conversation_id}").text_content().split())
        assert f"Ada · {turn.conversation.get_surface_display()} · {shown}" in row
        assert "2 h ago" in row

"""A site with a waiting visitor, another conversation, and the inbox of an owner who answers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.owner import logged_in, owner_row
from tests.browser.site import Site, bot_row

PUBLIC_ID = "00000000-0000-4000-8000-000000000071"
OTHER_ID = "00000000-0000-4000-8000-000000000072"
OPEN = f"/admin/inbox/{PUBLIC_ID}/"


@pytest.fixture(scope="package")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with an owner who answers, a waiting visitor, and a canned reply."""
    asked = {"conversation": 71, "message": "Is my parcel lost?", "reply": "I don’t know.", "state": "answered"}
    waiting = {"bot": 7, "visitor": "0" * 64, "surface": "chat", "public_id": PUBLIC_ID, "changes": 1}
    waiting["visitor_seen_at"] = "2099-01-02T03:04:05Z"  # whoever is gone leaves the queue
    many = {"bot": 7, "surface": "chat", "visitor_seen_at": waiting["visitor_seen_at"]}
    other = {"conversation": 72, "message": "How do I make a backup?"}
    since = {"led_by": "queue", "led_since": "2026-01-02T03:04:05Z"}
    member = {"user": 1, "name": "Olivia", "is_available": True}
    rows = [
        owner_row(),
        bot_row(7, "shop", people_answer=True),
        {"model": "auth.user", "pk": 2, "fields": {"username": "bea", "password": "!", "is_staff": True}},
        {"model": "webchat.teammember", "pk": 1, "fields": member},
        {"model": "webchat.teammember", "pk": 2, "fields": {"user": 2, "name": "Bea", "role": "answers"}},
        {"model": "webchat.cannedreply", "pk": 1, "fields": {"shortcut": "hours", "text": "We open at **nine**."}},
        {"model": "webchat.conversation", "pk": 71, "fields": waiting | since},
        {"model": "webchat.turn", "pk": 711, "fields": asked},
        {"model": "webchat.conversation", "pk": 72, "fields": waiting | {"visitor": "1" * 64, "public_id": OTHER_ID}},
        {"model": "webchat.turn", "pk": 721, "fields": asked | other},
        *[{"model": "webchat.conversation", "pk": n, "fields": many | {"visitor": str(n)}} for n in range(80, 90)],
    ]
    with Site(tmp_path_factory.mktemp("inbox-site"), "docbot://in-process", rows, WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture(autouse=True)
def nobody_answers(own_site: Site) -> None:
    """Free all conversations after each test."""
    free = "led_by = 'bot', team_member_id = NULL, changes = changes + 1"
    own_site.ask_database(f"UPDATE webchat_conversation SET {free} WHERE led_by = 'person'")


@pytest.fixture
def inbox(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, "/admin/inbox/") as page:
        yield page

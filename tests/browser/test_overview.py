"""The overview in a real browser: each card leads to where it can be fixed, on any screen, in light and dark."""

import datetime
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.owner import logged_in, owner_row
from tests.browser.site import Site, bot_row
from tests.browser.test_desk import OPTIONS

SIZES = ((360, 640), (768, 1024), (1280, 800), (1920, 1080))
SEEN_BY_AXE = {("light", 1280), ("dark", 360)}  # in between the layout is one of these two
LONG_AGO = "2026-01-02T03:04:05Z"


def row(model: str, key: object, /, **fields: object) -> dict[str, object]:
    return {"model": model, "pk": key, "fields": fields}


def busy_rows() -> list[dict[str, object]]:
    """Something in each card, and the figures of two days."""
    now = datetime.datetime.now(datetime.UTC)
    today = now.date()
    turn = {"conversation": 71, "message": "Is my parcel lost?", "reply": "I don’t know.", "state": "answered"}
    alarm = {"bot": 7, "cause": "key_refused", "number": 1, "raised_at": now.isoformat(), "held_back": 11}
    question = {"chat": 1, "reply": "–", "certainty": "unknown", "sources": [], "created_at": LONG_AGO}
    return [
        owner_row(),
        bot_row(7, "shop", daily_budget=500, people_answer=True),
        row(
            "webchat.conversation", 71, bot=7, visitor="0" * 64, led_by="queue", led_since=LONG_AGO, started_at=LONG_AGO
        ),
        {"model": "webchat.turn", "pk": 711, "fields": turn | {"created_at": LONG_AGO, "ended_at": LONG_AGO}},
        row("webchat.handover", 1, bot=7, surface="chat", visitor="0" * 64, email="jo@example.com", message="Call me"),
        {"model": "webchat.alarm", "pk": 1, "fields": alarm | {"facts": {"code": "INVALID_API_KEY"}}},
        row("webchat.allowance", "budget:7", window=today.toordinal(), used=430),
        row("docbot.trainedbot", 9, slug="shop-documents", name="Shop documents"),
        row("docbot.document", 91, trained_bot=9, kind="upload", location="/prices.xls", problem="Save it as XLSX."),
        row("docbot.chat", 1, chat_id="one", trained_bot=9),
        *(row("docbot.exchange", n, message=f"Do you rent out tents? {n}", **question) for n in range(1, 4)),
        *(
            row("desk.tally", 10 * days + n, bot=7, day=str(today - datetime.timedelta(days)), surface="chat", **fields)
            for days in (0, 7)
            for n, fields in enumerate(
                (
                    {"measure": "conversations", "number": 120 + days},
                    {"measure": "answered", "number": 480 - days},
                    {"measure": "failed", "name": "INVALID_API_KEY", "number": 12},
                    {"measure": "reply_time", "name": "80", "number": 480},
                ),
                start=1,
            )
        ),
    ]


@pytest.fixture(scope="module")
def busy_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("busy-site"), "docbot://in-process", busy_rows(), WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture(scope="module")
def fresh_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("fresh-site"), "docbot://in-process", [owner_row()], WEB_PROCESSES=1) as site:
        yield site


def complaints(desk: Page) -> list[str]:
    """What axe and the eye have against the page, in both schemes and each size."""
    found = []
    for scheme in ("light", "dark"):
        desk.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            desk.set_viewport_size({"width": width, "height": height})
            desk.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # colours fade
            rules = Axe().run(desk, options=OPTIONS).response["violations"] if (scheme, width) in SEEN_BY_AXE else []
            for rule in rules:
                found += [f"{scheme} {width} {rule['id']}: {node['html'][:120]}" for node in rule["nodes"]]
            if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{scheme}: wider than {width}")
    return found


def test_each_card_links_to_where_its_problem_is_fixed(browser: Browser, busy_site: Site):
    with logged_in(browser, busy_site, "/admin/") as desk:
        expect(desk.get_by_role("region", name="Something is wrong")).to_contain_text(
            "Ada’s service has refused its key"
        )
        desk.get_by_role("link", name="Enter the key again").click()
        expect(desk.locator("#id_new_key")).to_be_in_viewport()
        for name, title in (
            ("Look at them", "Unanswered questions"),
            ("See why", "Shop documents"),
            ("Read the requests", "Requests for a person"),
            ("Open the inbox", "Inbox"),
            ("Change the limit", "Ada"),
        ):
            desk.goto(f"{busy_site.url}/admin/")
            desk.get_by_role("main").get_by_role("link", name=name, exact=True).click()
            expect(desk.locator("h1")).to_have_text(title)


def test_a_busy_day_is_for_everyone_and_fits_each_screen(browser: Browser, busy_site: Site):
    with logged_in(browser, busy_site, "/admin/") as desk:
        assert not (found := complaints(desk)), "\n".join(found)


def test_a_fresh_site_leads_to_its_page(browser: Browser, fresh_site: Site):
    with logged_in(browser, fresh_site, "/admin/") as desk:
        expect(desk.get_by_text("This site’s manual is all that Help can answer from.")).to_be_visible()
        assert not (found := complaints(desk)), "\n".join(found)
        with desk.expect_popup() as opened:
            desk.get_by_role("link", name="Open the page").click()
        expect(opened.value).to_have_url(f"{fresh_site.url}/chat/help/")

"""The owner's way at the desk: a bot is changed beside its preview, tested, and its words and figures are read."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.site import Site, bot_row

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"], "preload": False}
PAGES = (
    *(
        "/admin/",
        "/admin/insights/",
        "/admin/webchat/bot/",
        *(
            f"/admin/webchat/bot/7/{tab}/"
            for tab in ("change", "answers", "look", "places", "people", "limits", "service")
        ),
        "/admin/insights/?bot=long",
        "/admin/setup/long/place/",
        "/admin/webchat/bot/7/test/",
        "/admin/webchat/bot/7/look/?words=ar",
        "/admin/webchat/bot/7/model/",
    ),
    *("/admin/webchat/conversation/", "/admin/webchat/conversation/71/change/", "/admin/admin/logentry/"),
    *("/admin/inbox/", "/admin/inbox/profile/"),
    "/admin/docbot/trainedbot/",
    *(f"/admin/docbot/trainedbot/1/{tab}/" for tab in ("change", "try", "keys")),
    *(f"/admin/docbot/{model}/?trained_bot__id__exact=1" for model in ("document", "chat")),
    "/admin/docbot/unknownquestion/?chat__trained_bot__id__exact=1",
)
LONG_NAME = "Bundesverwaltungsgerichtsentscheidungssammlung für Rheinland-Pfalz und das Saarland"[:80]
# Of the search box, beside what stands below it.
INDENT = """() => Math.round(document.getElementById("searchbar").getBoundingClientRect().left
  - document.getElementById("toolbar").getBoundingClientRect().left)"""

TARGET = 44  # px
BUTTONS = ".button, input[type=submit], .object-tools a"
CONTROLS = f"{BUTTONS}, .desk-nav a, .tabs a, select, input[type=text], #logout-form button, .theme-toggle"
TOO_LOW = """(all, least) => all.filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().height < least)
  .map((each) => `${each.outerHTML.slice(0, 100)} ${each.getBoundingClientRect().height}`)"""
WITHOUT_EDGE = """(all) => all.filter((each) => each.checkVisibility())
  .filter((each) => getComputedStyle(each).borderTopWidth === "0px")
  .map((each) => each.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With an owner, a bot before docbot, and a conversation about it."""
    conversation = {"bot": 7, "visitor": "0" * 64, "surface": "chat"}
    turn = {"conversation": 71, "message": "When do you open?", "reply": "At **nine**.", "state": "answered"}
    rows = [
        owner_row(),
        bot_row(7, "shop", languages="de,ar", hours="Mon-Fri 9-12, 13-17"),
        bot_row(8, "long", name=LONG_NAME, daily_budget=10),
        {"model": "kiosk.device", "pk": 9, "fields": {"name": "Lobby", "bot": 7, "token_hash": "0" * 64}},
        {"model": "webchat.conversation", "pk": 71, "fields": conversation},
        {"model": "webchat.turn", "pk": 711, "fields": turn},
    ]
    with Site(tmp_path_factory.mktemp("desk-site"), "docbot://in-process", rows, WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture
def desk(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, "/admin/") as page:
        yield page


def test_a_bot_is_changed_before_its_preview_and_tested(desk: Page, own_site: Site):
    desk.get_by_role("navigation", name="Desk").get_by_role("link", name="Bots", exact=True).click()
    desk.locator("#result_list").get_by_role("link", name="Ada").click()
    desk.get_by_role("link", name="Look", exact=True).first.click()
    preview = desk.frame_locator("iframe[name=preview]")
    expect(preview.locator("[data-greeting]")).to_contain_text("Ask me anything")
    desk.get_by_label("Greeting").fill("Welcome to the **shop**")
    expect(preview.locator("[data-greeting] strong")).to_have_text("shop")
    desk.get_by_role("button", name="Widget").click()
    expect(preview.locator(".launcher")).to_be_visible()
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator(".messagelist")).to_contain_text("Saved.")

    desk.get_by_role("link", name="Service & keys").click()
    desk.get_by_role("link", name="Test this bot").click()
    expect(desk.get_by_text("It costs what a visitor’s message costs")).to_be_visible()
    desk.get_by_role("button", name="Test this bot").click()
    expect(desk.locator("[data-findings] [data-finding]").first).to_be_visible()

    desk.get_by_role("link", name="Audit trail").click()
    expect(desk.locator("#result_list")).to_contain_text("Tested:")
    expect(desk.locator("#result_list")).to_contain_text("Changed Greeting")


def test_what_is_not_saved_is_warned_of_and_what_is_refused_leads_to_its_field(desk: Page, own_site: Site):
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
    desk.get_by_text("Colour and pictures").click()
    picker = desk.get_by_label("Choose the accent colour")
    picker.fill("#ff8800")
    expect(desk.get_by_label("Accent colour:", exact=True)).to_have_value("#ff8800")
    expect(desk.locator("[data-shades]")).to_contain_text("darkened: contrast")
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")
    desk.once("dialog", lambda dialog: dialog.dismiss())
    with desk.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        desk.get_by_role("link", name="Service & keys").click(no_wait_after=True)
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")

    desk.get_by_label("Accent colour:", exact=True).fill("orange")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-problems]")).to_be_focused()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Accent colour:", exact=True)).to_be_focused()
    desk.get_by_label("Accent colour:", exact=True).fill("")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator(".messagelist")).to_contain_text("Saved.")
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
    expect(desk.get_by_label("Accent colour:", exact=True)).to_be_hidden()
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/look/#section-accent")
    expect(desk.get_by_label("Accent colour:", exact=True)).to_be_visible()


def test_words_and_hours_are_entered_with_the_keyboard_alone_and_without_javascript(browser: Browser, own_site: Site):
    """The owner has logged in before; from there on no script runs."""
    with logged_in(browser, own_site, "/admin/") as page:
        state = page.context.storage_state()
    with closing(browser.new_context(storage_state=state, java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
        page.get_by_role("link", name="Deutsch").press("Enter")
        page.get_by_label("Greeting").press_sequentially("Guten Tag!")
        page.get_by_role("button", name="Save", exact=True).press("Enter")
        expect(page.locator(".messagelist")).to_contain_text("Visitors who read Deutsch")
        page.goto(f"{own_site.url}/admin/webchat/bot/7/people/")
        page.locator("summary", has_text="Hours").focus()
        page.keyboard.press("Enter")
        page.get_by_label("Saturday, from").first.press_sequentially("10")
        page.keyboard.press("Tab")
        page.keyboard.type("14:30")
        page.get_by_role("button", name="Save", exact=True).press("Enter")
        expect(page.locator(".messagelist")).to_contain_text("Saved.")
        expect(page.get_by_label("Saturday, to").first).to_have_value("14:30")
        page.goto(f"{own_site.url}/chat/shop/?lang=de")
        expect(page.get_by_text("Guten Tag!")).to_be_visible()


def test_a_conversation_is_read_as_its_visitor_saw_it(desk: Page, own_site: Site):
    desk.goto(f"{own_site.url}/admin/webchat/conversation/")
    desk.get_by_role("link", name="When do you open?").click()
    seen = desk.frame_locator(".seen iframe")
    expect(seen.locator("[data-reply] strong")).to_have_text("nine")
    expect(seen.locator("[data-composer]")).to_be_hidden()


@pytest.mark.timeout(300)
def test_every_page_is_for_everyone_and_on_a_phone_it_fits_and_a_finger_hits_every_control(desk: Page, own_site: Site):
    complaints: list[str] = []
    tall = {}
    for path in (path for path in PAGES if path.startswith("/admin/webchat/bot/7/")):
        desk.goto(own_site.url + path)
        tall[path] = desk.evaluate("document.documentElement.scrollHeight / innerHeight")
    assert {path: screens for path, screens in tall.items() if screens > 1.5} == {}
    desk.context.new_cdp_session(desk).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for path in PAGES:
        desk.set_viewport_size({"width": 1280, "height": 800})
        desk.goto(own_site.url + path)
        for rule in Axe().run(desk, options=OPTIONS).response["violations"]:
            complaints += [f"{path} {rule['id']}: {node['html'][:120]}" for node in rule["nodes"]]
        desk.set_viewport_size(PHONE)
        if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
            complaints.append(f"{path} is wider than a phone")
        if desk.locator("#searchbar").count() and desk.evaluate(INDENT):
            complaints.append(f"{path} indents its search box")
        complaints += [f"{path} {each}" for each in desk.locator(CONTROLS).evaluate_all(TOO_LOW, TARGET)]
        desk.emulate_media(forced_colors="active")
        complaints += [f"{path} no edge: {each}" for each in desk.locator(BUTTONS).evaluate_all(WITHOUT_EDGE)]
        desk.emulate_media(forced_colors="none")
    assert not complaints, "\n".join(complaints)


# Of the field that has the focus: how far the bar with "Save" covers it.
COVERED = """() => {
  const field = document.activeElement.getBoundingClientRect(), bar = document.querySelector(".submit-row");
  return bar.contains(document.activeElement) ? 0 : field.bottom - bar.getBoundingClientRect().top;
}"""


def test_the_bar_with_save_covers_no_field_that_has_the_focus(desk: Page, own_site: Site):
    desk.set_viewport_size({"width": 1280, "height": 500})
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/limits/")
    desk.evaluate("document.querySelectorAll('#bot_form details').forEach((section) => (section.open = true))")
    desk.locator("form[id=bot_form] :is(input, textarea, select):visible").first.focus()
    for _ in range(12):
        assert desk.evaluate(COVERED) <= 0  # WCAG 2.4.11
        desk.keyboard.press("Tab")


def test_dismissing_a_kiosk_looks_like_what_it_does(desk: Page, own_site: Site):
    desk.goto(f"{own_site.url}/admin/kiosk/device/9/change/")
    colours = {
        name: desk.get_by_role("button", name=name, exact=True).evaluate("(it) => getComputedStyle(it).backgroundColor")
        for name in ("Save", "Pause", "Reload", "Dismiss")
    }
    assert colours["Pause"] == colours["Reload"]
    assert len(set(colours.values())) == 3

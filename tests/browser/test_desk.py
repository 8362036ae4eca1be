"""The owner's way at the desk: a bot is changed beside its preview, tested, and its words and figures are read."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from django.urls import resolve
from playwright.sync_api import Browser, Locator, Page, Position, expect

from tests.browser.axe import complaints
from tests.browser.busy_desk import REFERENCE, desk_rows
from tests.browser.owner import PHONE, log_in, logged_in, wait_for_training
from tests.browser.site import ROOT, Site
from tests.browser.waiting import PATIENCE

TABS = [
    f"/admin/webchat/bot/7/{tab}/" for tab in ("change", "answers", "look", "places", "people", "service", "limits")
]
# Where the walk through all pages begins: besides the overview, pages of one kind that look different.
PAGES = (
    "/admin/",
    *TABS,
    "/admin/insights/?bot=long",
    "/admin/insights/?bot=shop",
    "/admin/setup/long/place/",
    "/admin/webchat/bot/7/look/?words=ar",
    "/admin/docbot/trainedbot/1/change/",
    "/admin/webchat/conversation/",
    "/admin/webchat/conversation/?read=73",
    *(f"/admin/visitor/{query}" for query in ("", f"?reference={REFERENCE}", f"?reference={REFERENCE}&do=delete")),
    "/admin/confirm/",
)
# Of the search box, beside what stands below it.
INDENT = """() => document.getElementById("searchbar") && Math.round(
  document.getElementById("searchbar").getBoundingClientRect().left
  - document.getElementById("toolbar").getBoundingClientRect().left)"""

# The page's height in screens, with whichever of its sections or occasions makes it the tallest.
TALLEST = """() => {
  const screens = () => document.documentElement.scrollHeight / innerHeight;
  const heights = [screens()];
  for (const section of document.querySelectorAll("details[name=section]")) {
    section.open = true;
    heights.push(screens());
    for (const occasion of section.querySelectorAll(".inline-related > details")) {
      occasion.open = true;
      heights.push(screens());
      occasion.open = false;
    }
  }
  return Math.max(...heights);
}"""

TARGET = 44  # px
BUTTONS = ".button, input[type=submit], .object-tools a"
CONTROLS = f"{BUTTONS}, .desk-nav a, .tabs a, select, input[type=text], #logout-form button, .theme-toggle"
TOO_LOW = """(all, least) => all.filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().height < least)
  .map((each) => `${each.outerHTML.slice(0, 100)} ${each.getBoundingClientRect().height}`)"""
WITHOUT_EDGE = """(all) => all.filter((each) => each.checkVisibility())
  .filter((each) => getComputedStyle(each).borderTopWidth === "0px")
  .map((each) => each.outerHTML.slice(0, 100))"""

SIZES = ((360, 640), (768, 1024), (1280, 800), (1920, 1080))
BY_AXE = {("light", 1280), ("dark", 360)}  # in between the layout is one of these two
ASKED = "Do you sell umbrellas for dachshunds?"


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("desk-site"), "docbot://in-process", desk_rows(), WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture
def desk(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, "/admin/") as page:
        yield page


# --- The overview, before a test of the bot ends its alarm ------------------------------------------------------------


def wrong_with_the_overview(desk: Page) -> list[str]:
    """What axe and the eye have against the page, in both schemes and each size."""
    found = []
    for scheme in ("light", "dark"):
        desk.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            desk.set_viewport_size({"width": width, "height": height})
            desk.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # colours fade
            if (scheme, width) in BY_AXE:
                found += [f"{scheme} {width} {each}" for each in complaints(desk)]
            if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{scheme}: wider than {width}")
    return found


def test_a_busy_day_is_for_everyone_and_fits_each_screen_and_a_link_opens_the_section_of_its_field(desk):
    assert not (found := wrong_with_the_overview(desk)), "\n".join(found)
    desk.get_by_role("link", name="Enter the key again").click()
    expect(desk.locator("#id_new_key")).to_be_in_viewport()


# --- One bot after the other ------------------------------------------------------------------------------------------


def middle_of(word: Locator) -> Position:
    """Where it stands in the preview, which takes no clicks on a word itself: nothing in it can be pressed."""
    box = word.evaluate("(it) => it.getBoundingClientRect().toJSON()")
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_a_bot_is_changed_before_its_preview_and_tested(desk, own_site):
    desk.get_by_role("navigation", name="Desk").get_by_role("link", name=re.compile("^Bots")).click()
    desk.locator("#result_list").get_by_role("link", name="Ada").click()
    desk.get_by_role("link", name="Look", exact=True).first.click()
    preview = desk.frame_locator("iframe[name=preview]")
    expect(preview.locator("[data-greeting]")).to_contain_text("Ask me anything")
    expect(desk.get_by_label("Zoom")).to_be_hidden()  # there is no face to cut
    desk.get_by_label("Greeting").fill("Welcome to the **shop**")
    expect(preview.locator("[data-greeting] strong")).to_have_text("shop")
    preview.locator("html").click(position=middle_of(preview.locator("[data-suggestion]").first))
    expect(desk.get_by_label("Suggested questions")).to_be_focused()
    desk.get_by_role("button", name="Widget").click()
    expect(preview.locator(".launcher")).to_be_visible()
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-unsaved]")).to_contain_text("Saved.")

    desk.get_by_role("link", name="Service & keys").click()
    desk.get_by_role("link", name="Test this bot").click()
    expect(desk.get_by_text("what comes back is explained")).to_be_visible()
    desk.get_by_role("button", name="Test this bot").click()
    expect(desk.locator("[data-findings] [data-finding]").first).to_be_visible()

    desk.get_by_role("link", name="Audit trail").click()
    expect(desk.locator("#result_list")).to_contain_text("Tested:")
    expect(desk.locator("#result_list")).to_contain_text("Changed Greeting")


def test_the_widgets_preview_shows_each_suggested_question_above_the_message_box(desk, own_site):
    for tab in ("places", "look"):
        desk.goto(f"{own_site.url}/admin/webchat/bot/7/{tab}/")
        desk.get_by_role("button", name="Widget").click()
        preview = desk.frame_locator("iframe[name=preview]")
        expect(preview.locator(".launcher")).to_be_visible()
        last = preview.locator("[data-suggestion]").last.bounding_box()
        assert last["y"] + last["height"] <= preview.locator("#composer").bounding_box()["y"]


def test_what_is_not_saved_is_warned_of_and_what_is_refused_leads_to_its_field(desk, own_site):
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
    desk.get_by_text("Colour and pictures").click()
    picker = desk.get_by_label("Choose the accent colour")
    picker.fill("#ff8800")
    expect(desk.get_by_label("Accent colour", exact=True)).to_have_value("#ff8800")
    expect(desk.locator("[data-shades]")).to_contain_text("darkened: contrast")
    desk.get_by_label("Face", exact=True).set_input_files(ROOT / "docs" / "pictures" / "page.png")
    desk.get_by_role("slider", name="Zoom").press("End")
    desk.get_by_role("slider", name="Top to bottom").press("Home")
    expect(desk.get_by_role("slider", name="Zoom")).to_have_value("4")
    expect(desk.get_by_role("slider", name="Top to bottom")).to_have_value("0")
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")
    desk.once("dialog", lambda dialog: dialog.dismiss())
    with desk.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        desk.get_by_role("link", name="Service & keys").click(no_wait_after=True)
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")

    desk.get_by_label("Accent colour", exact=True).fill("orange")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-problems]")).to_be_focused()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_focused()
    desk.get_by_label("Accent colour", exact=True).fill("#2f5bd0")
    own_site.ask_database("DELETE FROM django_session")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-unsaved]")).to_contain_text("you have been logged out")
    other_tab = desk.context.new_page()
    other_tab.goto(f"{own_site.url}/admin/")
    log_in(other_tab)
    expect(other_tab).to_have_url(f"{own_site.url}/admin/")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-unsaved]")).to_contain_text("Saved.")
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_in_viewport()
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_hidden()


def test_words_and_hours_are_entered_with_the_keyboard_alone_and_without_javascript(browser, own_site):
    """The owner has logged in before; from there on no script runs."""
    with logged_in(browser, own_site, "/admin/") as page:
        state = page.context.storage_state()
    with closing(browser.new_context(storage_state=state, java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(f"{own_site.url}/admin/webchat/bot/7/look/")
        page.get_by_role("link", name="Deutsch").press("Enter")
        page.get_by_label("Greeting").press_sequentially("Guten Tag!")
        page.get_by_role("button", name="Save", exact=True).press("Enter")
        expect(page.locator("[data-unsaved]")).to_contain_text("Visitors who read Deutsch")
        page.goto(f"{own_site.url}/admin/webchat/bot/7/people/")
        page.locator("summary", has_text="Hours").focus()
        page.keyboard.press("Enter")
        page.get_by_label("Saturday, from").first.press_sequentially("10")
        page.keyboard.press("Tab")
        page.keyboard.type("14:30")
        page.get_by_role("button", name="Save", exact=True).press("Enter")
        expect(page.locator("[data-unsaved]")).to_contain_text("Saved.")
        expect(page.get_by_label("Monday, to").first).to_be_in_viewport()
        expect(page.get_by_label("Saturday, to").first).to_have_value("14:30")
        page.goto(f"{own_site.url}/chat/shop/?lang=de")
        expect(page.get_by_text("Guten Tag!")).to_be_visible()


@pytest.mark.parametrize("without", ["reject", "HTTPS"])
def test_where_the_browser_refuses_to_copy_the_line_is_selected_and_the_button_says_which_keys_copy(
    desk, own_site, without
):
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/places/")
    if without == "HTTPS":
        desk.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined }); null")
    else:
        desk.evaluate("Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no')); null")
    desk.get_by_role("button", name="Copy").last.click()
    expect(desk.get_by_role("button", name="Selected: press Ctrl + C")).to_be_visible()
    assert "embed.js" in desk.evaluate("getSelection().toString()")


def test_a_list_on_a_tablet_says_what_its_columns_are(desk, own_site):
    desk.set_viewport_size({"width": 768, "height": 1024})
    for path, heading in (("kiosk/device", "Last seen"), ("team", "Last login")):
        desk.goto(f"{own_site.url}/admin/{path}/")
        expect(desk.get_by_role("columnheader", name=heading)).to_be_in_viewport(ratio=1)


LISTS = (
    *("webchat/conversation", "webchat/handover", "webchat/alarm", "kiosk/device"),
    *("docbot/trainedbot", "docbot/document", "docbot/unknownquestion"),
)
OVERFLOW = """() => document.querySelector("#changelist .results").scrollWidth
  - document.querySelector("#changelist .results").clientWidth"""


@pytest.mark.parametrize("language", ["de", "es", "fr", "pl", "pt"])
def test_no_list_is_cut_off_on_a_small_screen_and_no_header_on_a_phone_where_words_are_long(desk, own_site, language):
    desk.set_extra_http_headers({"Accept-Language": language})
    found = {}
    for path in LISTS:
        desk.goto(f"{own_site.url}/admin/{path}/")
        for width in (768, 1280):
            desk.set_viewport_size({"width": width, "height": 800})
            if over := desk.evaluate(OVERFLOW):
                found[path, width] = over
    assert found == {}
    desk.set_viewport_size(PHONE)
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_conversation_is_read_beside_the_list_which_stays_where_it_is(desk, own_site):
    desk.goto(f"{own_site.url}/admin/webchat/conversation/")
    rows, pane = desk.locator("#result_list"), desk.locator("#reading")
    expect(pane).to_have_text("Choose a conversation to read it.")
    rows.locator("tbody tr").evaluate_all("(all) => all.forEach((row) => row.style.minHeight = '60rem')")  # a long list
    rows.get_by_role("checkbox").last.check()
    last, first = (
        rows.get_by_role("link", name="Is my parcel lost?"),
        rows.get_by_role("link", name="When do you open?"),
    )
    last.scroll_into_view_if_needed()
    top = desk.evaluate("scrollY")
    last.evaluate("(it) => it.click()")
    expect(pane.get_by_role("heading", level=2)).to_be_focused()
    expect(last).to_have_attribute("aria-current", "true")
    first.evaluate("(it) => it.click()")
    seen = desk.frame_locator("#reading iframe")
    expect(seen.locator("[data-reply] strong")).to_have_text("nine")
    expect(seen.locator("[data-composer]")).to_be_hidden()
    expect(desk).to_have_url(f"{own_site.url}/admin/webchat/conversation/?read=73")
    expect(desk).to_have_title("When do you open? · Conversations · Desk")
    expect(rows.locator("[aria-current]")).to_have_text("When do you open?")
    desk.go_back()
    expect(pane.get_by_role("heading", level=2)).to_have_text("Is my parcel lost?")
    expect(last).to_have_attribute("aria-current", "true")
    assert desk.evaluate("scrollY") == top
    expect(rows.get_by_role("checkbox").last).to_be_checked()
    desk.go_back()
    expect(pane).to_have_text("Choose a conversation to read it.")
    expect(rows.locator("[aria-current]")).to_have_count(0)
    desk.get_by_role("combobox", name="Action").select_option("delete_selected")
    desk.get_by_role("button", name="Go", exact=True).click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Delete the selected items?")
    assert complaints(desk, ON_EACH_PAGE) == []

    for width, height in SIZES:
        desk.set_viewport_size({"width": width, "height": height})
        desk.goto(f"{own_site.url}/admin/webchat/conversation/?q=open")
        first.click()
        expect(pane.get_by_role("heading", level=2)).to_be_in_viewport()
        assert complaints(desk, ON_EACH_PAGE) == []
        assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if width < 1200:
            expect(first).to_be_hidden()
            desk.get_by_role("link", name="Back to the list").click()
            expect(first).to_be_in_viewport()
            expect(pane).to_be_hidden()
            expect(desk.get_by_label("Search")).to_have_value("open")


def test_what_cannot_be_put_beside_the_list_is_opened_as_a_page(desk, own_site):
    desk.goto(f"{own_site.url}/admin/webchat/conversation/")
    heading = desk.locator("#reading h2")
    for message in ("Is my parcel lost?", "When do you open?"):
        desk.get_by_role("link", name=message).click()
        expect(heading).to_have_text(message)
    own_site.ask_database("DELETE FROM django_session")
    desk.go_back()
    expect(desk).to_have_url(re.compile("/admin/login/"))
    log_in(desk)
    expect(heading).to_have_text("Is my parcel lost?")
    own_site.ask_database("DELETE FROM django_session")
    desk.get_by_role("link", name="When do you open?").click()
    expect(desk).to_have_url(f"{own_site.url}/admin/login/?next=/admin/webchat/conversation/%3Fread%3D73")
    log_in(desk)
    expect(desk.get_by_role("heading", level=2, name="When do you open?")).to_be_focused()


# Opens what is folded, but for what would lie above the page, and listens to what gets the focus.
WALK_BEGINS = """() => {
  for (const each of document.querySelectorAll("#content details:not([name=filter], .inbox-options, .hand-over)")) {
    each.removeAttribute("name");
    each.open = true;
  }
  window.walked = new Map();
  addEventListener("focusin", ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    walked.set(target, outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  });
  document.getElementById("content-start").focus();
}"""
# What has not had the focus, or not visibly. Of a group of radio buttons Tab stops at one.
NOT_WALKED = """() => [...document.querySelectorAll("#content :is(a[href], button, input, select, textarea, summary)")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0 && !each.disabled)
  .filter((each) => !walked.get(each))
  .filter((each) => each.type !== "radio" || ![...walked.keys()].some((other) => other.name === each.name))
  .map((each) => `${walked.has(each) ? "no mark around" : "not reached by Tab:"} ${each.outerHTML.slice(0, 100)}`)"""
MOST_STOPS = 10  # in one control: a date with its time has seven
ON_EACH_PAGE = {"exclude": [[".desk-nav"], ["#header"]]}


def wrong_by_keyboard(desk: Page) -> list[str]:
    """A frame and a table that scrolls take a press of Tab, too, and a date several."""
    while left := desk.evaluate(NOT_WALKED):
        for _ in range(max(len(left), MOST_STOPS)):
            desk.keyboard.press("Tab")
        if len(desk.evaluate(NOT_WALKED)) == len(left):
            return left
    return []


def wrong_on_the_page(desk: Page, context: dict[str, list[list[str]]] | None) -> list[str]:
    """By axe, by the keyboard, and on a touch screen as wide as a phone."""
    desk.evaluate(WALK_BEGINS)
    found = complaints(desk, context) + wrong_by_keyboard(desk)
    if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("is wider than a phone")
    if desk.evaluate(INDENT):
        found.append("indents its search box")
    return found + desk.locator(CONTROLS).evaluate_all(TOO_LOW, TARGET)


def kind_of(path: str) -> str:
    """The name of its address; one for all histories and one for all confirmations, which share a template."""
    return re.sub(r"admin:\w+_(?=(history|delete)$)", "", resolve(path).view_name)


def kinds_of_pages(desk: Page, site: Site) -> Iterator[str]:
    """Open each kind of page once, as links lead from one to the next."""
    paths, seen = list(PAGES), {kind_of(urlsplit(path).path) for path in PAGES}
    for path in paths:
        desk.goto(site.url + path)
        yield path
        for link in desk.locator("a[href]:not([download])").evaluate_all("(all) => all.map((each) => each.href)"):
            url = urlsplit(link)
            if f"{url.scheme}://{url.netloc}" == site.url and url.path.startswith("/admin/"):
                kind = kind_of(url.path)
                if kind not in seen and not url.path.endswith(".csv"):
                    paths.append(f"{url.path}?{url.query}")
                seen.add(kind)


def test_each_tab_and_section_fits_on_a_screen_and_a_half_and_buttons_look_like_what_they_do(desk, own_site):
    tall, without_edge = {}, []
    for path in (
        *TABS,
        f"{TABS[2]}?words=ar",
        f"{TABS[4]}?words=ar",
        "/admin/site/",
        "/admin/insights/?bot=shop",
        "/admin/kiosk/device/add/",
        "/admin/kiosk/device/9/change/",
    ):
        desk.goto(own_site.url + path)
        tall[path] = desk.evaluate(TALLEST)
        desk.emulate_media(forced_colors="active")
        without_edge += desk.locator(BUTTONS).evaluate_all(WITHOUT_EDGE)
        desk.emulate_media(forced_colors="none")
    assert {path: screens for path, screens in tall.items() if screens > 1.5} == {}
    assert without_edge == []
    colours = {
        name: desk.get_by_role("button", name=name, exact=True).evaluate("(it) => getComputedStyle(it).backgroundColor")
        for name in ("Save", "Pause", "Reload", "Disconnect")
    }
    assert colours["Pause"] == colours["Reload"]
    assert len(set(colours.values())) == 3


@pytest.mark.timeout(300)
def test_every_page_is_for_everyone_and_for_the_keyboard_and_on_a_phone_it_fits(desk, own_site):
    desk.context.new_cdp_session(desk).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    desk.set_viewport_size(PHONE)
    pages = {
        path: wrong_on_the_page(desk, ON_EACH_PAGE if number else None)
        for number, path in enumerate(kinds_of_pages(desk, own_site))
    }
    assert not (wrong := {path: found for path, found in pages.items() if found}), json.dumps(wrong, indent=1)
    assert len(pages) > 60


# Of the field that has the focus: how far the bar with "Save" covers it; the preview stands beside the bar.
COVERED = """() => {
  const field = document.activeElement.getBoundingClientRect(), row = document.querySelector(".submit-row");
  const bar = row.getBoundingClientRect();
  return row.contains(document.activeElement) || field.left >= bar.right ? 0 : field.bottom - bar.top;
}"""


def test_the_bar_with_save_covers_no_focused_field_and_a_word_of_another_tab_is_changed_there(desk, own_site):
    desk.set_viewport_size({"width": 1280, "height": 500})
    desk.goto(f"{own_site.url}/admin/webchat/bot/7/limits/")
    desk.locator("summary", has_text="Privacy").click()
    desk.locator("form[id=bot_form] :is(input, textarea, select):visible").first.focus()
    for _ in range(12):
        assert desk.evaluate(COVERED) <= 0  # WCAG 2.4.11
        desk.keyboard.press("Tab")
    desk.set_viewport_size({"width": 1280, "height": 800})
    preview = desk.frame_locator("iframe[name=preview]")
    preview.locator("html").click(position=middle_of(preview.locator(".greeting .name")))
    expect(desk).to_have_url(f"{own_site.url}/admin/webchat/bot/7/change/#id_name")


# --- Teaching ---------------------------------------------------------------------------------------------------------


def ask(browser: Browser, site: Site, message: str) -> Page:
    """A new visitor's page, with the reply."""
    visitor = browser.new_context().new_page()
    visitor.set_default_timeout(PATIENCE * 1000)
    visitor.goto(f"{site.url}/chat/shop/")
    visitor.get_by_label("Message", exact=True).fill(message)
    visitor.keyboard.press("Enter")
    expect(visitor.locator("[data-turn][data-state=answered]")).to_have_count(1)
    return visitor


@pytest.mark.timeout(300)  # two visitors, a trial and a training, on a busy machine
def test_what_is_taught_is_answered_until_it_is_taken_back(browser, own_site):
    visitor = ask(browser, own_site, ASKED)
    expect(visitor.locator("[data-reply]")).not_to_contain_text("raincoats")

    with logged_in(browser, own_site, "/admin/teach/?bot=shop") as desk:
        assert complaints(desk) == []
        desk.locator("[data-to-teach]").get_by_role("link", name=ASKED).click()
        desk.get_by_label("Other ways to ask it").fill("Have you got dog umbrellas?")
        desk.get_by_role("textbox", name="Answer").fill("We sell **raincoats** for dogs, but no umbrellas.")
        desk.get_by_role("button", name="Try it").click()
        expect(desk.locator("[data-trial] [role=status]")).to_contain_text(
            "2 of 2 ways to ask this get the new answer."
        )
        expect(desk.locator("[data-after]").first).to_contain_text("raincoats")
        assert complaints(desk) == []
        desk.set_viewport_size(PHONE)
        assert desk.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        desk.get_by_role("button", name="Save and teach").click()
        desk.get_by_role("link", name="Taught", exact=True).click()
        expect(desk.locator("[data-taught]")).to_contain_text(ASKED)
        assert desk.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        wait_for_training(desk)

        visitor = ask(browser, own_site, "have you got a dog umbrella")
        expect(visitor.locator("[data-reply]")).to_contain_text("We sell raincoats for dogs, but no umbrellas.")
        expect(visitor.locator("[data-reply]")).to_contain_text("Answered by the team")

        desk.get_by_role("link", name=ASKED).click()
        assert complaints(desk) == []
        assert desk.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        desk.get_by_role("button", name="Take back").click()
        expect(desk.locator("[data-taught]")).to_contain_text("draft")
        assert complaints(desk) == []
        desk.get_by_role("link", name="Open questions").click()
        expect(desk.locator("[data-to-teach]")).to_contain_text(ASKED)

"""The desk's lists and pages: each fits every screen and is for everyone; a conversation is read beside its list."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import override_settings
from django.urls import resolve
from playwright.sync_api import Page, expect

from accounts.sessions import SIGNED_IN_AT
from tests.browser.axe import complaints
from tests.browser.busy_desk import REFERENCE
from tests.browser.owner import DESK, PASSWORD, PHONE, log_in
from tests.browser.site import Site

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
    f"/admin/visitor/?reference={REFERENCE[:-1]}f",  # of nobody
    "/admin/confirm/",
)


TARGET = 44  # px
BUTTONS = ".button, input[type=submit], .object-tools a"
CONTROLS = f"{BUTTONS}, .desk-nav a, .tabs a, select, input[type=text], #logout-form button, .theme-toggle"
TOO_LOW = """(all, least) => all.filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().height < least)
  .map((each) => `${each.outerHTML.slice(0, 100)} ${each.getBoundingClientRect().height}`)"""


def test_escape_closes_a_filter_and_returns_the_focus_to_it(desk, desk_site):
    desk.set_viewport_size({"width": 768, "height": 1024})
    desk.goto(f"{desk_site.url}/admin/webchat/conversation/")
    outcome = desk.locator("#changelist-filter summary", has_text="Outcome")
    outcome.press("Enter")
    desk.keyboard.press("Tab")
    expect(desk.locator("#changelist-filter details[open] a").first).to_be_focused()
    desk.keyboard.press("Escape")
    expect(outcome).to_be_focused()
    expect(desk.locator("#changelist-filter details[open]")).to_have_count(0)


def expire_confirmation(site: Site) -> None:
    """Date back when each login was confirmed, as an hour later."""
    with override_settings(SECRET_KEY=(site.folder / "var" / "secret_key").read_text()):
        for key, data in site.ask_database("SELECT session_key, session_data FROM django_session"):
            session = SessionStore().decode(data)
            session[SIGNED_IN_AT] = session.get(SIGNED_IN_AT, 0) - 3600
            for confirmed in session.get("account_authentication_methods", []):
                confirmed["at"] -= 3600
            expired = SessionStore().encode(session)
            site.ask_database(f"UPDATE django_session SET session_data = '{expired}' WHERE session_key = '{key}'")


def test_the_password_is_asked_for_in_the_same_tab_and_leads_on_with_the_selected_rows(desk, desk_site):
    expire_confirmation(desk_site)
    desk.goto(f"{desk_site.url}/admin/webchat/conversation/?q=open")
    for key in ("Space", "Enter"):
        desk.get_by_role("checkbox", name="Select this object").press(key)
    expect(desk.get_by_role("combobox", name="Action")).to_be_focused()
    desk.get_by_role("combobox", name="Action").select_option("delete_selected")
    desk.get_by_role("button", name="Go", exact=True).press("Enter")
    desk.get_by_label("Password").fill(PASSWORD)
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Delete the selected items?")
    expect(desk.locator("#content")).to_contain_text("When do you open?")
    expect(desk).to_have_url(re.compile(r"/admin/webchat/conversation/\?q=open$"))


def test_a_form_with_a_secret_asks_for_the_password_in_a_dialog_and_is_saved_after_it(desk, desk_site):
    expire_confirmation(desk_site)
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/service/#id_new_webhook_secret")
    secret, save = desk.get_by_label("Your program’s secret"), desk.get_by_role("button", name="Save", exact=True)
    secret.fill("sh-typed")
    save.press("Enter")
    dialog = desk.get_by_role("dialog", name="Confirm that it is you")
    expect(dialog.get_by_label("Password")).to_be_focused()
    desk.keyboard.type("wrong")
    desk.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("Incorrect password.")
    assert complaints(desk) == []
    dialog.get_by_role("button", name="Cancel").press("Enter")
    expect(desk.get_by_role("alert")).to_contain_text("Confirm in another tab that it is you")
    save.press("Enter")
    dialog.get_by_label("Password").fill(PASSWORD)
    desk.keyboard.press("Enter")
    expect(desk.locator("[data-unsaved]")).to_contain_text("Saved.")
    assert desk_site.ask_database("SELECT 1 FROM webchat_bot WHERE id = 7 AND sealed_webhook_secret > ''")


def test_a_conversation_opens_beside_the_list_which_does_not_move(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/conversation/")
    rows, pane = desk.locator("#result_list"), desk.locator("#reading")
    expect(pane).to_have_text("Choose a conversation to read it.")
    rows.locator("tbody tr").evaluate_all("(all) => all.forEach((row) => row.style.minHeight = '60rem')")  # a long list
    top = rows.evaluate("(it) => it.offsetTop")
    rows.get_by_role("checkbox").last.check()
    expect(desk.get_by_role("button", name="Go", exact=True)).to_be_in_viewport()
    assert rows.evaluate("(it) => it.offsetTop") == top
    last, first = (rows.get_by_role("link", name=each) for each in ("Is my parcel lost?", "When do you open?"))
    last.scroll_into_view_if_needed()
    top = desk.evaluate("scrollY")
    last.evaluate("(it) => it.click()")
    expect(pane.get_by_role("heading", level=2)).to_be_focused()
    expect(last).to_have_attribute("aria-current", "true")
    first.evaluate("(it) => it.click()")
    seen = desk.frame_locator("#reading iframe")
    expect(seen.locator("[data-reply] strong")).to_have_text("nine")
    expect(seen.locator("[data-composer]")).to_be_hidden()
    expect(desk).to_have_url(f"{desk_site.url}/admin/webchat/conversation/?read=73")
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

    for size in (PHONE, DESK):  # others have one of these layouts
        desk.set_viewport_size(size)
        desk.goto(f"{desk_site.url}/admin/webchat/conversation/?q=open")
        first.click()
        expect(pane.get_by_role("heading", level=2)).to_be_in_viewport()
        assert complaints(desk, ON_EACH_PAGE) == []
        assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if size == PHONE:
            expect(first).to_be_hidden()
            desk.get_by_role("link", name="Back to the list").click()
            expect(first).to_be_in_viewport()
            expect(pane).to_be_hidden()
            expect(desk.get_by_label("Search")).to_have_value("open")


def test_a_conversation_that_fails_to_load_beside_the_list_opens_as_a_page(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/conversation/")
    heading = desk.locator("#reading h2")
    shown = desk.frame_locator("#reading iframe").locator("[data-message]")  # else it would get the login page
    for message in ("Is my parcel lost?", "When do you open?"):
        desk.get_by_role("link", name=message).click()
        expect(heading).to_have_text(message)
        expect(shown.first).to_be_attached()
    desk_site.ask_database("DELETE FROM django_session")
    desk.go_back()
    expect(desk).to_have_url(re.compile("/admin/login/"))
    log_in(desk)
    expect(heading).to_have_text("Is my parcel lost?")
    expect(shown.first).to_be_attached()
    desk_site.ask_database("DELETE FROM django_session")
    desk.get_by_role("link", name="When do you open?").click()
    expect(desk).to_have_url(f"{desk_site.url}/admin/login/?next=/admin/webchat/conversation/%3Fread%3D73")
    log_in(desk)
    expect(desk.get_by_role("heading", level=2, name="When do you open?")).to_be_focused()


# The page's height in screens, with whichever of its sections makes it the tallest.
TALLEST = """() => Math.max(...[null, ...document.querySelectorAll("details[name=section]")].map((section) => {
  if (section) section.open = true;
  return document.documentElement.scrollHeight / innerHeight;
}))"""


def test_each_tab_fits_on_one_and_a_half_screens(desk, desk_site):
    tall = {}
    for path in TABS:
        desk.goto(desk_site.url + path)
        tall[path] = desk.evaluate(TALLEST)
    assert {path: screens for path, screens in tall.items() if screens > 1.5} == {}


# Unfold everything that lies in the page, not above it.
UNFOLD = """() => {
  for (const each of document.querySelectorAll("#content details:not([name=filter], .inbox-options, .hand-over)")) {
    each.removeAttribute("name");
    each.open = true;
  }
  document.getElementById("content-start").focus();
}"""
# Controls that can't have the focus, or don't show it. After a press of Tab, focus() counts as the keyboard's.
WITHOUT_FOCUS = """() => [...document.querySelectorAll("#content :is(a, button, input, select, textarea, summary)")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0 && !each.disabled)
  .filter((each) => {
    each.focus();
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return document.activeElement !== each || outlineStyle === "none" || parseFloat(outlineWidth) < 2;
  })
  .map((each) => `no visible focus: ${each.outerHTML.slice(0, 100)}`)"""
ON_EACH_PAGE = {"exclude": [[".desk-nav"], ["#header"]]}


def wrong_on_the_page(desk: Page, context: dict[str, list[list[str]]] | None) -> list[str]:
    """Return what axe finds, what can't have the focus, and what doesn't fit a phone with a touch screen."""
    desk.evaluate(UNFOLD)
    desk.keyboard.press("Tab")
    found = complaints(desk, context) + desk.evaluate(WITHOUT_FOCUS)
    if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("is wider than a phone")
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


def test_in_the_set_up_the_enter_key_in_the_name_saves_and_what_leads_on_is_in_sight(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/setup/long/look/")
    expect(desk.get_by_role("button", name="Save and continue")).to_be_in_viewport(ratio=1)
    desk.get_by_label("Name", exact=True).press("Enter")
    expect(desk).to_have_url(f"{desk_site.url}/admin/setup/long/try/")
    expect(desk.get_by_role("link", name="Continue")).to_be_in_viewport(ratio=1)


@pytest.mark.timeout(300)
def test_axe_finds_nothing_on_any_page_every_control_shows_its_focus_and_it_fits_a_phone(desk, desk_site):
    desk.context.new_cdp_session(desk).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    desk.set_viewport_size(PHONE)
    pages = {
        path: wrong_on_the_page(desk, ON_EACH_PAGE if number else None)
        for number, path in enumerate(kinds_of_pages(desk, desk_site))
    }
    assert not (wrong := {path: found for path, found in pages.items() if found}), json.dumps(wrong, indent=1)
    assert len(pages) > 60

"""The owner's way at the desk: a bot is changed beside its preview, tested and taught."""

import re

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from tests.browser.axe import complaints
from tests.browser.owner import DESK, PASSWORD, PHONE, log_in, logged_in, wait_for_training
from tests.browser.site import ROOT, Site
from tests.browser.test_desk_pages import expire_confirmation
from tests.browser.waiting import PATIENCE

ASKED = "Do you sell umbrellas for dachshunds?"


def wrong_with_the_overview(desk: Page) -> list[str]:
    """What axe and the eye have against the page; other sizes have one of these two layouts."""
    found = []
    for scheme, size in {"light": DESK, "dark": PHONE}.items():
        desk.emulate_media(color_scheme=scheme)
        desk.set_viewport_size(size)
        desk.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # colours fade
        found += [f"{scheme} {each}" for each in complaints(desk)]
        if desk.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{scheme}: wider than the screen")
    return found


def test_axe_finds_nothing_on_a_busy_overview_which_fits_a_phone_and_links_to_the_field(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/")
    assert not (found := wrong_with_the_overview(desk)), "\n".join(found)
    desk.get_by_role("link", name="Enter the key again").click()
    expect(desk.locator("#id_new_key")).to_be_in_viewport()


# The page listens to its preview from then on.
LOADED = """({ ownerDocument: { readyState, defaultView } }) =>
  readyState === "complete" || new Promise((done) => defaultView.addEventListener("load", () => done(true)))"""


def click_on(word: Locator, preview: FrameLocator) -> None:
    """Click where it stands in the preview, which takes no clicks on a word itself: nothing in it can be pressed."""
    root = preview.locator("html")
    root.evaluate(LOADED)
    box, page = (each.evaluate("(it) => it.getBoundingClientRect().toJSON()") for each in (word, root))
    root.click(position={"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2 - page["y"]})


def test_a_bot_is_changed_beside_its_preview_and_tested(desk, desk_site):
    desk.get_by_role("navigation", name="Desk").get_by_role("link", name=re.compile("^Bots")).click()
    desk.locator("#result_list").get_by_role("link", name="Ada").click()
    desk.get_by_role("link", name="Look", exact=True).first.click()
    preview = desk.frame_locator("iframe[name=preview]")
    expect(preview.locator("[data-greeting]")).to_contain_text("Ask me anything")
    expect(desk.get_by_label("Zoom")).to_be_hidden()  # there is no face to cut
    desk.get_by_label("Greeting").fill("Welcome to the **shop**")
    expect(preview.locator("[data-greeting] strong")).to_have_text("shop")
    click_on(preview.locator("[data-suggestion]").first, preview)
    expect(desk.get_by_label("Suggested questions")).to_be_focused()
    desk.get_by_label("Questions to ask next").fill("What does it cost?")
    desk.get_by_label("Moment").select_option("During a conversation")
    expect(preview.locator(".follow-ups button")).to_be_in_viewport()  # a conversation is seen from its end
    click_on(preview.locator(".follow-ups button"), preview)
    expect(desk.get_by_label("Questions to ask next")).to_be_focused()
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


def test_questions_suggested_from_the_documents_are_all_in_sight_and_in_the_preview(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/look/")
    desk.get_by_role("link", name="Suggest more from the documents").press("Enter")
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")
    box = desk.get_by_label("Suggested questions")
    shown = desk.frame_locator("iframe[name=preview]").locator("[data-suggestion]")
    expect(shown.last).to_contain_text(box.input_value().splitlines()[-1])
    assert box.evaluate("(it) => it.scrollHeight <= it.clientHeight")
    box.fill("\n".join(["What?"] * 50))
    assert box.bounding_box()["height"] <= 200


def test_a_new_bot_asks_for_an_address_and_a_key_only_if_a_service_answers(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/bot/add/")
    address = desk.get_by_label("Address of the service")
    expect(address).to_be_hidden()
    desk.get_by_label("Answered by").select_option("The address and the key below")
    expect(address).to_be_visible()
    expect(desk.get_by_label("Key", exact=True)).to_be_visible()


def test_unsaved_changes_are_warned_about_and_an_error_leads_to_its_field(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/look/")
    desk.get_by_text("Colour and pictures").click()
    picker = desk.get_by_label("Choose the accent colour")
    picker.fill("#ff8800")
    expect(desk.get_by_label("Accent colour", exact=True)).to_have_value("#ff8800")
    expect(desk.locator("[data-shades]")).to_contain_text("darkened: contrast")
    desk.get_by_label("Profile picture", exact=True).set_input_files(ROOT / "docs" / "pictures" / "page.png")
    desk.get_by_role("slider", name="Zoom").press("End")
    desk.get_by_role("slider", name="Top to bottom").press("Home")
    expect(desk.get_by_role("slider", name="Zoom")).to_have_value("4")
    expect(desk.get_by_role("slider", name="Top to bottom")).to_have_value("0")
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")
    desk.once("dialog", lambda dialog: dialog.dismiss())
    with desk.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        desk.get_by_role("link", name="Service & keys").click(no_wait_after=True)
    expect(desk.locator("[data-unsaved]")).to_have_text("Not saved yet.")

    desk.evaluate("location.hash = 'id_accent'")  # as after a save
    desk.get_by_label("Accent colour", exact=True).fill("orange")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("[data-problems]")).to_be_focused()
    expect(desk.get_by_label("Use the picture that you chose")).to_be_checked()
    expect(desk.frame_locator("iframe[name=preview]").locator("img").first).to_be_visible()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_focused()
    desk.get_by_label("Accent colour", exact=True).fill("#2f5bd0")
    desk_site.ask_database("DELETE FROM django_session")
    desk.get_by_role("button", name="Save", exact=True).click()
    with desk.context.expect_page() as opened:
        desk.get_by_role("alert").get_by_role("link", name="Log in in another tab").click()
    other_tab = opened.value
    log_in(other_tab)
    expect(other_tab).to_have_url(f"{desk_site.url}/admin/")
    sent: list[str] = []
    desk.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    desk.get_by_role("button", name="Save", exact=True).dblclick()
    expect(desk.locator("[data-unsaved]")).to_contain_text("Saved.")
    assert desk_site.ask_database("SELECT face FROM webchat_bot WHERE id = 7 AND face > ''")
    assert sent.count(f"POST {desk_site.url}/admin/webchat/bot/7/look/") == 1
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_in_viewport()
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/look/")
    expect(desk.get_by_label("Accent colour", exact=True)).to_be_hidden()


# Where something is typed, and the label of the box.
FORMS = {
    "/admin/setup/shop/answers/": "Website",
    "/admin/kiosk/device/9/change/": "Name",
    "/admin/inbox/canned-replies/new/": "Text",
}


def test_every_form_says_that_it_is_not_saved_and_asks_before_it_is_left(desk, desk_site):
    asked: list[str] = []
    desk.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    for count, (path, label) in enumerate(FORMS.items()):
        desk.goto(desk_site.url + path)
        assert asked == ["beforeunload"] * count
        note = desk.locator("[data-unsaved]", has_text="Not saved yet.")
        expect(note).to_have_count(0)
        desk.get_by_label(label, exact=True).first.fill("Typed")
        expect(note).to_be_in_viewport()
    desk.get_by_role("link", name="Audit trail").click()
    expect(desk).to_have_url(re.compile("/admin/admin/logentry/"))
    assert len(asked) == len(FORMS)
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/model/")
    desk.get_by_label("Question").fill("What does it cost?")  # which is only a trial
    expect(note).to_have_count(0)


def test_an_upload_leaves_no_other_form_of_the_page_without_its_warning(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/setup/shop/answers/")
    desk.get_by_label("Website", exact=True).fill("https://example.com")
    desk.get_by_label("Address", exact=True).fill("https://bots.example.com")
    desk.once("dialog", lambda dialog: dialog.dismiss())
    with desk.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        desk.get_by_role("button", name="Read it and train").click()
    expect(desk.locator("[data-unsaved]", has_text="Not saved yet.")).to_have_count(2)


def test_enter_saves_the_site_settings_and_only_a_test_email_needs_no_password(desk, desk_site):
    expire_confirmation(desk_site)
    desk.goto(f"{desk_site.url}/admin/site/")
    desk.get_by_role("button", name="Send a test e-mail").press("Enter")
    expect(desk.get_by_text("Enter the mail server.").first).to_be_visible()
    desk.get_by_label("Send it to").fill("")
    desk.get_by_label("Sender").press("Enter")
    desk.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    desk.keyboard.press("Enter")
    expect(desk.locator(".messagelist")).to_have_text("Saved.")


WITHOUT_HTTPS = "Object.defineProperty(navigator, 'clipboard', { value: undefined }); null"


def test_if_copying_is_refused_the_line_is_selected_and_the_button_names_the_keys(desk, desk_site):
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/places/")
    desk.evaluate(WITHOUT_HTTPS)
    desk.get_by_role("button", name="Copy").last.click()
    expect(desk.get_by_role("button", name="Selected: press Ctrl + C")).to_be_visible()
    assert "embed.js" in desk.evaluate("getSelection().toString()")


COVERED = """() => {
  const field = document.activeElement.getBoundingClientRect(), row = document.querySelector(".submit-row");
  const bar = row.getBoundingClientRect();
  return row.contains(document.activeElement) || field.left >= bar.right ? 0 : field.bottom - bar.top;
}"""


def test_the_save_bar_covers_no_focused_field_and_a_preview_leads_to_fields_of_other_tabs(desk, desk_site):
    desk.set_viewport_size({"width": 1280, "height": 500})
    desk.goto(f"{desk_site.url}/admin/webchat/bot/7/limits/")
    desk.locator("summary", has_text="Privacy").click()
    desk.locator("form[id=bot_form] :is(input, textarea, select):visible").first.focus()
    for _ in range(12):
        assert desk.evaluate(COVERED) <= 0  # WCAG 2.4.11
        desk.keyboard.press("Tab")
    desk.set_viewport_size(DESK)
    preview = desk.frame_locator("iframe[name=preview]")
    click_on(preview.locator(".greeting .name"), preview)
    expect(desk).to_have_url(f"{desk_site.url}/admin/webchat/bot/7/change/#id_name")


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
def test_a_taught_answer_is_given_until_it_is_taken_back(browser, desk_site):
    visitor = ask(browser, desk_site, ASKED)
    expect(visitor.locator("[data-reply]")).not_to_contain_text("raincoats")

    with logged_in(browser, desk_site, "/admin/teach/?bot=shop") as desk:
        desk.locator("[data-to-teach]").get_by_role("link", name=ASKED).click()
        desk.get_by_label("Other ways to ask it").fill("Have you got dog umbrellas?")
        desk.get_by_role("textbox", name="Answer").fill("We sell **raincoats** for dogs, but no umbrellas.")
        desk.get_by_role("button", name="Try it").click()
        expect(desk.locator("[data-trial]")).to_be_focused()
        expect(desk.get_by_role("button", name="Save and teach")).to_be_in_viewport(ratio=1)
        expect(desk.locator("[data-trial] [role=status]")).to_contain_text(
            "2 of 2 ways to ask this get the new answer."
        )
        expect(desk.locator("[data-after]").first).to_contain_text("raincoats")
        assert complaints(desk) == []
        desk.get_by_role("button", name="Save and teach").click()
        desk.get_by_role("link", name="Taught", exact=True).click()
        expect(desk.locator("[data-taught]")).to_contain_text(ASKED)
        wait_for_training(desk)

        visitor = ask(browser, desk_site, "have you got a dog umbrella")
        expect(visitor.locator("[data-reply]")).to_contain_text("We sell raincoats for dogs, but no umbrellas.")
        expect(visitor.locator("[data-reply]")).to_contain_text("Answered by the team")

        desk.get_by_role("link", name=ASKED).click()
        desk.get_by_role("button", name="Take back").click()
        expect(desk.locator("[data-taught]")).to_contain_text("draft")
        desk.get_by_role("link", name="Open questions").click()
        expect(desk.locator("[data-to-teach]")).to_contain_text(ASKED)

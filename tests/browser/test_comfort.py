"""Drafts, copying, the tab's title, saved transcripts, colours, times and printing."""

import re

import pypdfium2
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.states import RICH, fail
from tests.browser.waiting import wait_for_rest, wait_until

NO_STORAGE = """for (const store of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, store, { get() { throw new DOMException("no", "SecurityError"); } });"""

# Pretend that the tab is hidden: headless Chromium never hides one.
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

LISTEN_FOR_SOUND = """window.tones = 0;
window.AudioContext = class extends AudioContext {
  createOscillator() { window.tones += 1; return super.createOscillator(); }
};"""


def menu(chat: ChatPage) -> None:
    chat.page.locator("[data-menu] summary").click()


def test_a_draft_survives_a_reload_at_both_of_the_bots_urls_until_it_is_sent(chat, site):
    chat.write("half a thought")
    chat.page.goto(f"{site.url}/chat/help/")
    expect(chat.box).to_have_value("half a thought")
    chat.page.goto(f"{site.url}/chat/rose/")
    expect(chat.page.locator("#message")).to_have_value("")
    chat.page.goto(site.url)
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(1)
    chat.page.reload()
    expect(chat.box).to_have_value("")


def test_without_storage_and_speech_everything_else_works(visitor, site):
    visitor.add_init_script(NO_STORAGE)
    visitor.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined })")
    chat = ChatPage.open(visitor, site.url)
    chat.ask("Hello")
    expect(chat.page.locator("[data-speak]")).to_be_hidden()
    chat.page.locator("[data-menu] summary").press("Control+/")
    expect(chat.dialog).to_be_visible()
    chat.page.keyboard.press("Escape")
    chat.new_conversation.click()
    chat.dialog.get_by_role("button", name="New conversation").click()
    expect(chat.turns).to_have_count(0)
    expect(chat.page.locator("time").or_(chat.suggestions.first)).to_be_visible()


def copied(chat: ChatPage, button: int) -> str:
    chat.page.get_by_role("button", name="Copy").nth(button).click()
    expect(chat.page.locator("[data-copy][data-done]")).to_have_count(1)
    return chat.page.evaluate("navigator.clipboard.readText()")


def test_code_is_copied_verbatim_a_reply_as_text_and_selected_if_copying_is_refused(new_visitor, site, upstream):
    chat = ChatPage.open(new_visitor(permissions=["clipboard-read", "clipboard-write"]), site.url)
    upstream.will_reply("Do **this**:\n\n- one\n- two\n\n```sh\ncurl --fail \\\n  https://shop.example\n```\n\nDone.")
    chat.ask("How?")
    expect(chat.page.get_by_role("button", name="Copy")).to_have_count(2)  # the code's button, the reply's
    assert copied(chat, 0) == "curl --fail \\\n  https://shop.example"
    expect(chat.page.locator("[data-copy][data-done]")).to_have_count(0)
    text = copied(chat, 1)
    assert re.sub(r"\n+", "\n", text) == "Do this:\none\ntwo\ncurl --fail \\\n  https://shop.example\nDone."

    chat.page.evaluate("Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no')); null")
    chat.ask("Hello")
    chat.page.get_by_role("button", name="Copy").last.click()
    wait_until(chat.page, "getSelection().toString() !== ''")
    assert chat.page.evaluate("getSelection().toString()").strip() == "You said: Hello"
    refused = chat.page.get_by_role("button", name="Selected: press Ctrl + C")
    expect(refused).to_be_visible()
    assert refused.evaluate("button => button.scrollWidth <= button.clientWidth")
    expect(chat.page.locator("[data-states]")).to_have_text("Selected: press Ctrl + C")


def test_a_hidden_tab_counts_replies_in_its_title_and_plays_a_sound_if_turned_on(visitor, site, upstream):
    visitor.add_init_script(LISTEN_FOR_SOUND)
    chat = ChatPage.open(visitor, site.url)
    chat.ask("Zero")
    expect(chat.page).to_have_title("Ada")
    chat.page.evaluate(HIDE, True)
    chat.ask("One")
    expect(chat.page).to_have_title("(1) Ada")
    upstream.will_refuse("BOT_DISABLED")
    fail(chat, "Once more")
    expect(chat.page).to_have_title("(2) Ada")
    chat.page.evaluate(HIDE, False)
    expect(chat.page).to_have_title("Ada")
    assert chat.page.evaluate("tones") == 0
    menu(chat)
    chat.page.get_by_label("Sound when a reply arrives").check()
    chat.page.reload()
    chat.ask("Two")  # visible, so silent
    assert chat.page.evaluate("tones") == 0
    chat.page.evaluate(HIDE, True)
    chat.ask("Three")
    assert chat.page.evaluate("tones") == 1


def ground(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def root_of(visitor: BrowserContext, url: str) -> str:
    """Return the <html> tag as the server sends it."""
    return re.search("<html[^>]*>", visitor.request.get(url).text())[0]


def test_the_chosen_colours_apply_to_every_page_from_the_first_paint(new_visitor, site):
    visitor = new_visitor(color_scheme="light")
    chat = ChatPage.open(visitor, site.url)
    light = ground(chat.page)
    menu(chat)
    chat.page.get_by_role("group", name="Colours").get_by_text("Dark").click()
    dark = ground(chat.page)
    assert dark != light
    for path in ("/", "/chat/help/", "/chat/help/new", "/nowhere"):
        # The server renders it: no script needed, no flash.
        assert 'data-theme="dark"' in root_of(visitor, site.url + path), path
        chat.page.goto(site.url + path)
        assert ground(chat.page) == dark, path
    chat.page.goto(site.url)
    menu(chat)
    expect(chat.page.get_by_role("radio", name="Dark")).to_be_checked()
    chat.page.get_by_role("group", name="Colours").get_by_text("System").click()
    assert ground(chat.page) == light
    assert "data-theme" not in root_of(visitor, site.url)


def test_times_and_days_are_in_the_visitors_time_zone(new_visitor, site):
    """In Newfoundland it is still the day before; today's message adds a day separator and moves nothing."""
    zone, day = "America/St_Johns", "January 1, 2026"
    chat = ChatPage.open(new_visitor(timezone_id=zone, locale="en-GB"), site.url)
    chat.ask("Hello")
    days, time = chat.page.locator("li[data-day]"), chat.page.locator("time").first
    expect(days).to_have_count(0)
    expected = time.evaluate(
        """(time, zone) => new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone: zone })
        .format(new Date(time.dateTime))""",
        zone,
    )
    expect(time).to_have_text(expected)
    assert time.get_attribute("title").endswith(expected)
    site.ask_database(
        "UPDATE webchat_turn SET created_at = '2026-01-02 03:04:05' WHERE id = (SELECT MAX(id) FROM webchat_turn)"
    )
    chat.page.reload()
    expect(days).to_have_text([day])
    chat.send("Still there?")
    expect(days).to_have_text([day, "Today"])
    expect(chat.replies).to_have_count(2)
    expect(days).to_have_text([day, "Today"])


def test_the_last_message_can_be_edited_and_sent_again(chat):
    chat.ask("When do you open?")
    chat.ask("On Sundays?")
    edit = chat.page.get_by_role("button", name="Edit and send again")
    expect(edit).to_have_count(1)
    chat.write("a draft")
    chat.messages.last.hover()
    edit.click()
    expect(chat.box).to_have_value("On Sundays?\na draft")
    chat.expect_focus_in_box()
    chat.write("On Mondays?")
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(3)
    chat.expect_said("When do you open?", "On Sundays?", "On Mondays?")


SPEECH = """
  window.said = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const voices = { speak: (part) => said.push([part.text, part.lang, part]), cancel: () => said.splice(0) };
  Object.defineProperty(window, "speechSynthesis", { value: voices, configurable: true });
"""


def test_a_reply_is_read_aloud_until_stopped_and_its_sources_show_their_passages(visitor, site, upstream):
    visitor.add_init_script(SPEECH)
    chat = ChatPage.open(visitor, site.url)
    upstream.will_reply("We open at **nine**.\n\n- From Monday\n- to Friday")
    chat.ask("When do you open?")
    button = chat.page.get_by_role("button", name="Read aloud")
    said = "said.map(([text, lang]) => [text, lang])"
    for _ in range(2):
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        words = ["We open at nine.", "From Monday", "to Friday"]
        assert chat.page.evaluate(said) == [[each, "en"] for each in words]
        button.click()
        expect(button).to_have_attribute("aria-pressed", "false")
        assert chat.page.evaluate(said) == []
    button.click()
    chat.page.evaluate("said.at(-1)[2].onend()")
    expect(button).to_have_attribute("aria-pressed", "false")
    upstream.will_reply("午前九時から開いています。")
    chat.ask("And in Japanese?")
    button.last.click()
    assert chat.page.evaluate(said) == [["午前九時から開いています。", "ja"]]

    upstream.will_reply('Nine.\n\nSource: [Hours](https://shop.example/hours "From nine to six.")')
    chat.ask("Says who?")
    chip, passage = chat.page.locator(".source summary"), chat.page.locator(".passage")
    wait_for_rest(chat.page)
    chip.hover()
    link = passage.get_by_role("link", name="Open the document")
    link.hover()  # on the way to it the passage stays
    expect(link).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(passage).to_be_hidden()
    chip.press("Enter")
    expect(passage).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(passage).to_be_hidden()
    expect(chip).to_be_focused()


def saved_page(page: Page) -> Page:
    """Open the conversation as it is saved in a file."""
    saved = page.context.new_page()
    file = "fetch(document.querySelector('[data-save] [href*=html]').href).then((file) => file.text())"
    saved.set_content(page.evaluate(file))
    return saved


def test_only_the_transcript_is_printed(new_visitor, site, upstream, tmp_path):
    chat = ChatPage.open(new_visitor(color_scheme="dark"), site.url)
    wide = "\n\n".join(
        "\n".join((" Availability |" * columns, "-|" * columns, " from nine to six |" * columns))
        for columns in (10, 16, 26)
    )
    upstream.will_reply(f"{RICH}\n\n" * 4 + wide)
    chat.ask("When do you open?")
    upstream.will_refuse("BOT_DISABLED")
    fail(chat, "And then?")
    chat.page.pdf(path=tmp_path / "printed.pdf")
    pages = pypdfium2.PdfDocument(tmp_path / "printed.pdf")
    said = [page.get_textpage().get_text_range() for page in pages]
    assert "When do you open?" in said[0], "the greeting takes no page of its own"
    assert "9 o’clock" in said[0], "nor does a reply that is longer than a page"
    text = "\n".join(said)
    for words in ("You", "When do you open?", "Ada", "9 o’clock", "Closed over lunch", "chat is offline"):
        assert words in text
    assert "the hours (https://shop.example/hours)" in text.replace("\r\n", " ")
    for words in ("Copy", "Message Ada", "New conversation", "Contact us", "Go to the reply", "Skip", "Sending"):
        assert words not in text, words
    pages.close()
    cut_off = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
    for page in (saved_page(chat.page), chat.page):
        page.emulate_media(media="print")
        assert page.locator("div:has(> table)").count() == 7
        assert page.locator("div:has(> table)").evaluate_all(cut_off) == []
    chat.page.emulate_media(media="screen")
    chat.page.evaluate("() => { window.print = () => (window.printed = true); }")
    menu(chat)
    chat.page.get_by_role("button", name="Print").click()
    wait_until(chat.page, "window.printed")
    expect(chat.page.locator("[data-menu] summary")).to_be_focused()

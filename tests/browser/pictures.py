"""Takes the screenshots for the README and docs/pictures/: `make screenshots`."""

import io
import tempfile
from pathlib import Path

from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import chromium
from tests.browser.chat_page import ChatPage
from tests.browser.owner import logged_in, owner_row
from tests.browser.site import ROOT, Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

FOLDER = ROOT / "docs" / "pictures"
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
MARKDOWN = """\
Yes: here is **all of it**, with a [link](https://example.com/prices) and `code` in the line.

# Prices

Of this spring[^1].

## By the hour

### Without parts

| What | Days | Price in euros | Where |
|---|---|---|---|
| A new chain, with the work | 1 | 75 | In the shop |
| Both brakes | 2 | 120 | In the shop |
| Everything, as in the spring offer | 5 | 310 | Where you are |

- [x] Chain
- [ ] Brakes

[^1]: Until the end of *May*.

1. Bring the bicycle before ten.
2. Take the receipt with you:
   - it has a number,
   - and the day when it is ready.

```python
def price(parts: list[str], hours: float) -> float:
    return sum(PRICES[part] for part in parts) + hours * HOURLY_RATE + some_longer_expression_that_does_not_fit(parts)
```

> What isn't paid for isn't repaired.
"""
ARABIC = (
    "نعم، نحن نفتح من التاسعة صباحًا حتى السادسة مساءً.\n\n- الإثنين إلى الجمعة\n- السبت حتى الثانية، راجع `opening.html`"
)


# --- The states of docs/pictures/ -------------------------------------------------------------------------------------


def empty(chat: ChatPage, upstream: UpstreamServer) -> None:
    """Show the page as it opens."""


def waiting(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_hold("Never mind")
    chat.send("When do you open?")
    chat.wait_until_asked(upstream)


def reply(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_reply("We open at nine.\n\nOn Sundays we are closed.")
    chat.ask("When do you open?")


def markdown(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_reply(MARKDOWN)
    chat.ask("What does it all cost? With everything, please.")


def failed_twice(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_answer(500, times=2)
    chat.send("When do you open?")
    chat.control("retry").click()
    expect(chat.control("contact")).to_be_visible()


def refused(chat: ChatPage, upstream: UpstreamServer) -> None:
    chat.send(" ")
    expect(chat.refusal).to_be_visible()


def menu(chat: ChatPage, upstream: UpstreamServer) -> None:
    reply(chat, upstream)
    chat.page.locator("[data-menu] summary").click()


def help_for_keys(chat: ChatPage, upstream: UpstreamServer) -> None:
    chat.box.blur()
    chat.page.keyboard.press("Control+/")


def confirmed(chat: ChatPage, upstream: UpstreamServer) -> None:
    reply(chat, upstream)
    chat.new_conversation.click()


def arabic(chat: ChatPage, upstream: UpstreamServer) -> None:
    chat.page.goto(f"{chat.page.url}?lang=ar")
    upstream.will_reply(ARABIC)
    chat.page.locator("#message").fill("متى تفتحون؟ Do you speak English, too?")
    chat.page.locator("#message").press("Enter")
    expect(chat.replies).to_have_count(1)


def sixty_turns(chat: ChatPage, upstream: UpstreamServer) -> None:
    for number in range(60):
        chat.ask(f"Question {number + 1}")


PICTURES = (
    (empty, "desk", "light"),
    (empty, "phone", "dark"),
    (waiting, "phone", "light"),
    (markdown, "desk", "light"),
    (markdown, "phone", "dark"),
    (failed_twice, "phone", "light"),
    (refused, "phone", "dark"),
    (menu, "desk", "dark"),
    (help_for_keys, "desk", "light"),
    (confirmed, "phone", "light"),
    (arabic, "phone", "light"),
    (sixty_turns, "desk", "dark"),
)


def main() -> None:
    settings.configure()  # needed to hash the owner's password
    FOLDER.mkdir(exist_ok=True)
    with UpstreamServer() as upstream:
        port = upstream.port
    with (
        tempfile.TemporaryDirectory() as data,
        Site(Path(data), f"http://127.0.0.1:{port}", [bot_row(1, "help")], MESSAGES_PER_MINUTE=0) as site,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright)
        for arrange, size, scheme in PICTURES:
            phone = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
            options = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce", **phone}
            visitor = browser.new_context(**options)
            with UpstreamServer(port=port) as upstream:
                chat = ChatPage.open(visitor, site.url)
                arrange(chat, upstream)
                chat.page.wait_for_timeout(200)
                name = arrange.__name__.replace("_", "-")
                keep(chat.page.screenshot(), FOLDER / f"{name}-{size}-{scheme}.png")
            visitor.close()
        take_people(browser, port)
        take_demo(browser)
        browser.close()


def take_demo(browser: Browser) -> None:
    """Take the README's picture: a reply of a fresh installation."""
    with tempfile.TemporaryDirectory() as data, Site(Path(data), "docbot://in-process", [], DOCBOT_MEANING=1) as site:
        visitor = browser.new_context(viewport=SIZES["desk"], reduced_motion="reduce")
        chat = ChatPage.open(visitor, site.url)
        chat.ask("How do I train the bot on my own documents?")
        chat.page.wait_for_timeout(500)
        keep(chat.page.screenshot(), FOLDER / "page.png")
        visitor.close()


def take_people(browser: Browser, port: int) -> None:
    """Take a visitor's conversation with a person, and the inbox beside it."""
    rows = [bot_row(1, "help", people_answer=True), owner_row()]
    with (
        tempfile.TemporaryDirectory() as data,
        UpstreamServer(port=port) as upstream,
        Site(Path(data), upstream.base_url, rows, MESSAGES_PER_MINUTE=0) as site,
        logged_in(browser, site, "/admin/inbox/profile/") as inbox,
    ):
        inbox.locator("[name=name]").fill("Grace")
        with inbox.expect_navigation():
            inbox.get_by_role("button", name="Save").click()
        inbox.goto(f"{site.url}/admin/inbox/")
        inbox.locator("#inbox-available").click()
        visitor = browser.new_context(viewport=SIZES["phone"], is_mobile=True, has_touch=True, reduced_motion="reduce")
        chat = ChatPage.open(visitor, site.url)
        upstream.will_reply("We open at **nine**, from Monday to Friday.")
        chat.ask("When are you open?")
        chat.page.locator(".top [data-person]").click()
        chat.page.locator("#leader[data-leader=queue]").wait_for()
        chat.send("Can I still change the address of my order?")
        inbox.locator(".inbox-row a").first.click()
        inbox.get_by_role("button", name="Claim").click()
        inbox.locator("#inbox-head[data-mine]").wait_for()
        inbox.locator("#inbox-text").fill("Of course. Which address shall it go to?")
        inbox.locator("#inbox-send").click()
        chat.page.locator("[data-team-message]").wait_for()
        chat.page.wait_for_timeout(300)
        keep(chat.page.screenshot(), FOLDER / "people-joined-phone-light.png")
        inbox.evaluate("scrollTo(0, 0)")
        keep(inbox.screenshot(), FOLDER / "people-inbox-desk-light.png")
        visitor.close()


def keep(taken: bytes, path: Path) -> None:
    """Save the picture as small as possible without losing colours."""
    Image.open(io.BytesIO(taken)).convert("RGB").save(path, optimize=True)
    print(path.name, flush=True)


if __name__ == "__main__":
    main()

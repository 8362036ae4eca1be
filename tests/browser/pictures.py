"""Takes the pictures of docs/pictures/ again, one of each state that an owner may want to see: `make screenshots`."""

import io
import tempfile
from pathlib import Path

from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium
from tests.browser.chat_page import ChatPage
from tests.browser.owner import logged_in, owner_row
from tests.browser.screenshots import SIZES, STATES, Studio
from tests.browser.site import ROOT, Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

FOLDER = ROOT / "docs" / "pictures"
PICTURES = (
    ("empty", "desk", "light"),
    ("empty", "phone", "dark"),
    ("waiting", "phone", "light"),
    ("markdown", "desk", "light"),
    ("markdown", "phone", "dark"),
    ("failed-twice", "phone", "light"),
    ("refused", "phone", "dark"),
    ("menu", "desk", "dark"),
    ("help-for-keys", "desk", "light"),
    ("confirmed", "phone", "light"),
    ("arabic", "phone", "light"),
    ("sixty-turns", "desk", "dark"),
)


def main() -> None:
    settings.configure()  # Django's own, with which the owner's password is hashed
    FOLDER.mkdir(exist_ok=True)
    with UpstreamServer() as upstream:
        port = upstream.port
    with (
        tempfile.TemporaryDirectory() as data,
        Site(Path(data), f"http://127.0.0.1:{port}", [bot_row(1, "help")], MESSAGES_PER_MINUTE=0) as site,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright)
        for state, size, scheme in PICTURES:
            phone = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
            options = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce", **phone}
            visitor = browser.new_context(**options)
            with UpstreamServer(port=port) as upstream:
                chat = ChatPage.open(visitor, site.url)
                STATES[state](Studio(chat, site, site, upstream))
                chat.page.wait_for_timeout(200)
                keep(chat.page.screenshot(), FOLDER / f"{state}-{size}-{scheme}.png")
            visitor.close()
        take_people(browser, port)
        browser.close()


def take_people(browser: Browser, port: int) -> None:
    """A visitor who talks to a person, and the inbox with both of them."""
    rows = [bot_row(1, "help", people_answer=True), owner_row()]
    with (
        tempfile.TemporaryDirectory() as data,
        UpstreamServer(port=port) as upstream,
        Site(Path(data), upstream.base_url, rows, MESSAGES_PER_MINUTE=0) as site,
        logged_in(browser, site, "/admin/inbox/profile/") as inbox,
    ):
        inbox.locator("[name=name]").fill("Grace")
        inbox.get_by_role("button", name="Save").click()
        inbox.goto(f"{site.url}/admin/inbox/")
        inbox.locator("#inbox-available").click()
        visitor = browser.new_context(viewport=SIZES["phone"], is_mobile=True, has_touch=True, reduced_motion="reduce")
        chat = ChatPage.open(visitor, site.url)
        upstream.will_reply("We open at **nine**, from Monday to Friday.")
        chat.ask("When are you open?")
        chat.page.locator(".top [data-person]").click()
        chat.page.locator("#leader[data-leader=queue]").wait_for()
        keep(chat.page.screenshot(), FOLDER / "people-queue-phone-light.png")
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
    """In few colours, which is all that the page has: a quarter of the bytes."""
    picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    print(path.name, flush=True)


if __name__ == "__main__":
    main()

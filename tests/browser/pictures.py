"""Takes the pictures of docs/pictures/ anew, one of each state that an owner may want to see: `make screenshots`."""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.chat_page import ChatPage
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
        browser.close()


def keep(taken: bytes, path: Path) -> None:
    """In few colours, which is all that the page has: a quarter of the bytes."""
    picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    print(path.name, flush=True)


if __name__ == "__main__":
    main()

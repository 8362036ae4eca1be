"""Whole conversations on page, portal and kiosk, read from the top by a virtual screen reader; spoken/ has its words.

The screen reader is Guidepup's, from npm (`make test` installs it if npm is there). Its text shows words that are
repeated, out of order or without context, which no check of roles and names finds. Live announcements are not checked
here: it repeats or omits alerts. `screen_reader.py` checks those word by word.

KEEP_SPOKEN=1 rewrites the files: read the diff as a listener would.
"""

import base64
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.site import ROOT
from tests.browser.states import RICH
from tests.browser.test_portal import sign_in
from tests.webchat.upstream_server import UpstreamServer

READER = ROOT / ".venv/npm/node_modules/@guidepup/virtual-screen-reader/lib/esm/index.browser.js"
SPOKEN = Path(__file__).with_name("spoken")
# Read to the end. It also reads what a closed <details> hides.
READ = """async (source) => {
  const { virtual: reader } = await import(`data:text/javascript;base64,${source}`);
  for (const inside of document.querySelectorAll("details:not([open]) > :not(summary)")) inside.hidden = true;
  await reader.start({ container: document.body, window });
  while ((await reader.lastSpokenPhrase()) !== "end of document") await reader.next();
  const said = await reader.spokenPhraseLog();
  await reader.stop();
  return said;
}"""
A_TIME = re.compile(r"(?:[A-Z][a-z]{2} \d+, \d{4}, )?\d+:\d\d [AP]M")

pytestmark = pytest.mark.skipif(not READER.exists(), reason="no virtual screen reader: install npm and run make test")


def talk(page: Page, surface: str, upstream: UpstreamServer, frame: FrameLocator | None = None) -> None:
    """Have a rich reply and a failure, then read the page."""
    inside = frame or page
    upstream.will_reply(RICH).will_refuse("BOT_DISABLED")
    for number, question in enumerate(("When do you open?", "And on Sunday?")):
        inside.locator("#message").fill(question)
        inside.locator("#send").click()
        expect(inside.locator("[data-turn]:not([data-state=sending])")).to_have_count(number + 1)
        expect(inside.locator("[data-waiting]")).to_have_count(0)
    expect(inside.get_by_role("log")).to_be_empty()
    document = page.frames[-1] if frame else page.main_frame
    said = document.evaluate(READ, base64.b64encode(READER.read_bytes()).decode())
    said = A_TIME.sub("a time", "".join(f"{words}\n" for words in said))
    kept = SPOKEN / f"{surface}.txt"
    if os.environ.get("KEEP_SPOKEN"):
        kept.write_text(said)
    assert said == kept.read_text()


def test_a_conversation_on_the_page_is_read_out_as_recorded(new_visitor, site, upstream):
    page = new_visitor(bypass_csp=True).new_page()
    page.goto(site.url)
    talk(page, "chat", upstream)


def test_a_conversation_in_the_portal_is_read_out_as_recorded(new_visitor, site, upstream, name):
    page = sign_in(new_visitor(bypass_csp=True), site, name)
    page.goto(f"{site.url}/portal/chat/help/")
    talk(page, "portal", upstream)


def test_a_conversation_at_a_kiosk_is_read_out_as_recorded(new_kiosk, upstream):
    screen = new_kiosk(bypass_csp=True)
    screen.begin()
    screen.run_clock()
    talk(screen.page, "kiosk", upstream, screen.frame)

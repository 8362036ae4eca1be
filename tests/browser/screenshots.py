"""Takes pictures of every state in every size, light, dark and in forced colours: `… screenshots FOLDER [STATE …]`.

The site is the real one before the fake upstream; the pictures are for people to look at.
"""

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import chromium, surfaces
from tests.browser.chat_page import ChatPage
from tests.browser.kiosk_screen import PORTRAIT
from tests.browser.site import Site, bot_row
from tests.browser.surfaces import Studio
from tests.webchat.upstream_server import UpstreamServer

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
SIZES_OF_A_KIOSK = {"portrait": PORTRAIT, "wall": {"width": 3840, "height": 2160}}
SCHEMES = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
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
LONG_WORDS = (
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft and "
    "https://example.com/a/very/long/address/that/nobody/would/ever/type/by/hand?with=parameters&and=more and "
    + "x"
    * 120
)
ARABIC = (
    "نعم، نحن نفتح من التاسعة صباحًا حتى السادسة مساءً.\n\n- الإثنين إلى الجمعة\n- السبت حتى الثانية، راجع `opening.html`"
)
ALERTS = (
    *("BOT_UNAVAILABLE", "BOT_DISABLED", "INVALID_API_KEY", "MESSAGE_REQUIRED", "QUOTA_EXCEEDED"),
    "CHAT_NOT_FOUND",
)
TIMES = {"BOT_UNAVAILABLE": 3, "CHAT_NOT_FOUND": 2}  # that the upstream is asked before the visitor reads of it


def empty(studio: Studio) -> None:
    """As it is opened."""


def typed(studio: Studio) -> None:
    studio.chat.write("A message of\nthree lines, which\nisn't sent yet")


def counted(studio: Studio) -> None:
    studio.chat.write("Too long. " * 401)


def refused(studio: Studio) -> None:
    studio.chat.send(" ")
    expect(studio.chat.refusal).to_be_visible()


def waiting(studio: Studio) -> None:
    studio.upstream.will_reply("Never mind", once=threading.Event())
    studio.chat.send("When do you open?")
    studio.chat.wait_until_asked(studio.upstream)


def stopped(studio: Studio) -> None:
    waiting(studio)
    studio.chat.stop_button.click()
    expect(studio.chat.waiting).to_have_count(0)


def reply(studio: Studio) -> None:
    studio.upstream.will_reply("We open at nine.\n\nOn Sundays we are closed.")
    studio.chat.ask("When do you open?")


def markdown(studio: Studio) -> None:
    studio.upstream.will_reply(MARKDOWN)
    studio.chat.ask("What does it all cost? With everything, please.")


def long_words(studio: Studio) -> None:
    studio.upstream.will_reply(LONG_WORDS)
    studio.chat.ask(LONG_WORDS)


def arabic(studio: Studio) -> None:
    studio.chat.page.goto(f"{studio.site.url}/?lang=ar")
    studio.upstream.will_reply(ARABIC)
    studio.chat.page.locator("#message").fill("متى تفتحون؟ Do you speak English, too?")
    studio.chat.page.locator("#message").press("Enter")
    expect(studio.chat.replies).to_have_count(1)


def alert(code: str) -> Callable[[Studio], None]:
    def arrange(studio: Studio) -> None:
        studio.upstream.will_refuse(code, times=TIMES.get(code, 1))
        studio.chat.send("When do you open?")
        expect(studio.chat.alert).to_be_visible()

    return arrange


def not_heard(studio: Studio) -> None:
    studio.upstream.will_close()
    studio.chat.send("When do you open?")
    expect(studio.chat.alert).to_be_visible()


def failed_twice(studio: Studio) -> None:
    studio.upstream.will_answer(500, times=2)
    studio.chat.send("When do you open?")
    studio.chat.control("retry").click()
    expect(studio.chat.control("contact")).to_be_visible()


def asked_later(studio: Studio) -> None:
    studio.upstream.will_refuse("RATE_LIMITED", status=429, retry_after=300)
    studio.chat.send("When do you open?")
    expect(studio.chat.alert).to_be_visible()


def asked_hours_later(studio: Studio) -> None:
    studio.upstream.will_refuse("RATE_LIMITED", status=429, retry_after=7200)
    studio.chat.send("When do you open?")
    expect(studio.chat.alert).to_be_visible()


def spent(studio: Studio) -> None:
    studio.chat.page.goto(f"{studio.site.url}/chat/thrifty/")
    for _ in range(2):
        studio.chat.send("When do you open?")
        expect(studio.chat.waiting).to_have_count(0)
    expect(studio.chat.alert).to_be_visible()


def started_over(studio: Studio) -> None:
    reply(studio)
    studio.upstream.forget_chats()
    studio.chat.ask("And on Sundays?")


def too_many(studio: Studio) -> None:
    studio.chat.page.goto(studio.strict_site.url)
    while not studio.chat.refusal.count():  # a minute may end in between
        sent = studio.chat.turns.count()
        studio.chat.send("One more, please")
        expect(studio.chat.replies.nth(sent).or_(studio.chat.refusal)).to_be_visible()


def not_sent(studio: Studio) -> None:
    studio.chat.page.route("**/messages", lambda route: route.abort())
    studio.chat.send("When do you open?")
    expect(studio.chat.refusal).to_be_visible()


def offline(studio: Studio) -> None:
    reply(studio)
    studio.chat.page.context.set_offline(True)
    expect(studio.chat.page.locator("[data-offline]")).to_be_visible()


def moved_up(studio: Studio) -> None:
    studio.upstream.will_reply(MARKDOWN)
    studio.chat.ask("Everything, please")
    answer_now = threading.Event()
    studio.upstream.will_reply(MARKDOWN, once=answer_now)
    studio.chat.send("Once more, please")
    studio.chat.wait_until_asked(studio.upstream, 2)
    studio.chat.page.mouse.move(180, 300)
    studio.chat.page.mouse.wheel(0, -600)
    studio.chat.page.wait_for_timeout(300)
    answer_now.set()
    expect(studio.chat.replies).to_have_count(2)


def sixty_turns(studio: Studio) -> None:
    for number in range(60):
        studio.chat.ask(f"Question {number + 1}")


def confirmed(studio: Studio) -> None:
    reply(studio)
    studio.chat.new_conversation.click()


def menu(studio: Studio) -> None:
    reply(studio)
    studio.chat.page.locator("[data-menu] summary").click()


def help_for_keys(studio: Studio) -> None:
    studio.chat.box.blur()
    studio.chat.page.keyboard.press("Control+/")


def not_found(studio: Studio) -> None:
    studio.chat.page.goto(f"{studio.site.url}/chat/nobody/")


def confirmed_plainly(studio: Studio) -> None:
    reply(studio)
    studio.chat.page.goto(f"{studio.site.url}/chat/help/new")


STATES: dict[str, Callable[[Studio], object]] = {
    state.__name__.replace("_", "-"): state
    for state in (
        *(
            empty,
            typed,
            counted,
            refused,
            waiting,
            stopped,
            reply,
            markdown,
            long_words,
            arabic,
            not_heard,
            failed_twice,
        ),
        *(
            asked_later,
            asked_hours_later,
            spent,
            started_over,
            too_many,
            not_sent,
            offline,
            moved_up,
            sixty_turns,
            confirmed,
            menu,
        ),
        *(help_for_keys, not_found, confirmed_plainly),
    )
}
STATES |= {f"alert-{code.lower().replace('_', '-')}": alert(code) for code in ALERTS} | surfaces.STATES


def main(folder: Path, names: list[str]) -> None:
    settings.configure()  # Django's own, with which the owner's password is hashed
    folder.mkdir(parents=True, exist_ok=True)
    with UpstreamServer() as upstream:
        port = upstream.port
    url = f"http://127.0.0.1:{port}"
    bots = [bot_row(1, "help"), bot_row(2, "thrifty", daily_budget=1), *surfaces.rows()]
    with (
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryDirectory() as strict_data,
        Site(Path(data), url, bots, MESSAGES_PER_MINUTE=0) as site,
        Site(Path(strict_data), url, bots, MESSAGES_PER_MINUTE=1) as strict_site,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright)
        for name in names or STATES:
            # As big as a desk, calm: nothing is on its way when the picture is taken.
            visitor = browser.new_context(viewport=SIZES["desk"], reduced_motion="reduce")
            visitor.set_default_timeout(10_000)
            with UpstreamServer(port=port) as upstream:
                chat = ChatPage.open(visitor, site.url)
                STATES[name](Studio(chat, site, strict_site, upstream))
                take(chat.page, folder, name)
            visitor.close()
            print(name, flush=True)
        browser.close()


def take(page: Page, folder: Path, name: str) -> None:
    """Every size and colour; the state is made once."""
    page.bring_to_front()
    screen = page.context.new_cdp_session(page)
    for size, viewport in (SIZES_OF_A_KIOSK if name.startswith("kiosk") else SIZES).items():
        page.set_viewport_size(viewport)
        if size != "desk":  # not even switched off there: a browser told so has no pointer that hovers either
            screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        for scheme, media in SCHEMES.items():
            page.emulate_media(**media, reduced_motion="reduce")
            page.wait_for_timeout(150)
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", timeout=60_000)  # the wall's is large


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(STATES):
        sys.exit(f"python -m tests.browser.screenshots FOLDER [STATE …]\nStates: {', '.join(STATES)}.")
    main(Path(sys.argv[1]), sys.argv[2:])

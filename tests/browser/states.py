"""Walks through every state of a visitor's page, for checks that look at all of them."""

from collections.abc import Iterator

from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.browser.waiting import wait_for_rest
from tests.webchat.upstream_server import UpstreamServer

RICH = """Our shop opens at **9 o’clock** and closes at half past six. With a `--flag`, in short:

1. Come in
2. Ask for *Ada*
3. Tell her what you are looking for, and when you need it

| Day | Opens | Closes | Remarks |
|---|---|---|---|
| Monday to Friday | 9:00 | 18:30 | Closed over lunch in August |
| Saturday | 10:00 | 16:00 | Deliveries at the side door |

### From the command line

```sh
curl --fail https://shop.example/hours?day=saturday&format=a-very-long-parameter-that-does-not-fit
```

> Closed on holidays.

- Write to `shop@example.com`
- or see [the hours](https://shop.example/hours)."""

# Codes that the upstream answers with; a time-out and a spent budget need another site.
CODES = (
    "MESSAGE_REQUIRED",
    "CHAT_NOT_FOUND",
    "BOT_DISABLED",
    "MISSING_API_KEY",
    "INVALID_API_KEY",
    "INVALID_JSON",
    "QUOTA_EXCEEDED",
)


def walk(chat: ChatPage, upstream: UpstreamServer) -> Iterator[str]:
    """Take one visitor's page through its states; yield the name of each."""
    chat.box = chat.page.locator("#message")  # in any language
    yield "empty"
    answer_now = chat.send_and_hold_reply(upstream, "When do you open?\nAnd when do you close?", RICH)
    yield "waiting"
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    # The message box must not cut off a button of the reply:
    chat.page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
    wait_for_rest(chat.page)
    yield "reply"
    yield from alerts(chat, upstream)
    chat.send(" ")
    expect(chat.refusal).to_be_visible()
    yield "refused"
    chat.write("x" * 3999)
    expect(chat.left).to_be_visible()
    yield "nearly too long"
    chat.write("")
    yield from what_opens(chat)
    chat.page.context.set_offline(True)
    expect(chat.page.locator("[data-offline]")).to_be_visible()
    yield "offline"
    chat.page.context.set_offline(False)


def alerts(chat: ChatPage, upstream: UpstreamServer) -> Iterator[str]:
    for code in CODES:
        upstream.will_refuse(code, times=2 if code == "CHAT_NOT_FOUND" else 1)  # the site asks again without chatId
        fail(chat, code)
    upstream.will_close()
    fail(chat, "cut off")
    for code in ("BOT_UNAVAILABLE", "INTERNAL_ERROR", "RATE_LIMITED"):
        upstream.will_refuse(code, status=429, retry_after=1800)  # too long for the site to retry by itself
        fail(chat, code)
    yield "alerts"


def fail(chat: ChatPage, text: str) -> None:
    failed = chat.page.locator("[data-turn][data-state=failed]")
    expected = failed.count() + 1
    chat.send(text)
    expect(failed).to_have_count(expected)


def what_opens(chat: ChatPage) -> Iterator[str]:
    chat.page.locator("[data-menu] summary").click()
    yield "menu"
    if (keyboard_help := chat.page.locator("[data-open-help]")).is_visible():  # not on a phone
        keyboard_help.click()
        expect(chat.dialog).to_be_visible()
        yield "keyboard help"
        chat.page.keyboard.press("Escape")
    chat.new_conversation.click()
    expect(chat.dialog).to_be_visible()
    yield "confirmation"
    chat.page.keyboard.press("Escape")
    expect(chat.dialog).to_be_hidden()


def say_much(chat: ChatPage, upstream: UpstreamServer, turns: int) -> None:
    """Make a long conversation quickly: post the plain form by script, then reload."""
    upstream.compose = lambda message, earlier: RICH if message.endswith("0") else f"You said: {message}"
    chat.page.evaluate(
        """async (turns) => {
          const form = document.querySelector("[data-composer]");
          for (let n = 1; n <= turns; n++) {
            const fields = new FormData(form);
            fields.set("message", `Question ${n}`);
            fields.set("key", crypto.randomUUID());
            await fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
          }
        }""",
        turns,
    )
    chat.page.goto(chat.page.url)
    expect(chat.turns).to_have_count(turns)

"""A page object for the chat page: what a visitor sees and does there."""

import threading

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.webchat.upstream_server import UpstreamServer


class ChatPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.box = page.get_by_role("textbox", name="Message")
        self.send_button = page.get_by_role("button", name="Send", exact=True)
        self.stop_button = page.get_by_role("button", name="Stop waiting")  # takes the place of Send
        self.turns = page.locator("[data-transcript] > [data-turn]")
        self.messages = page.locator("[data-transcript] [data-message]")
        self.replies = page.locator("[data-transcript] [data-reply]")
        self.waiting = page.locator("[data-transcript] [data-waiting]")
        self.alert = page.locator("[data-transcript] [data-alert]")
        self.refusal = page.locator("[data-composer] [data-alert]")
        self.left = page.locator("[data-left]")
        self.to_reply = page.get_by_role("button", name="Go to the reply")
        self.new_conversation = page.locator(".top > [data-new-conversation]")
        self.dialog = page.get_by_role("dialog")
        self.states = page.locator("[data-states]")  # spoken by screen readers
        self.suggestions = page.locator("[data-suggestion]")

    @classmethod
    def open(cls, visitor: BrowserContext, url: str) -> "ChatPage":
        page = visitor.new_page()
        page.goto(url)
        return cls(page)

    def write(self, text: str) -> None:
        self.box.fill(text)

    def send(self, text: str) -> None:
        """Send with the keyboard, without waiting for anything."""
        self.write(text)
        self.box.press("Enter")

    def ask(self, text: str) -> None:
        """Send and wait for the reply."""
        expected = self.replies.count() + 1
        self.send(text)
        expect(self.replies).to_have_count(expected)

    def send_and_hold_reply(
        self, upstream: UpstreamServer, message: str, reply: str, requests: int = 1
    ) -> threading.Event:
        """Send a message and wait until the bot is asked; its reply comes once the returned event is set."""
        answer_now = upstream.will_hold(reply)
        self.send(message)
        self.wait_until_asked(upstream, requests)
        return answer_now

    def wait_until_asked(self, upstream: UpstreamServer, requests: int = 1) -> None:
        """Wait until the upstream has been asked and the page shows the waiting line."""
        upstream.wait_for_requests(requests)
        expect(self.waiting).to_have_count(1)

    def control(self, action: str) -> Locator:
        """Return a control of the alert in the transcript."""
        return self.alert.locator(f"[data-action={action}]")

    def expect_said(self, *messages: str) -> None:
        """Expect exactly these messages in the transcript, in this order."""
        expect(self.messages).to_have_text(list(messages))

    def expect_focus_in_box(self) -> None:
        expect(self.box).to_be_focused()

"""The chat page as a visitor uses it: what can be seen on it, and the few things that can be done."""

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.webchat.upstream_server import UpstreamServer


class ChatPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.box = page.get_by_role("textbox", name="Message")
        self.send_button = page.get_by_role("button", name="Send", exact=True)
        self.stop_button = page.get_by_role("button", name="Stop waiting")  # what Send becomes
        self.turns = page.locator("[data-transcript] > [data-turn]")
        self.messages = page.locator("[data-transcript] [data-message]")
        self.replies = page.locator("[data-transcript] [data-reply]")
        self.waiting = page.locator("[data-transcript] [data-waiting]")
        self.alert = page.locator("[data-transcript] [data-alert]")
        self.refusal = page.locator("[data-composer] [data-alert]")  # of what is in the composer still
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
        """With the keyboard; doesn't wait for anything."""
        self.write(text)
        self.box.press("Enter")

    def ask(self, text: str) -> None:
        """Sends and waits until the reply is there."""
        expected = self.replies.count() + 1
        self.send(text)
        expect(self.replies).to_have_count(expected)

    def wait_until_asked(self, upstream: UpstreamServer, requests: int = 1) -> None:
        """The bot thinks, and the page waits for it."""
        upstream.wait_for_requests(requests)
        expect(self.waiting).to_have_count(1)

    def control(self, action: str) -> Locator:
        """A control of the alert that stands in the transcript."""
        return self.alert.locator(f"[data-action={action}]")

    def expect_said(self, *messages: str) -> None:
        """These messages stand in the transcript, in this order, and no others."""
        expect(self.messages).to_have_text(list(messages))

    def expect_focus_in_box(self) -> None:
        expect(self.box).to_be_focused()

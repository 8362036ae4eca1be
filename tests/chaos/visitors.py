"""Visitors who act at random: they write, press what is offered, reload, press twice, and remember what they saw."""

import random
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import requests
from lxml.html import HtmlElement

from tests.chatsite.http_visitor import HttpVisitor
from tests.webchat.visitor import Page, SeenTurn


class Turn:
    """One turn of a page, with a fragment's interface."""

    def __init__(self, element: HtmlElement) -> None:
        self._element = element

    def one(self, path: str) -> HtmlElement:
        (found,) = self._element.xpath(f".//{path}")
        return found


@dataclass
class Message:
    """What a visitor knows about one message."""

    key: str = ""  # "" until the page showed it as accepted
    asked_again: int = 0  # how often the visitor asked to send it again
    shown: set[str] = field(default_factory=set)  # the replies seen


class SiteUser(threading.Thread):
    """A thread that acts as a browser until `stop` is set. `counts` has the number of responses by kind."""

    def __init__(self, name: str, seed: int, stop: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self.stop = stop
        self.random = random.Random(f"{seed} {name}")
        self.counts: Counter[str] = Counter()

    def attempt(self, action: Callable[..., Page], *arguments: object) -> Page | None:
        """Run the action; return None where a browser would show its own error page."""
        try:
            page = action(*arguments)
        except requests.RequestException:
            self.counts["no connection"] += 1
            return None
        where = f" of {action.__name__}" if page.status in (500, 503) else ""
        self.counts[f"status {page.status}{where}"] += 1
        return page

    def pause(self, most: float, *, always: bool = False) -> None:
        event = threading.Event() if always else self.stop
        event.wait(self.random.uniform(0, most))


class RandomVisitor(SiteUser):
    """One visitor, with the messages it remembers. `options` are HttpClient's."""

    def __init__(self, number: int, url: str, seed: int, stop: threading.Event, **options: object) -> None:
        super().__init__(f"visitor {number}", seed, stop)
        self.number = number
        self.browser = HttpVisitor(url, **{"timeout": 20} | options)
        self.messages: dict[str, Message] = {}

    def run(self) -> None:
        while not self.stop.is_set():
            if self.open_page():
                self.act()
            self.pause(1)

    def act(self) -> None:
        text = f"Message {len(self.messages)} of visitor {self.number}: {uuid.uuid4()}"
        self.messages[text] = Message()
        self.write(text)

    def settle(self) -> None:
        """After the faults: reload until no turn is waiting."""
        for _ in range(60):
            if self.open_page() and not any(turn.waits for turn in self.browser.turns):
                return
            self.ask_for_replies()
            self.pause(1, always=True)

    # --- Actions ------------------------------------------------------------------------------------------------------

    def open_page(self) -> bool:
        """Open the page and remember its turns; return False if it can't be opened."""
        page = self.attempt(self.browser.open)
        if page is None or page.status != 200:
            self.browser.page = None
            return False
        self.remember(page)
        return True

    def write(self, text: str) -> None:
        sent = None
        if self.random.random() < 0.1:  # as if the response got lost
            sent = self.attempt(self.browser.twin().post_message, text)
        for _ in range(self.random.choice((1, 1, 1, 2))):  # sometimes Send is pressed twice
            sent = self.attempt(self.browser.post_message, text) or sent
        if sent is None:  # the response got lost: the page asks what became of the message
            if self.open_page():
                self.ask_for_replies()
            return
        if sent.status != 200:
            self.counts["refused"] += 1
            return
        self.remember(sent)
        self.wait_for(sent)

    def wait_for(self, fragment: Page) -> None:
        """Ask for the reply as the waiting line does; sometimes in two tabs."""
        for _ in range(40):
            if self.stop.is_set() or not fragment.all("form[@data-waiting]"):
                break
            tabs = 2 if self.random.random() < 0.1 else 1
            with ThreadPoolExecutor(tabs) as asking:
                asked = [asking.submit(self.attempt, self.browser.ask_for_the_reply, fragment) for _ in range(tabs)]
            answers = [each.result() for each in asked if each.result() and each.result().status == 200]
            fragment = answers[-1] if answers else fragment
            for answer in answers:
                self.remember(answer)
            self.pause(1)
        self.press_what_is_offered(fragment)

    def press_what_is_offered(self, fragment: Page) -> None:
        for turn in fragment.turns:
            offered = {"retry", "resend"} & set(turn.alert.controls if turn.alert else [])
            if offered and self.random.random() < 0.5 and not self.stop.is_set():
                self.messages[turn.message].asked_again += 1
                again = self.attempt(self.browser.press_live, offered.pop(), fragment)
                if again and again.status == 200:
                    self.remember(again)

    def ask_for_replies(self) -> None:
        """Ask for the reply of every waiting turn on the page."""
        for turn in self.browser.page.all("*[@data-turn]") if self.browser.page else []:
            if turn.xpath(".//form[@data-waiting]"):
                self.attempt(self.browser.ask_for_the_reply, Turn(turn))

    # --- Memory -------------------------------------------------------------------------------------------------------

    def remember(self, page: Page) -> None:
        for turn in page.turns:
            self.remember_turn(turn)

    def remember_turn(self, turn: SeenTurn) -> None:
        known = self.messages.get(turn.message)
        if known is None:
            self.counts["foreign messages"] += 1
            return
        if known.key not in ("", turn.key):
            self.counts["doubled on the page"] += 1
        known.key = turn.key
        if turn.reply is not None:
            known.shown.add(turn.reply)

"""What a visitor does on a bad day: writes, presses what is offered, reloads, presses twice; and what it was shown."""

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
    """One turn of a page, as the fragment that it could have come in."""

    def __init__(self, element: HtmlElement) -> None:
        self._element = element

    def one(self, path: str) -> HtmlElement:
        (found,) = self._element.xpath(f".//{path}")
        return found


@dataclass
class Message:
    """What a visitor knows of one message."""

    key: str = ""  # "" until it was seen as accepted
    wishes: int = 0  # how often it was asked to be sent again
    shown: set[str] = field(default_factory=set)  # the replies that stood there


class Somebody(threading.Thread):
    """Somebody at a browser, until told to leave. `met` counts what came back."""

    def __init__(self, name: str, seed: int, leaving: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self.leaving = leaving
        self.random = random.Random(f"{seed} {name}")
        self.met: Counter[str] = Counter()

    def attempt(self, action: Callable[..., Page], *arguments: object) -> Page | None:
        """None where a browser would show a page of its own."""
        try:
            page = action(*arguments)
        except requests.RequestException:
            self.met["no connection"] += 1
            return None
        of = f" of {action.__name__}" if page.status in (500, 503) else ""
        self.met[f"status {page.status}{of}"] += 1
        return page

    def pause(self, most: float, *, always: bool = False) -> None:
        event = threading.Event() if always else self.leaving
        event.wait(self.random.uniform(0, most))


class Visit(Somebody):
    """One visitor; `messages` is what it remembers. `options` are HttpClient's."""

    def __init__(self, number: int, url: str, seed: int, leaving: threading.Event, **options: object) -> None:
        super().__init__(f"visitor {number}", seed, leaving)
        self.number = number
        self.visitor = HttpVisitor(url, **{"timeout": 20} | options)
        self.messages: dict[str, Message] = {}

    def run(self) -> None:
        while not self.leaving.is_set():
            if self.look():
                self.act()
            self.pause(1)

    def act(self) -> None:
        text = f"Message {len(self.messages)} of visitor {self.number}: {uuid.uuid4()}"
        self.messages[text] = Message()
        self.write(text)

    def settle(self) -> None:
        """After the storm: looks until nothing is waiting any more."""
        for _ in range(60):
            if self.look() and not any(turn.waits for turn in self.visitor.turns):
                return
            self.ask_for_what_waits()
            self.pause(1, always=True)

    # --- One thing after the other ------------------------------------------------------------------------------------

    def look(self) -> bool:
        """Opens the page, and remembers what stands there. False if there is none."""
        page = self.attempt(self.visitor.open)
        if page is None or page.status != 200:
            self.visitor.page = None
            return False
        self.remember(page)
        return True

    def write(self, text: str) -> None:
        sent = self.attempt(self.visitor.twin().post_message, text) if self.random.random() < 0.1 else None  # cut off
        for _ in range(self.random.choice((1, 1, 1, 2))):  # "Send" is pressed twice
            sent = self.attempt(self.visitor.post_message, text) or sent
        if sent is None:  # the response got lost: the page asks what became of the message
            if self.look():
                self.ask_for_what_waits()
            return
        if sent.status != 200:
            self.met["refused"] += 1
            return
        self.remember(sent)
        self.wait_for(sent)

    def wait_for(self, fragment: Page) -> None:
        """As the page's waiting line does; sometimes in two tabs."""
        for _ in range(40):
            if self.leaving.is_set() or not fragment.all("form[@data-waiting]"):
                break
            tabs = 2 if self.random.random() < 0.1 else 1
            with ThreadPoolExecutor(tabs) as asking:
                asked = [asking.submit(self.attempt, self.visitor.ask_for_the_reply, fragment) for _ in range(tabs)]
            answers = [each.result() for each in asked if each.result() and each.result().status == 200]
            fragment = answers[-1] if answers else fragment
            for answer in answers:
                self.remember(answer)
            self.pause(1)
        self.press_what_is_offered(fragment)

    def press_what_is_offered(self, fragment: Page) -> None:
        for turn in fragment.turns:
            offered = {"retry", "resend"} & set(turn.alert.controls if turn.alert else [])
            if offered and self.random.random() < 0.5 and not self.leaving.is_set():
                self.messages[turn.message].wishes += 1
                again = self.attempt(self.visitor.press_live, offered.pop(), fragment)
                if again and again.status == 200:
                    self.remember(again)

    def ask_for_what_waits(self) -> None:
        """Each waiting line of the page asks, the first one too, which those after it wait for."""
        for turn in self.visitor.page.all("*[@data-turn]") if self.visitor.page else []:
            if turn.xpath(".//form[@data-waiting]"):
                self.attempt(self.visitor.ask_for_the_reply, Turn(turn))

    # --- What is remembered -------------------------------------------------------------------------------------------

    def remember(self, page: Page) -> None:
        for turn in page.turns:
            self.remember_turn(turn)

    def remember_turn(self, turn: SeenTurn) -> None:
        known = self.messages.get(turn.message)
        if known is None:
            self.met["foreign messages"] += 1
            return
        if known.key not in ("", turn.key):
            self.met["doubled on the page"] += 1
        known.key = turn.key
        if turn.reply is not None:
            known.shown.add(turn.reply)

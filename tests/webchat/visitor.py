"""A browser as the server sees it: keeps cookies, and submits only forms of the page that it has open.

    visitor = Visitor()
    visitor.open()
    visitor.send("Hello")            # without JavaScript: a form, a redirect, a page
    assert visitor.turns[-1].reply == "You said: Hello"
    visitor.send_live("And again")   # with it: a fragment

`visitor.page` is the open page. What a live request brings is returned; only the composer's hidden fields are swapped
into the page.
"""

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Self

from django.http import HttpResponse
from django.test import Client
from lxml import html
from lxml.html import HtmlElement

PAGE = "/chat/help/"


@dataclass(frozen=True)
class SeenAlert:
    sentence: str
    code: str
    controls: list[str]
    wait: int


@dataclass(frozen=True)
class SeenTurn:
    """A turn as shown in the transcript."""

    key: str
    state: str
    message: str
    reply: str | None
    alert: SeenAlert | None
    waits: bool
    notice: str | None


class Page:
    """A parsed page or fragment, and its response."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response
        self.status = response.status_code
        text = response.content.decode()
        self.tree: HtmlElement = (
            html.document_fromstring(text) if "<html" in text else html.fragment_fromstring(text, create_parent="body")
        )

    def all(self, path: str) -> list[HtmlElement]:
        """Return the elements of an XPath below the page."""
        return self.tree.xpath(f".//{path}")

    def one(self, path: str) -> HtmlElement:
        (element,) = self.all(path)
        return element

    @property
    def turns(self) -> list[SeenTurn]:
        return [_turn(element) for element in self.all("*[@data-turn]")]

    @property
    def misnamed(self) -> list[tuple[str, str]]:
        """Return controls whose name lacks their visible words: voice control can't find them."""
        unseen = "ancestor-or-self::*[@aria-hidden='true' or contains(@class, 'unseen')]"
        found = []
        for control in self.all("*[self::a or self::button or self::summary or @role='button'][@aria-label]"):
            seen = " ".join(" ".join(control.xpath(f".//text()[not({unseen})]")).split())
            if seen.casefold() not in control.get("aria-label").casefold():
                found.append((seen, control.get("aria-label")))
        return found

    @property
    def composer(self) -> HtmlElement:
        return self.one("form[@data-composer]")

    @property
    def typed(self) -> str:
        """Return the text in the composer. The parser drops one line break after the tag (HTML, 13.2.6.4)."""
        return (self.one("textarea[@name='message']").text or "").removeprefix("\n")

    @property
    def refusal(self) -> SeenAlert | None:
        """Return the composer's alert about a message that was refused."""
        found = self.all("*[@id='composer-refusal']//*[@data-alert]")
        return _alert(found[0], self.composer) if found else None


class Visitor:
    """A browser. Its `client` is Django's, with CSRF checks on."""

    def __init__(self, path: str = PAGE) -> None:
        self.client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        if path.startswith("/embed/"):
            self.client.defaults["HTTP_SEC_FETCH_SITE"] = "same-origin"  # a frame has no cookie for a CSRF token
        self.path = path
        self.page: Page | None = None

    def in_another_tab(self) -> Self:
        """Return another tab of this browser, which shares its cookies."""
        other = type(self)(self.path)
        other.client.cookies = self.client.cookies
        return other

    def twin(self) -> Self:
        """Return a copy of this browser, to do something else at the same time in another thread."""
        other = type(self)(self.path)
        other.client.cookies = deepcopy(self.client.cookies)
        other.page = copy(self.page)
        if other.page:
            other.page.tree = deepcopy(self.page.tree)
        return other

    @property
    def turns(self) -> list[SeenTurn]:
        return self.page.turns

    def open(self, path: str | None = None) -> Page:
        return self.show(self.client.get(path or self.path))

    # --- Without JavaScript -------------------------------------------------------------------------------------------

    def send(self, message: str, **fields: str) -> Page:
        """Type a message and press "Send"; `fields` replace the form's, as a hostile browser might."""
        form = (self.page or self.open()).composer
        return self.submit(form, {"message": message} | fields)

    def press(self, action: str) -> Page:
        """Press the button of the latest alert that asks again."""
        button = self.page.all(f"*[@data-action='{action}']")[-1]
        return self.submit(next(button.iterancestors("form")))

    def press_other_button(self, url: str, draft: str = "", **fields: str) -> Page:
        """Press a button of the composer that is elsewhere on the page and sends no message; `draft` has been typed."""
        button = self.page.all(f"button[contains(@formaction, '{url}')]")[0]
        sent = fields_of(self.page.composer) | {"message": draft} | fields
        return self.follow(self.client.post(button.get("formaction"), sent))

    def show_the_reply(self) -> Page:
        return self.submit(self.page.all("form[@data-waiting]")[-1])

    def begin_a_new_conversation(self) -> Page:
        return self.submit(self.page.one("dialog[@data-confirm-new]//form"))

    def submit(self, form: HtmlElement, fields: dict[str, str] | None = None) -> Page:
        """Submit a form as it is on the page, with other values in these fields."""
        return self.follow(self.client.post(form.get("action"), fields_of(form) | (fields or {})))

    def follow(self, response: HttpResponse) -> Page:
        if response.status_code == 303:
            response = self.client.get(response["Location"].partition("#")[0])
        return self.show(response)

    def show(self, response: HttpResponse) -> Page:
        self.page = Page(response)
        return self.page

    # --- With JavaScript ----------------------------------------------------------------------------------------------

    def post_message(self, message: str, **fields: str) -> Page:
        """Send a message with htmx and return the fragment with the whole turn."""
        form = (self.page or self.open()).composer
        return self.submit_live(form, {"message": message} | fields)

    def ask_for_the_reply(self, fragment: Page) -> Page:
        """Send a waiting line's request, as a page does that was reloaded or has lost its first response."""
        return self.submit_live(fragment.one("form[@data-waiting]"))

    def send_live(self, message: str, **fields: str) -> Page:
        """Send a message, wait for its reply and return the last fragment; the page's key is renewed."""
        sent = self.post_message(message, **fields)
        if sent.status != 200:
            return sent
        self._swap_key(sent)
        return self.ask_for_the_reply(sent) if sent.all("form[@data-waiting]") else sent

    def press_live(self, action: str, fragment: Page) -> Page:
        """Press a button of the fragment's alert and wait for the outcome."""
        asked = self.press_without_waiting(action, fragment)
        return self.ask_for_the_reply(asked) if asked.all("form[@data-waiting]") else asked

    def press_without_waiting(self, action: str, fragment: Page) -> Page:
        """Press it without waiting: return the finished turn, or a waiting line."""
        (button,) = fragment.all(f"*[@data-action='{action}']")
        return self.submit_live(next(button.iterancestors("form")))

    def submit_live(self, form: HtmlElement, fields: dict[str, str] | None = None) -> Page:
        """Submit a form as htmx does and return the fragment."""
        data = fields_of(form) | (fields or {})
        return Page(self.client.post(form.get("hx-post"), data, headers={"HX-Request": "true"}))

    def _swap_key(self, sent: Page) -> None:
        """Do htmx's out-of-band swap of the composer's hidden fields."""
        for field in sent.all("input[@hx-swap-oob]"):
            self.page.one(f"input[@id='{field.get('id')}']").set("value", field.get("value"))


def fields_of(form: HtmlElement) -> dict[str, str]:
    sent = form.xpath(".//input[@name][not(@type='checkbox') or @checked]")
    return {field.get("name"): field.get("value", "") for field in sent}


def _text(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _turn(element: HtmlElement) -> SeenTurn:
    replies, alerts, notices = (element.xpath(f".//*[@{hook}]") for hook in ("data-reply", "data-alert", "data-notice"))
    (message,) = element.xpath(".//*[@data-message]")
    return SeenTurn(
        key=element.get("id").removeprefix("turn-"),
        state=element.get("data-state"),
        message=message.text_content(),
        reply=_text(replies[0]) if replies else None,
        alert=_alert(alerts[0], alerts[0]) if alerts else None,
        waits=bool(element.xpath(".//form[@data-waiting]")),
        notice=_text(notices[0]) if notices else None,
    )


def _alert(element: HtmlElement, waits: HtmlElement) -> SeenAlert:
    assert element.get("role") == "alert"
    return SeenAlert(
        sentence=_text(element.xpath("./p")[0]),
        code=element.get("data-code"),
        controls=[
            control.get("data-action") for control in element.xpath(".//*[@data-action][not(ancestor::*[@hidden])]")
        ],
        wait=int(waits.get("data-wait", 0)),
    )

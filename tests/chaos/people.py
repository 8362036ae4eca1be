"""Visitors who ask for a person, and the team members who answer them in the inbox; all act at random."""

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

from lxml.html import HtmlElement

from tests.browser.site import hash_of
from tests.chaos.visitors import RandomVisitor, SiteUser
from tests.chatsite.http_visitor import HttpClient
from tests.webchat.visitor import Page, fields_of

INBOX = "/admin/inbox/"
LOGIN = f"/admin/login/?next={INBOX}"
PASSWORD = "a password for the test"
MAY_ANSWER = ["answer_conversation", "webchat", "conversation"]
FIRST = 101  # the first team member's primary key

# Weights of the actions that a team member takes, where the conversation offers them.
ACTIONS = {"write": 8, "claim": 5, "take-over": 3, "hand-back": 4, "hand-over": 2, "close": 2}


def team_rows(count: int) -> list[dict[str, object]]:
    """Team members with their accounts, as `loaddata` reads them."""
    rows: list[dict[str, object]] = []
    for pk in range(FIRST, FIRST + count):
        account = {
            "username": f"member{pk}",
            "password": hash_of(PASSWORD),
            "is_staff": True,
            "user_permissions": [MAY_ANSWER],
        }
        member = {"user": pk, "name": f"Member {pk}", "is_available": True}
        rows.append({"model": "auth.user", "pk": pk, "fields": account})
        rows.append({"model": "webchat.teammember", "pk": pk, "fields": member})
    return rows


class VisitorWithTeam(RandomVisitor):
    """A visitor who sometimes asks for a person; `read` holds the team's messages that were shown, by key."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self.read: dict[str, str] = {}

    def act(self) -> None:
        wish = self.random.random()
        if wish < 0.06:
            self.press("join")
        elif wish < 0.1:
            self.press("leave")
        elif wish < 0.3:
            self.ask_what_is_new()
        else:
            super().act()

    def press(self, action: str) -> None:
        forms = self.browser.page.all(f"form[contains(@hx-post, '/person/{action}')]")
        if not forms:
            return
        (shown,) = self.browser.page.all("input[@name='shown']/@value")
        answer = self.attempt(self.browser.submit_live, forms[0], {"shown": shown})
        if answer and answer.status == 200:
            self.remember(answer)

    def ask_what_is_new(self) -> None:
        """Poll for updates, as the page does while a person leads the conversation."""
        page = self.browser.page
        for _ in range(3):
            url = next(iter(page.all("*[@id='leader']/@data-updates")), None)
            if url is None:
                return
            answer = self.attempt(self._get_live, url)
            if answer and answer.status == 200:
                self.remember(answer)
                page = answer
            self.pause(1)

    def remember(self, page: Page) -> None:
        super().remember(page)
        for entry in page.all("*[@data-entry]"):
            key = entry.get("id").removeprefix("entry-")
            texts = entry.xpath(".//*[@data-team-message]")
            self.read[key] = texts[0].text_content().strip() if texts else ""

    def _get_live(self, url: str) -> Page:
        return Page(self.browser.client.get(url, headers={"HX-Request": "true"}))


@dataclass
class SentText:
    """A message or a note that a team member has sent."""

    text: str
    kind: str
    conversation: str
    is_accepted: bool = False


class Member(SiteUser):
    """A team member at the inbox; `written` holds what was sent, by key, and `tried` counts the other actions."""

    def __init__(self, pk: int, url: str, seed: int, stop: object, **options: object) -> None:
        super().__init__(f"member{pk}", seed, stop)
        self.pk = pk
        self.client = HttpClient(url, **{"timeout": 20} | options)
        self.written: dict[str, SentText] = {}
        self.tried: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def run(self) -> None:
        while not self.stop.is_set():
            page = self.attempt(self._get, INBOX + self.random.choice(("", "", "?show=all")))
            if page is not None and page.status == 302:
                self.log_in()
            elif page is not None and page.status == 200:
                self.answer_one(page)
            self.pause(1)

    def log_in(self) -> None:
        login_page = self.attempt(self._get, LOGIN)
        if login_page and login_page.status == 200:
            form = next(each for each in login_page.all("form") if each.xpath(".//input[@name='password']"))
            self.attempt(self._submit, form, LOGIN, {"username": self.name, "password": PASSWORD})

    def answer_one(self, inbox: Page) -> None:
        """Open one of the listed conversations and take one action."""
        links = inbox.all("*[@id='inbox-rows']//a/@href")
        opened = self.attempt(self._get, self.random.choice(links)) if links else None
        if opened is None or opened.status != 200:
            return
        offered = {_action_of(form): form for form in opened.all(f"form[contains(@action, '{INBOX}')]")}
        actions = {action: weight for action, weight in ACTIONS.items() if action in offered}
        if not actions:
            return
        (action,) = self.random.choices(list(actions), list(actions.values()))
        form = offered[action]
        conversation = form.get("action").removeprefix(INBOX).partition("/")[0]
        if action == "write":
            self.write(form, conversation)
        else:
            self.tried[conversation][action] += 1
            colleagues = form.xpath(".//option/@value")
            self.attempt(self._submit, form, None, {"colleague": self.random.choice(colleagues)} if colleagues else {})

    def write(self, form: HtmlElement, conversation: str) -> None:
        """Send a message or a note; send it again if no answer comes, and sometimes for no reason."""
        may_send = form.xpath(".//*[@id='inbox-send']")
        kind = "message" if may_send and self.random.random() < 0.8 else "note"
        text = f"A {kind} by {self.name}: {uuid.uuid4()}"
        sent = self.written[fields_of(form)["key"]] = SentText(text, kind, conversation)
        for _ in range(4):
            answer = self.attempt(self._submit, form, None, {"text": text, "kind": kind})
            sent.is_accepted = sent.is_accepted or (answer is not None and answer.status == 303)
            if answer is not None and answer.status < 500 and self.random.random() < 0.8:
                return
            self.pause(1)

    def _get(self, url: str) -> Page:
        return Page(self.client.get(url))

    def _submit(self, form: HtmlElement, url: str | None, fields: dict[str, str]) -> Page:
        return Page(self.client.post(url or form.get("action"), fields_of(form) | fields))


def _action_of(form: HtmlElement) -> str:
    """Return the last part of the form's URL."""
    return form.get("action").partition("?")[0].rstrip("/").rpartition("/")[2]

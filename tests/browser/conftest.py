"""What the browser tests share: the real site before the fake upstream, a Chromium, a fresh visitor for each test."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.browser import chromium
from tests.browser.chat_page import ChatPage
from tests.browser.kiosk_screen import SANDBOX, KioskScreen, enrolled, kiosk_row
from tests.browser.owner import owner_row
from tests.browser.site import Site, account_row, bot_row, conversation_rows, free_port
from tests.browser.waiting import PATIENCE
from tests.browser.watch import Watch, keep_pages
from tests.switches import SITES, fields_of
from tests.webchat.upstream_server import UpstreamServer

PASSWORD = "a long pass phrase"
expect.set_options(timeout=PATIENCE * 1000)
CUSTOMERS = [f"customer{number}" for number in range(20)]  # each test of the portal takes one; the last has said much
SAMPLE = dict(list(enumerate(SITES))[::6])  # of the sites that tests/switches.py puts together, by number


# Package, not session: while Playwright runs, Django refuses to touch a database in the same thread.
package = pytest.fixture(scope="package")


@package
def upstream_port() -> int:
    """The same for each test's own upstream, because the site knows only one."""
    return free_port()


@package
def site(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """As the owner runs it, with somebody who is there to answer. What needs another site starts its own."""
    member = {"user": 1, "name": "Olivia", "is_available": True, "seen_at": "2099-01-02T03:04:05Z"}
    name = "Rosa von der Gartenbaugesellschaft Obermenzing-Untermenzing am Nordring e. V."
    bots = [
        bot_row(1, "help", in_portal=True),
        bot_row(2, "thrifty", daily_budget=1),
        bot_row(3, "rose", name=name, accent="#b3261e", in_portal=True),
        bot_row(104, "people", handover=True, hours="Mon-Sun 0-24", time_zone="Europe/Berlin", privacy_note="A note."),
        bot_row(105, "off", handover=True, switched_on=False),
        bot_row(106, "consent", consent="I agree to [everything](https://example.com/privacy)."),
        bot_row(107, "guarded", name="Gwen", asks_for_proof=True, in_portal=True),
        bot_row(108, "switched"),
        bot_row(109, "asking", asks_details="before", asks_email="required", own_details="Your order’s number"),
        bot_row(110, "asking-later", asks_details="after", asks_email="optional"),
        bot_row(111, "notified", people_answer=True, notifies_visitors=True),
        bot_row(112, "form", asks_details="instead", handover=True, can_help="Orders", cannot_help="Legal advice"),
        *[bot_row(10 + n, f"bot-{n}", **fields_of(site) | {"in_portal": False}) for n, site in SAMPLE.items()],
        *[owner_row(number, name) for number, name in enumerate(("owner", "with a passkey", "with an app"), start=1)],
        {"model": "webchat.teammember", "pk": 1, "fields": member},
        kiosk_row(),
        kiosk_row(2, bot=107, token="token-of-the-guarded-kiosk"),
        kiosk_row(3, bot=104, token="token-of-the-kiosk-with-a-note"),
        *[account_row(100 + number, name, PASSWORD) for number, name in enumerate(CUSTOMERS)],
        *conversation_rows(account=100 + len(CUSTOMERS) - 1, bot=1, count=30),
    ]
    folder = tmp_path_factory.mktemp("site")
    with Site(folder, f"http://127.0.0.1:{upstream_port}", bots, MESSAGES_PER_MINUTE=1000) as site:
        yield site


@package
def playwright() -> Iterator[Playwright]:
    """One for all: a second one beside it in the same thread isn't possible."""
    with sync_playwright() as playwright:
        yield playwright


@package
def browser(playwright: Playwright) -> Browser:
    return chromium.launch(playwright)


@pytest.fixture
def upstream(upstream_port: int) -> Iterator[UpstreamServer]:
    with UpstreamServer(port=upstream_port) as upstream:
        yield upstream


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    """Looks at everything that any visitor's browser says and asks for; what isn't meant fails the test at its end."""
    watch = Watch(site.url)
    yield watch
    watch.check()


@pytest.fixture
def new_visitor(browser: Browser, upstream: UpstreamServer, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browsers that have never been here, each with cookies of its own."""
    contexts = []

    def visitor(**options: object) -> BrowserContext:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        watch.look_at(context)
        contexts.append(context)
        return context

    yield visitor
    for context in contexts:
        keep_pages(context)
        context.close()


@pytest.fixture
def visitor(new_visitor: Callable[..., BrowserContext]) -> BrowserContext:
    return new_visitor()


@pytest.fixture
def kiosk(browser: Browser, site: Site, upstream: UpstreamServer, watch: Watch) -> Iterator[KioskScreen]:
    """An enrolled kiosk on its attract screen; its clock stands still between the test's own steps."""
    watch.expect(SANDBOX)
    context = enrolled(browser, site)
    watch.look_at(context)
    yield KioskScreen.open(context, site)
    keep_pages(context)
    context.close()


@pytest.fixture
def chat(visitor: BrowserContext, site: Site) -> ChatPage:
    """The open chat page of a visitor who hasn't said anything yet."""
    return ChatPage.open(visitor, site.url)

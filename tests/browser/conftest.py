"""Browser fixtures: the real site with the fake upstream, one Chromium, a new visitor for each test."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.browser import chromium
from tests.browser.busy_desk import desk_rows
from tests.browser.chat_page import ChatPage
from tests.browser.host_sites import RESOLVER_RULES
from tests.browser.kiosk_screen import SANDBOX, TOKEN, KioskScreen, enrolled, kiosk_row
from tests.browser.owner import logged_in, owner_row
from tests.browser.site import Site, account_row, bot_row, conversation_rows, free_port
from tests.browser.waiting import ASK_OFTEN, PATIENCE
from tests.browser.watch import Watch, keep_pages
from tests.portal.openid_provider import CLIENT, SECRET, OpenIDProvider
from tests.switches import SITES, fields_of
from tests.webchat.upstream_server import UpstreamServer

PASSWORD = "a long pass phrase"
MOVING = {"reduced_motion": "no-preference"}  # an option of `new_visitor`
expect.set_options(timeout=PATIENCE * 1000)
CUSTOMERS = [f"customer{number}" for number in range(20)]  # each portal test uses one; the last one has a long list
SAMPLE = dict(list(enumerate(SITES))[::6])  # numbers of sites in tests/switches.py
_unused = iter(CUSTOMERS[:-1])


# Package scope, not session: while Playwright runs, Django refuses database access in the same thread.
package = pytest.fixture(scope="package")


@package
def upstream_port() -> int:
    """Return the port that each test's upstream listens on: the site has one upstream URL."""
    return free_port()


@package
def provider() -> Iterator[OpenIDProvider]:
    """Start the OpenID provider at which the site's customers may sign in."""
    with OpenIDProvider() as provider:
        yield provider


@package
def site(upstream_port: int, provider: OpenIDProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start the site with a team member who is available; people/ and tests/faults have two processes."""
    member = {"user": 1, "name": "Olivia", "is_available": True, "seen_at": "2099-01-02T03:04:05Z"}
    name = "Rosa von der Gartenbaugesellschaft Obermenzing-Untermenzing am Nordring e. V."
    noted = {"privacy_note": "A note.", "can_help": "Orders"}
    bots = [
        bot_row(1, "help", in_portal=True),
        bot_row(3, "rose", name=name, accent="#b3261e", in_portal=True),
        bot_row(104, "people", handover=True, hours="Mon-Sun 0-24", time_zone="Europe/Berlin", **noted),
        bot_row(105, "off", handover=True, switched_on=False),
        bot_row(106, "consent", consent="I agree to [everything](https://example.com/privacy)."),
        bot_row(107, "guarded", name="Gwen", asks_for_proof=True, in_portal=True),
        bot_row(108, "switched"),
        bot_row(109, "asking", asks_details="before", asks_email="required", own_details="Your order’s number"),
        bot_row(111, "notified", people_answer=True, notifies_visitors=True, in_portal=True),
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
    settings = {"MESSAGES_PER_MINUTE": 1000, "WEB_PROCESSES": 1, "OIDC_ISSUER": provider.issuer, "OIDC_NAME": "Example"}
    settings |= {"OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET}
    with Site(folder, f"http://127.0.0.1:{upstream_port}", bots, **settings) as site:
        yield site


@package
def playwright() -> Iterator[Playwright]:
    """Start Playwright once: a thread can run only one."""
    with sync_playwright() as playwright:
        yield playwright


@package
def browser(playwright: Playwright) -> Browser:
    return chromium.launch(playwright, RESOLVER_RULES)


@pytest.fixture
def upstream(upstream_port: int) -> Iterator[UpstreamServer]:
    with UpstreamServer(port=upstream_port) as upstream:
        yield upstream


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    """Watch every browser's console and requests; unexpected ones fail the test at its end."""
    watch = Watch(site.url)
    yield watch
    watch.check()


@pytest.fixture
def new_visitor(browser: Browser, upstream: UpstreamServer, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that opens browser contexts without cookies.

    Without motion, unless a test wants to see it: Chromium paints what moves sixty times a second.
    """
    contexts = []

    def visitor(**options: object) -> BrowserContext:
        context = browser.new_context(**{"reduced_motion": "reduce"} | options)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(ASK_OFTEN)
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
def new_kiosk(
    browser: Browser, site: Site, upstream: UpstreamServer, watch: Watch
) -> Iterator[Callable[..., KioskScreen]]:
    """Return a function that opens an enrolled kiosk on its attract screen; only the test moves its clock."""
    watch.expect(SANDBOX)
    contexts = []

    def kiosk(bot: str = "help", token: str = TOKEN, script: str = ";", **options: object) -> KioskScreen:
        context = enrolled(browser, site, token, **options)
        context.add_init_script(script)
        watch.look_at(context)
        contexts.append(context)
        return KioskScreen.open(context, site, bot)

    yield kiosk
    for context in contexts:
        keep_pages(context)
        context.close()


@pytest.fixture
def kiosk(new_kiosk: Callable[..., KioskScreen]) -> KioskScreen:
    return new_kiosk()


@pytest.fixture
def name() -> str:
    """Return the name of a customer's account without conversations."""
    return next(_unused)


@pytest.fixture
def chat(visitor: BrowserContext, site: Site) -> ChatPage:
    """Return the chat page of a visitor who hasn't sent anything."""
    return ChatPage.open(visitor, site.url)


@package
def desk_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a site on a busy day, with a bot that docbot answers."""
    with Site(tmp_path_factory.mktemp("desk-site"), "docbot://in-process", desk_rows(), WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture
def desk(browser: Browser, desk_site: Site) -> Iterator[Page]:
    """Return a small page of that site, with its owner logged in."""
    with logged_in(browser, desk_site, "/admin/visitor/") as page:
        yield page

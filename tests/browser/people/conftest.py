"""A site with a bot that people answer for, and the inbox of a team member who is available."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.kiosk_screen import kiosk_row
from tests.browser.owner import logged_in, owner_row
from tests.browser.people.talk import Talk, open_surface
from tests.browser.site import Site, bot_row, free_port


@pytest.fixture(scope="package")
def site(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a bot that accepts files and whose visitors may ask for a person, and an account for the inbox."""
    rows = [bot_row(1, "help", people_answer=True, handover=True, takes_files=True), kiosk_row(), owner_row()]
    rows.append(bot_row(2, "alone"))
    rows.append({"model": "webchat.teammember", "pk": 1, "fields": {"user": 1, "name": "owner", "is_available": True}})
    folder = tmp_path_factory.mktemp("people")
    port = free_port()
    mails = {"EMAIL_URL": "smtp://127.0.0.1:9", "SITE_URL": f"http://127.0.0.1:{port}", "PORT": port}
    with Site(folder, f"http://127.0.0.1:{upstream_port}", rows, MESSAGES_PER_MINUTE=1000, **mails) as site:
        yield site


@pytest.fixture
def inbox(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield the inbox of an available team member."""
    with logged_in(browser, site, "/admin/inbox/") as page:
        yield page


@pytest.fixture
def talk(inbox: Page, new_visitor: Callable[..., BrowserContext], browser: Browser, site: Site) -> Talk:
    """Return the chat page of a visitor who hasn't sent anything, with somebody at the inbox."""
    return open_surface(new_visitor, browser, site, "chat")

"""The owner at the desk: an account in `loaddata`'s format, and a browser that is logged in."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.browser.site import Site, hash_of
from tests.browser.waiting import ASK_OFTEN, PATIENCE, wait_until
from tests.browser.watch import Watch, keep_pages

PASSWORD = "a password for the test"
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
NOTHING = r"(?!)"
TRAINED_WITHIN = 90  # seconds, in which a busy machine starts a process that trains
_cookies: dict[Site, list] = {}  # one per site's owner: logging in takes a second on purpose


def owner_row(number: int = 1, name: str = "owner") -> dict[str, object]:
    fields = {"username": name, "password": hash_of(PASSWORD), "is_staff": True, "is_superuser": True}
    return {"model": "auth.user", "pk": number, "fields": fields}


def log_in(page: Page) -> None:
    """Log in on the login page."""
    page.get_by_label("User name or e-mail address").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


@contextmanager
def logged_in(browser: Browser, site: Site, path: str, meant: str = NOTHING) -> Iterator[Page]:
    """Yield that page of the desk, logged in; errors in the console fail the test at its end, but for those `meant`."""
    watch = Watch(site.url)
    watch.expect(meant)
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(ASK_OFTEN)
    watch.look_at(context)
    context.add_cookies(_cookies.get(site, []))
    page = context.new_page()
    page.goto(site.url + path)
    if "/login/" in page.url:
        log_in(page)
    expect(page).to_have_url(site.url + path)
    _cookies[site] = context.cookies()
    yield page
    keep_pages(context)
    context.close()
    watch.check()


def wait_for_training(desk: Page) -> None:
    """Wait until the list, fetched again and again, says that nothing is being trained."""
    wait_until(
        desk,
        "fetch(location.href).then((page) => page.text()).then((text) => !text.includes('being trained'))",
        TRAINED_WITHIN,
    )

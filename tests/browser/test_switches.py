"""axe finds no fault on a sample of the sites that tests/switches.py puts together."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.site import Site, bot_row
from tests.browser.test_accessibility import complaints
from tests.browser.watch import Watch
from tests.switches import SITES, fields_of
from tests.webchat.upstream_server import UpstreamServer

SAMPLE = dict(list(enumerate(SITES))[::6])


@pytest.fixture(scope="module")
def sample(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    bots = [bot_row(10 + number, f"bot-{number}", **fields_of(site)) for number, site in SAMPLE.items()]
    folder = tmp_path_factory.mktemp("switches")
    with Site(folder, f"http://127.0.0.1:{upstream_port}", bots, WEB_PROCESSES=1) as site:
        yield site


@pytest.mark.parametrize("number", SAMPLE)
def test_axe_finds_nothing_in_any_combination_of_switches(
    new_visitor: Callable[..., BrowserContext], sample: Site, upstream: UpstreamServer, watch: Watch, number: int
) -> None:
    watch.also_at(sample.url)
    page = new_visitor(color_scheme="dark" if number % 4 else "light").new_page()
    page.goto(f"{sample.url}/chat/bot-{number}/")
    assert complaints(page) == []
    if SITES[number]["handover"]:
        page.goto(f"{sample.url}/chat/bot-{number}/person")
        assert complaints(page) == []

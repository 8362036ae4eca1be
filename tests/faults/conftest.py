"""Fixtures for faults: the real site in two processes with the fake upstream, on SQLite."""

from collections.abc import Iterator

import pytest

from tests.browser.site import Site, bot_row, free_port
from tests.chatsite.http_visitor import HttpVisitor
from tests.webchat.upstream_server import UpstreamServer

package = pytest.fixture(scope="package")


@package
def upstream_port() -> int:
    return free_port()


@pytest.fixture
def upstream(upstream_port: int) -> Iterator[UpstreamServer]:
    with UpstreamServer(port=upstream_port) as upstream:
        yield upstream


@package
def settings_of_site(upstream_port: int) -> dict[str, object]:
    """The time-out is long, so that a killed worker is replaced before the turn that it asked counts as lost."""
    return {"CHAT_TIMEOUT": 60, "MESSAGES_PER_MINUTE": 0, "ADDRESS_MESSAGES_PER_MINUTE": 0, "WEB_THREADS": 64}


@package
def site(upstream_port: int, settings_of_site: dict, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = settings_of_site | {"DATABASE_URL": ""}
    folder, upstream_url = tmp_path_factory.mktemp("faults"), f"http://127.0.0.1:{upstream_port}"
    with Site(folder, upstream_url, [bot_row(1, "help")], **settings) as site:
        yield site


@pytest.fixture
def visitor(site: Site, upstream: UpstreamServer) -> HttpVisitor:
    visitor = HttpVisitor(site.url)
    visitor.open()
    return visitor

"""The site as deployed on the internet: systemd's unit behind nginx, with https and the fake upstream."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import free_port
from tests.chatsite.http_visitor import HttpVisitor
from tests.deploy.caddy import Caddy
from tests.deploy.nginx import Nginx
from tests.deploy.proxies import find, missing
from tests.deploy.systemd import Service
from tests.webchat.certificates import Authority
from tests.webchat.upstream_server import UpstreamServer

package = pytest.fixture(scope="package")


@package
def upstream_port() -> int:
    """Return the port that the upstream has in each test: none that another worker's free_port() may draw meanwhile."""
    return free_port(range(9_000, 10_000))


@pytest.fixture
def upstream(upstream_port: int) -> Iterator[UpstreamServer]:
    with UpstreamServer(port=upstream_port) as upstream:
        yield upstream


@package
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deploy")


@package
def authority(folder: Path) -> Authority:
    return Authority(folder)


@package
def service(folder: Path, upstream_port: int, authority: Authority) -> Iterator[Service]:
    """Start the site with one process and few threads, so that a held thread is noticed."""
    service = Service(
        folder,
        CHAT_BASE_URL=f"http://127.0.0.1:{upstream_port}",
        BOT_API_KEY="key-of-the-bot",
        CHAT_TIMEOUT=10,
        MESSAGES_PER_MINUTE=0,
        ADDRESS_MESSAGES_PER_MINUTE=0,
        WEB_PROCESSES=1,
        WEB_THREADS=12,
    )
    if find("nginx"):
        with Nginx(folder / "nginx", authority, service.port) as nginx:
            service.settings["SITE_URL"] = nginx.url
            with service:
                service.nginx = nginx
                yield service
    else:
        service.settings["BEHIND_PROXY"] = 0
        with service:
            yield service


@package
def nginx(service: Service) -> Nginx:
    if not find("nginx"):
        pytest.skip(missing("nginx"))
    return service.nginx


@package
def caddy(service: Service, folder: Path, authority: Authority) -> Iterator[Caddy]:
    """Start Caddy in front of the same site."""
    if not find("caddy"):
        pytest.skip(missing("caddy"))
    with Caddy(folder / "caddy", authority, service.port) as caddy:
        yield caddy


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest) -> Nginx | Caddy:
    return request.getfixturevalue(request.param)


@pytest.fixture
def url(service: Service) -> str:
    return service.nginx.url if find("nginx") else f"http://127.0.0.1:{service.port}"


@pytest.fixture
def visitor(url: str, authority: Authority, upstream: UpstreamServer) -> HttpVisitor:
    return HttpVisitor(url, verify=str(authority.file))

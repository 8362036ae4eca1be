"""Websites on several origins, and the chat site, all over TLS: for tests of the widget."""

import contextlib
import http.client
import ssl
import time
from pathlib import Path

from tests.browser.site import Site, free_port
from tests.http_server import HttpServer, Request
from tests.webchat.certificates import Authority

CHAT_HOST = "chat.example"
RESOLVER_RULES = "--host-resolver-rules=MAP *.example 127.0.0.1"


class SecureSite(Site):
    """The real site at https://chat.example, with TLS by gunicorn."""

    def __init__(self, folder: Path, upstream_url: str, bots: list[dict[str, object]], authority: Authority) -> None:
        port = free_port()
        certificate = authority.certificate_file(CHAT_HOST)
        self._authority = authority
        super().__init__(
            folder,
            upstream_url,
            bots,
            PORT=port,
            SITE_URL=f"https://{CHAT_HOST}:{port}",
            MESSAGES_PER_MINUTE=1000,
            WEB_PROCESSES=1,
            GUNICORN_CMD_ARGS=f"--certfile {certificate} --keyfile {certificate}",
        )
        self.port = port

    @property
    def url(self) -> str:
        return f"https://{CHAT_HOST}:{self.port}"

    def _wait_until_it_answers(self) -> None:
        context = ssl.create_default_context(cafile=self._authority.file)
        context.check_hostname = False  # by IP address; browsers get a host rule for .example
        end = time.monotonic() + 60
        while time.monotonic() < end and self._gunicorn.poll() is None:
            page = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=5, context=context)
            with contextlib.closing(page), contextlib.suppress(OSError):
                page.request("GET", "/", headers={"Host": f"{CHAT_HOST}:{self.port}"})
                if page.getresponse().status == 200:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"the site doesn't answer:\n{self.log.read_text()}")


class HostSites(HttpServer):
    """Owners' websites, all on one port; `pages` maps (host, path) to a body and its headers."""

    def __init__(self, authority: Authority, *hosts: str) -> None:
        super().__init__(authority.server_context(*hosts))
        self.pages: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}

    def origin(self, host: str) -> str:
        return f"https://{host}:{self.port}"

    def answer(self, request: Request) -> None:
        host = request.headers["Host"].split(":")[0]
        body, headers = self.pages.get((host, request.path.split("?")[0]), ("", {}))
        request.respond(200 if body else 404, body.encode(), **headers)

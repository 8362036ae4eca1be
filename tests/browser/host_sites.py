"""Websites on several origins, and the chat site, all over TLS: for tests of the widget."""

import contextlib
import http.client
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

from tests.browser.site import Site, free_port
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


class HostSites:
    """Owners' websites, all on one port; `pages` maps (host, path) to a body and its headers."""

    def __init__(self, authority: Authority, *hosts: str) -> None:
        self.pages: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}
        sites = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host = self.headers["Host"].split(":")[0]
                body, headers = sites.pages.get((host, self.path.split("?")[0]), ("", {}))
                content = body.encode()
                self.send_response(200 if body else 404)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.socket = authority.server_context(*hosts).wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port

    def origin(self, host: str) -> str:
        return f"https://{host}:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

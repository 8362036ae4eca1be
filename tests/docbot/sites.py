"""Small websites on loopback, which tests build page by page and which record their requests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[["Handler"], None]


@dataclass
class Site:
    """A site's answers by path; `asked` holds each request's path and headers."""

    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def page(self, path: str, body: str = "", *links: str, head: str = "", status: int = 200, **headers: str) -> None:
        """Add an HTML page with a heading, a text and links; its ETag depends on its content."""
        anchors = "".join(f'<a href="{link}">more</a>' for link in links)
        title = path.strip("/").split("/")[-1].replace(".html", "").capitalize() or "Home"
        html = f"<html><head>{head}</head><body><main><h1>{title}</h1><p>{body}</p></main>{anchors}</body></html>"
        self.file(path, html.encode(), "text/html; charset=utf-8", status=status, **headers)

    def file(self, path: str, content: bytes, kind: str, *, status: int = 200, **headers: str) -> None:
        etag = f'"{sha256(content).hexdigest()[:16]}"'

        def answer(handler: Handler) -> None:
            if handler.headers.get("If-None-Match") == etag:
                handler.send_response(304)
                handler.end_headers()
                return
            handler.send_response(status)
            for name, value in {"Content-Type": kind, "ETag": etag, **headers}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(content)

        self.answers[path] = answer

    def status(self, path: str, status: int, **headers: str) -> None:
        self.file(path, b"", "text/plain", status=status, **headers)

    def redirect(self, path: str, target: str) -> None:
        self.status(path, 302, Location=target)

    def gone(self, path: str) -> None:
        self.answers.pop(path, None)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site: Site = self.server.site
        site.asked.append((self.path, dict(self.headers)))
        answer = site.answers.get(self.path)
        if answer is None:
            self.send_error(404)
            return
        try:
            answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up

    def log_message(self, *args: object) -> None:
        """Log nothing: `asked` has every request."""


@contextmanager
def running_site() -> Iterator[Site]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.site = Site(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A fake Sentry on loopback that keeps the events it is sent, as text."""

import gzip
import threading

import brotli

from tests.http_server import HttpServer, Request


class SentryServer(HttpServer):
    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []
        self._came = threading.Condition()

    @property
    def dsn(self) -> str:
        return f"http://public@127.0.0.1:{self.port}/1"

    def answer(self, request: Request) -> None:
        body = request.body()
        packed = {"gzip": gzip.decompress, "br": brotli.decompress}.get(request.headers["Content-Encoding"])
        with self._came:
            self.events.append((packed(body) if packed else body).decode())
            self._came.notify_all()
        request.respond(200, b"{}")

    def wait_for(self, word: str) -> str:
        """Return the first event that contains the word."""
        with self._came:
            assert self._came.wait_for(lambda: any(word in event for event in self.events), 10), self.events
            return next(event for event in self.events if word in event)

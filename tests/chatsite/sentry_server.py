"""A fake Sentry on loopback that keeps the events it is sent, as text."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import brotli


class SentryServer:
    """Serves inside its `with` block."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self._came = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def dsn(self) -> str:
        return f"http://public@127.0.0.1:{self._server.server_port}/1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait_for(self, word: str) -> str:
        """Return the first event that contains the word."""
        with self._came:
            assert self._came.wait_for(lambda: any(word in event for event in self.events), 10), self.events
            return next(event for event in self.events if word in event)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        sentry = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                packed = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers["Content-Encoding"])
                with sentry._came:
                    sentry.events.append((packed(body) if packed else body).decode())
                    sentry._came.notify_all()
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: object) -> None:
                pass

        return Handler

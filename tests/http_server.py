"""A small HTTP server on loopback for fakes, whose subclasses answer the requests."""

import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Request(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.fake.answer(self)

    do_POST = do_GET

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def respond(self, status: int, content: bytes = b"", **headers: str) -> None:
        """Send an HTML page, unless a header says something else."""
        self.send_response(status)
        usual = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(content))}
        for name, value in (usual | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Report what is wrong with a fake, but not a connection that the test or the client has ended."""
        if not isinstance(sys.exception(), OSError | ValueError):
            super().handle_error(request, client_address)


class HttpServer:
    """Serves inside its `with` block, each request in a thread of its own."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._server = _Server(("127.0.0.1", 0), Request)
        self._server.fake = self
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port

    def answer(self, request: Request) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

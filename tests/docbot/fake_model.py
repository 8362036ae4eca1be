"""An OpenAI-compatible server on loopback, which answers as a test asks."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from docbot.answering import model_server


@dataclass
class FakeModel:
    """The server's behaviour; `asked` holds each request's headers and parsed body."""

    port: int = 0
    scheme: str = "http"
    asked: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)  # set at the end, so that no request hangs
    _act: Callable[[Handler], None] | None = None

    @property
    def base_url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    def act(self, handler: Handler) -> None:
        (self._act or (lambda handler: self.say(handler, "Nobody told me what to say.")))(handler)

    def will(self, act: Callable[[Handler], None]) -> FakeModel:
        self._act = act
        return self

    def will_say(self, text: str, finish_reason: str = "stop") -> FakeModel:
        return self.will(lambda handler: self.say(handler, text, finish_reason))

    def will_answer(self, status: int, body: object, **headers: str) -> FakeModel:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.will(lambda handler: handler.answer(status, content, **headers))

    def will_hang(self) -> FakeModel:
        return self.will(lambda handler: self.over.wait(20))

    def will_drip(self, *, in_the_headers: bool) -> FakeModel:
        """Send a byte now and then, so that no single read takes long."""

        def drip(handler: Handler) -> None:
            handler.send_response_only(200)
            if not in_the_headers:
                handler.send_header("Content-Type", "application/json")
                handler.end_headers()
            else:
                handler.flush_headers()
                handler.wfile.write(b"X-Slow: ")
            while not self.over.wait(0.02):
                handler.wfile.write(b" ")

        return self.will(drip)

    def will_reset(self) -> FakeModel:
        def reset(handler: Handler) -> None:
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()

        return self.will(reset)

    def will_cut(self) -> FakeModel:
        def cut(handler: Handler) -> None:
            handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"choices": [')

        return self.will(cut)

    @staticmethod
    def say(handler: Handler, text: str | None, finish_reason: str = "stop") -> None:
        message = {"role": "assistant", "content": text}
        handler.answer(
            200, json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]}).encode()
        )

    # --- What was sent ---

    @property
    def system_message(self) -> str:
        return self.asked[-1][1]["messages"][0]["content"]

    @property
    def user_message(self) -> str:
        return self.asked[-1][1]["messages"][1]["content"]

    def marked_texts(self) -> list[tuple[str, str]]:
        """Return name and text of everything between marks, in order, checked to contain the code nowhere else."""
        code = re.search(r"carry the code (\w+)", self.system_message)[1]
        found = re.findall(rf"<([^<>]*) code={code}>\n(.*?)\n</\1 code={code}>", self.user_message, re.DOTALL)
        assert self.user_message.count(code) == 2 * len(found)
        return found

    def texts_of(self, name: str) -> list[str]:
        return [text for marked, text in self.marked_texts() if marked.startswith(name)]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        model: FakeModel = self.server.model
        body = self.rfile.read(int(self.headers["Content-Length"]))
        model.asked.append((dict(self.headers) | {":path": self.path}, json.loads(body)))
        self.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):  # the client gave up
            model.act(self)

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response_only(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in ({"Content-Type": "application/json", "Content-Length": str(len(content))} | named).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def finish(self) -> None:
        with suppress(OSError):  # a test may have closed it
            super().finish()

    def log_message(self, *args: object) -> None:
        """Log nothing: `asked` has every request."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def shutdown_request(self, request: Any) -> None:
        with suppress(OSError):
            super().shutdown_request(request)


@contextmanager
def running_model(tls: ssl.SSLContext | None = None) -> Iterator[FakeModel]:
    model_server._refused.clear()  # left over from an earlier test's server at the same port
    model_server._failures.clear()
    server = Server(("127.0.0.1", 0), Handler)
    server.model = FakeModel(server.server_address[1], "https" if tls else "http")
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.model
    finally:
        server.model.over.set()
        server.shutdown()
        thread.join()
        server.server_close()

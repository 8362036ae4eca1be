"""An OpenAI-compatible server on loopback, which answers as a test asks."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from typing import Any

from docbot.answering import model_server
from tests.http_server import HttpServer, Request


class FakeModel(HttpServer):
    """`asked` holds each request's headers and parsed body."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls)
        model_server._refused.clear()  # left over from an earlier test's server at the same port
        model_server._failures.clear()
        self.base_url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/v1"
        self.asked: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()  # set at the end, so that no request hangs
        self.will_say("Nobody told me what to say.")

    def __exit__(self, *error: object) -> None:
        self.over.set()
        super().__exit__(*error)

    def answer(self, request: Request) -> None:
        self.asked.append((dict(request.headers) | {":path": request.path}, json.loads(request.body())))
        self._act(request)

    def will(self, act: Callable[[Request], object]) -> FakeModel:
        self._act = act
        return self

    def will_say(self, text: str, finish_reason: str = "stop") -> FakeModel:
        return self.will(lambda request: self.say(request, text, finish_reason))

    def will_answer(self, status: int, body: object, **headers: str) -> FakeModel:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {"Content-Type": "application/json"} | {name.replace("_", "-"): headers[name] for name in headers}
        return self.will(lambda request: request.respond(status, content, **named))

    def will_hang(self) -> FakeModel:
        return self.will(lambda request: self.over.wait(20))

    def will_drip(self, *, in_the_headers: bool) -> FakeModel:
        """Send a byte now and then, so that no single read takes long."""

        def drip(request: Request) -> None:
            request.send_response_only(200)
            if not in_the_headers:
                request.send_header("Content-Type", "application/json")
                request.end_headers()
            else:
                request.flush_headers()
                request.wfile.write(b"X-Slow: ")
            while not self.over.wait(0.02):
                request.wfile.write(b" ")

        return self.will(drip)

    def will_reset(self) -> FakeModel:
        def reset(request: Request) -> None:
            linger = struct.pack("ii", 1, 0)
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            request.connection.close()

        return self.will(reset)

    def will_cut(self) -> FakeModel:
        def cut(request: Request) -> None:
            request.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"choices": [')

        return self.will(cut)

    @staticmethod
    def say(request: Request, text: str | None, finish_reason: str = "stop") -> None:
        message = {"role": "assistant", "content": text}
        content = {"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]}
        request.respond(200, json.dumps(content).encode(), **{"Content-Type": "application/json"})

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

"""An unreliable upstream: it answers late, cuts answers off, refuses, forgets, goes away, and records each request."""

import contextlib
import random
import socket
import threading
import time
from collections import Counter

from tests.webchat.upstream_server import SeenRequest, UpstreamServer, error_body, http_answer

GARBAGE = (b"", b"\0\xff" * 20, b"HTTP/1.1 200 OK\r\n\r\n<html>", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")


class UnreliableUpstream(UpstreamServer):
    """Answers most requests. `asked` counts the requests for each message.

    `may_have_cost` counts those that may have cost a credit, after which only the visitor may send the message again.
    """

    def __init__(self, seed: int, **options: object) -> None:
        self._random = random.Random(seed)
        self._counting = threading.Lock()
        self.asked: Counter[str] = Counter()
        self.may_have_cost: Counter[str] = Counter()
        self.is_reliable = False
        super().__init__(**options)
        self.compose = lambda message, earlier: f"You said: {message}"

    def refuse_connections(self, seconds: float) -> None:
        """Refuse connections for that many seconds."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        time.sleep(seconds)
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self._accepting = threading.Thread(target=self._accept, daemon=True, name="upstream")
        self._accepting.start()

    def _serve(self, connection: socket.socket, request: SeenRequest) -> None:
        behaviour = "answer" if self.is_reliable else self._pick()
        message = request.message or ""
        with self._counting:
            self.asked[message] += 1
            self.may_have_cost[message] += behaviour != "busy"
        time.sleep(self._random.uniform(0, 1.5))
        with contextlib.suppress(OSError):  # the worker that asked was killed
            self._behave(behaviour, connection, request)

    def _pick(self) -> str:
        behaviours = {"answer": 80, "busy": 8, "forget": 4, "broken": 2, "garbage": 2, "reset": 2, "hang": 2}
        return self._random.choices(list(behaviours), list(behaviours.values()))[0]

    def _behave(self, behaviour: str, connection: socket.socket, request: SeenRequest) -> None:
        match behaviour:
            case "busy":
                connection.sendall(http_answer(503, error_body("BOT_UNAVAILABLE")))
            case "broken":
                connection.sendall(http_answer(500, "<h1>Internal Server Error</h1>"))
            case "garbage":
                connection.sendall(self._random.choice(GARBAGE))
            case "reset":
                connection.close()
            case "hang":
                self._closing.wait(8)
            case _:
                if behaviour == "forget":
                    self.forget_chats()
                status, body = self._judge(request)
                if status == 404:  # the site asks once more without the chatId; this request cost nothing
                    with self._counting:
                        self.may_have_cost[request.message or ""] -= 1
                connection.sendall(http_answer(status, body))

"""An unreliable upstream: replies late, cuts, refuses, forgets, goes away; and records what it was asked."""

import contextlib
import random
import socket
import threading
import time
from collections import Counter

from tests.webchat.upstream_server import SeenRequest, UpstreamServer, error_body, http_answer

GARBAGE = (b"", b"\0\xff" * 20, b"HTTP/1.1 200 OK\r\n\r\n<html>", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")


class MoodyUpstream(UpstreamServer):
    """Answers most requests. `asked` counts the requests for each message; `took` those that may have cost a credit,
    after which only the visitor may send the message again."""

    def __init__(self, seed: int, **options: object) -> None:
        self._random = random.Random(seed)
        self._ledger = threading.Lock()
        self.asked: Counter[str] = Counter()
        self.took: Counter[str] = Counter()
        self.is_kind = False
        super().__init__(**options)
        self.compose = lambda message, earlier: f"You said: {message}"

    def be_away(self, seconds: float) -> None:
        """Refuse connections for that many seconds."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        time.sleep(seconds)
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self._accepting = threading.Thread(target=self._accept, daemon=True, name="upstream")
        self._accepting.start()

    def _serve(self, connection: socket.socket, request: SeenRequest) -> None:
        mood = "answer" if self.is_kind else self._pick()
        message = request.message or ""
        with self._ledger:
            self.asked[message] += 1
            self.took[message] += mood != "busy"
        time.sleep(self._random.uniform(0, 1.5))
        with contextlib.suppress(OSError):  # the worker that asked was killed
            self._behave(mood, connection, request)

    def _pick(self) -> str:
        moods = {"answer": 80, "busy": 8, "forget": 4, "broken": 2, "garbage": 2, "reset": 2, "hang": 2}
        return self._random.choices(list(moods), list(moods.values()))[0]

    def _behave(self, mood: str, connection: socket.socket, request: SeenRequest) -> None:
        match mood:
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
                if mood == "forget":
                    self.forget_chats()
                status, body = self._judge(request)
                if status == 404:  # the site asks once more without the chatId; this request cost nothing
                    with self._ledger:
                        self.took[request.message or ""] -= 1
                connection.sendall(http_answer(status, body))

"""A chat-api.md service on loopback that behaves as documented, or as badly as a test asks.

    with UpstreamServer() as upstream:
        upstream.will_refuse("BOT_UNAVAILABLE", status=503).will_reply("Hello")   # the next two requests
        client = UpstreamClient(upstream.base_url, upstream.api_key)
        assert client.ask("Hi").text == "Hello"
        assert [request.message for request in upstream.requests] == ["Hi", "Hi"]

Each `will_…` applies to one request, in order (`times=` for more). Otherwise the server behaves as the service: it
knows keys, bots and chats, and has a cause for each code. It uses raw sockets, so that it can break every rule.
"""

import contextlib
import json
import re
import socket
import ssl
import struct
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

PATH = "/api/public/chat"


@dataclass(frozen=True)
class SeenRequest:
    """A request as received; header names are lower-case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def key(self) -> str | None:
        return self.headers.get("x-bot-api-key")

    @property
    def message(self) -> str | None:
        return self.json.get("message")

    @property
    def chat_id(self) -> str | None:
        return self.json.get("chatId")


@dataclass
class ServedBot:
    """A bot behind one key, with its chats by chatId, each a list of the messages sent to it."""

    disabled: bool = False
    chats: dict[str, list[str]] = field(default_factory=dict)


Behaviour = Callable[[socket.socket, SeenRequest], None]


def http_answer(status: int, body: bytes | str | object, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the bytes of a whole answer; a body that is neither bytes nor text is written as JSON."""
    if not isinstance(body, bytes | str):
        body = json.dumps(body)
    content = body.encode() if isinstance(body, str) else body
    lines = {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Any\r\n{head}\r\n".encode("latin-1") + content


def error_body(code: str, words: str = "Words of the upstream.") -> dict[str, object]:
    return {"success": False, "error": {"code": code, "message": words}}


class UpstreamServer:
    """Serves from construction to the end of the `with` block, with one thread for each connection."""

    def __init__(self, *, api_key: str = "key-of-the-bot", port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.api_key = api_key
        self.other_key = "key-of-another-bot"
        self.disabled_key = "key-of-a-disabled-bot"
        self.bots = {key: ServedBot() for key in (self.api_key, self.other_key)}
        self.bots[self.disabled_key] = ServedBot(disabled=True)
        self.delay = 0.0  # seconds before each of the service's own replies
        self.compose: Callable[[str, list[str]], str] = lambda message, earlier: f"You said: {message}"
        self.requests: list[SeenRequest] = []
        self.connections = 0
        self.durations: list[float] = []  # seconds, from each connection to the end of its answer
        self._tls = tls
        self._planned: deque[Behaviour] = deque()
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", port), backlog=1024)
        self.port: int = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True, name="upstream")
        self._accepting.start()

    @property
    def base_url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def messages(self) -> list[str | None]:
        """Return the message of each request so far."""
        return [request.message for request in self.requests]

    def is_named_in(self, text: str) -> bool:
        """Look for the port, as a separate number: any five digits occur by chance in the identifiers of a long log."""
        return re.search(rf"\b{self.port}\b", text) is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every connection, also those that hang; afterwards connections are refused."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        with self._changed:
            for connection in self._open:
                _shut(connection)
            self._changed.wait_for(lambda: not self._open, timeout=5)

    def wait_for_requests(self, count: int, timeout: float = 60.0) -> None:
        """Wait until so many requests have been seen, or fail."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.requests) >= count, timeout):
                raise AssertionError(f"{len(self.requests)} requests came, not {count}")

    def forget_chats(self) -> None:
        """Treat every chatId as unknown from now on."""
        for bot in self.bots.values():
            bot.chats.clear()

    # --- The vocabulary -----------------------------------------------------------------------------------------------

    def will(self, behaviour: Behaviour, *, times: int = 1) -> Self:
        """Queue a function of the connection and the request, which may do anything; the other methods build on it."""
        self._planned.extend([behaviour] * times)
        return self

    def will_reply(self, text: str, *, chat_id: str | None = None, delay: float = 0.0, times: int = 1) -> Self:
        """Queue a reply in the service's shape; without `chat_id`, of the chat that was asked, or of a new one."""
        return self.will(self._replying(text, chat_id, lambda: self._closing.wait(delay)), times=times)

    def will_hold(self, text: str, *, chat_id: str | None = None) -> threading.Event:
        """Queue a reply that comes once the returned event is set."""
        let_go = threading.Event()

        def wait() -> None:
            while not let_go.wait(0.05) and not self._closing.is_set():
                pass

        self.will(self._replying(text, chat_id, wait))
        return let_go

    def _replying(self, text: str, chat_id: str | None, wait: Callable[[], object]) -> Behaviour:
        def behave(connection: socket.socket, request: SeenRequest) -> None:
            wait()
            chat = chat_id or request.chat_id or str(uuid.uuid4())
            self.bots.get(request.key or "", ServedBot()).chats.setdefault(chat, []).append(request.message or "")
            connection.sendall(http_answer(200, {"success": True, "chatId": chat, "message": text}))

        return behave

    def will_refuse(
        self, code: str, *, status: int = 400, retry_after: int | str | None = None, delay: float = 0.0, times: int = 1
    ) -> Self:
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        return self.will_answer(status, error_body(code), headers=headers, delay=delay, times=times)

    def will_answer(
        self,
        status: int,
        body: bytes | str | object = b"",
        *,
        headers: Mapping[str, str] | None = None,
        delay: float = 0.0,
        times: int = 1,
    ) -> Self:
        """Queue a whole HTTP answer."""
        answer = http_answer(status, body, headers)

        def behave(connection: socket.socket, request: SeenRequest) -> None:
            self._closing.wait(delay)
            connection.sendall(answer)

        return self.will(behave, times=times)

    def will_redirect(self, location: str, *, status: int = 307, times: int = 1) -> Self:
        return self.will_answer(status, headers={"Location": location}, times=times)

    def will_send_raw(self, *pieces: bytes, pause: float = 0.0, then: str = "close", times: int = 1) -> Self:
        """Queue any bytes, with a pause between the pieces; then "close" (FIN), "reset" (RST) or "hang"."""

        def behave(connection: socket.socket, request: SeenRequest) -> None:
            for number, piece in enumerate(pieces):
                if number and self._closing.wait(pause):
                    return
                connection.sendall(piece)
            if then == "hang":
                _wait_for_end(connection)
            elif then == "reset":
                time.sleep(0.05)  # a reset overtakes bytes that the other side hasn't read yet
                _reset(connection)

        return self.will(behave, times=times)

    def will_hang(self, *, times: int = 1) -> Self:
        """Take the request and never answer."""
        return self.will_send_raw(then="hang", times=times)

    def will_close(self, *, times: int = 1) -> Self:
        """Take the request and close the connection without an answer."""
        return self.will_send_raw(times=times)

    def will_reset(self, *, times: int = 1) -> Self:
        """Take the request and reset the connection."""
        return self.will_send_raw(then="reset", times=times)

    def will_drip(self, answer: bytes, *, pause: float = 0.05, times: int = 1) -> Self:
        """Send an answer byte by byte."""
        return self.will_send_raw(*(answer[at : at + 1] for at in range(len(answer))), pause=pause, times=times)

    def will_send_endlessly(self, start: bytes, piece: bytes, *, pause: float = 0.0, times: int = 1) -> Self:
        """Send the start, then the same piece endlessly."""

        def behave(connection: socket.socket, request: SeenRequest) -> None:
            connection.sendall(start)
            while not self._closing.wait(pause):
                connection.sendall(piece)

        return self.will(behave, times=times)

    # --- The service of chat-api.md -----------------------------------------------------------------------------------

    def _serve(self, connection: socket.socket, request: SeenRequest) -> None:
        status, body = self._judge(request)
        if status == 200:
            self._closing.wait(self.delay)
        connection.sendall(http_answer(status, body))

    def _judge(self, request: SeenRequest) -> tuple[int, dict[str, object]]:
        if request.target != PATH:
            return 404, {"detail": "Not Found"}
        if request.method != "POST":
            return 405, {"detail": "Method Not Allowed"}
        if not request.key:
            return 401, error_body("MISSING_API_KEY")
        bot = self.bots.get(request.key)
        if bot is None:
            return 401, error_body("INVALID_API_KEY")
        if bot.disabled:
            return 403, error_body("BOT_DISABLED")
        return self._chat(bot, request)

    def _chat(self, bot: ServedBot, request: SeenRequest) -> tuple[int, dict[str, object]]:
        try:
            content = request.json
        except ValueError:
            return 400, error_body("INVALID_JSON")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, error_body("INVALID_JSON")
        if not isinstance(content, dict):
            return 400, error_body("INVALID_JSON")
        message, chat_id = content.get("message"), content.get("chatId")
        if not (message is None or isinstance(message, str)) or not (chat_id is None or isinstance(chat_id, str)):
            return 400, error_body("INVALID_JSON")
        if not message or not message.strip():
            return 400, error_body("MESSAGE_REQUIRED")
        if not chat_id:
            chat_id = str(uuid.uuid4())
            bot.chats[chat_id] = []
        elif chat_id not in bot.chats:
            return 404, error_body("CHAT_NOT_FOUND")
        reply = self.compose(message, list(bot.chats[chat_id]))
        bot.chats[chat_id].append(message)
        return 200, {"success": True, "chatId": chat_id, "message": reply}

    # --- Connections --------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with self._changed:
                self._open.add(connection)
                self.connections += 1
            threading.Thread(target=self._handle, args=(connection,), daemon=True, name="upstream").start()

    def _handle(self, plain: socket.socket) -> None:
        connection = plain
        began = time.monotonic()
        try:
            if self._tls:
                connection = self._tls.wrap_socket(plain.dup(), server_side=True)
            request = _read_request(connection)
            if request is None:
                return
            with self._changed:
                self.requests.append(request)
                behave = self._planned.popleft() if self._planned else self._serve
                self._changed.notify_all()
            behave(connection, request)
            self.durations.append(time.monotonic() - began)
            _end_politely(connection)
        except OSError:
            pass  # the other side has gone, as many tests intend
        finally:
            connection.close()
            plain.close()
            with self._changed:
                self._open.discard(plain)
                self._changed.notify_all()


def _read_request(connection: socket.socket) -> SeenRequest | None:
    """Return None if the other side closed the connection before the end of its request."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return None
        received += piece
        if received.startswith(b"\x16"):  # a TLS handshake
            connection.sendall(http_answer(400, "The plain HTTP request was sent to no HTTPS port"))
            return None
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    missing = int(headers.get("content-length", "0")) - len(body)
    while missing > 0:
        piece = connection.recv(65536)
        if not piece:
            return None
        body += piece
        missing -= len(piece)
    return SeenRequest(method, target, headers, body)


def _wait_for_end(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass


def _end_politely(connection: socket.socket) -> None:
    """Deliver everything that was sent: a plain close() with unread bytes would reset the connection."""
    if connection.fileno() != -1 and not isinstance(connection, ssl.SSLSocket):
        connection.shutdown(socket.SHUT_WR)


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the connection may have ended already
        connection.shutdown(socket.SHUT_RDWR)

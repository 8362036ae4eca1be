"""Cuts off slow clients: they have settings.REQUEST_SECONDS to send head and body of a request.

A gunicorn thread waits for its client without a limit, so as many slow clients as threads would block the site. A proxy
in front fends off far more of them (deploy/); this is for sites without one.
"""

import contextlib
import io
import socket
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings

SECONDS_WHEN_BUSY = 2.0  # while more than half of the threads wait for clients
INTERVAL = 0.5
READ_AHEAD = 64 * 1024  # bytes
MOST_DISCARDED = 12 * 1024 * 1024  # bytes
# Bytes a second that a client must send of a larger body: a file at the desk, or to a person.
UPLOAD_RATE = 64 * 1024
LARGEST = 2 * 1024**3  # bytes; a request that claims more gets no more time

StartResponse = Callable[..., Any]


class Readers:
    """The connections whose request is still being read, with the start of their time limit."""

    def __init__(self) -> None:
        self._since: dict[socket.socket, float] = {}

    def add(self, client: socket.socket) -> None:
        self._since[client] = time.monotonic()

    def remove(self, client: socket.socket) -> None:
        self._since.pop(client, None)

    def allow_upload(self, client: socket.socket, length: int, most: int) -> None:
        """Allow more time for a large body, unless `most` connections have it already."""
        now = time.monotonic()
        if sum(since > now for since in list(self._since.values())) < most:
            self._since[client] = now + length / UPLOAD_RATE

    def cut_off(self, threads: int) -> None:
        readers = list(self._since.items())
        if not readers:  # while the site is being loaded, there are no settings yet
            return
        seconds = settings.REQUEST_SECONDS if len(readers) <= threads / 2 else SECONDS_WHEN_BUSY
        for client, since in readers:
            if time.monotonic() - since > seconds:
                close_for_reading(client)


def close_for_reading(client: socket.socket) -> None:
    """Unblock the thread that reads from the client; its response is still sent."""
    with contextlib.suppress(OSError):  # closed already
        client.shutdown(socket.SHUT_RD)


readers = Readers()


class WatchedThreadPool(ThreadPoolExecutor):
    """gunicorn's thread pool, which tracks connections while their request is read."""

    def __init__(self, threads: int) -> None:
        super().__init__(max_workers=threads)
        self.threads = threads
        threading.Thread(target=self._watch, name="slow-clients", daemon=True).start()

    def submit(self, handle: Callable[[Any], Any], connection: Any) -> Any:
        return super().submit(self._serve, handle, connection)

    def _serve(self, handle: Callable[[Any], Any], connection: Any) -> Any:
        readers.add(connection.sock)  # not documented, but gunicorn documents no way to the socket
        try:
            keep_alive = handle(connection)
        finally:
            readers.remove(connection.sock)
        if not keep_alive:  # otherwise gunicorn's main thread waits two seconds for more data
            close_for_reading(connection.sock)
        return keep_alive

    def _watch(self) -> None:
        while True:
            time.sleep(INTERVAL)
            readers.cut_off(self.threads)


def discard(body: Any) -> None:
    """Read the rest of a refused request: if the connection is closed earlier, the response may be lost."""
    while body.read(READ_AHEAD):
        pass


def refuse(status: str, start_response: StartResponse) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain"), ("Connection", "close")])
    return [f"{status[4:]}\n".encode()]


def read_chunks(environ: dict[str, Any]) -> str:
    """Read a chunked body and set its length; return the status to refuse it with, or "".

    Browsers send the length; some clients of the chat endpoint don't. If the application left some of the body unread,
    gunicorn would read it afterwards, for as long as the client likes.
    """
    most = max(READ_AHEAD, settings.DOCBOT_REQUEST_MAX_BYTES)
    try:
        body = environ["wsgi.input"].read(most + 1)
    except OSError:  # gunicorn raises it for a body that is cut off, or isn't chunked
        return "400 Bad Request"
    if len(body) > most:
        return "413 Request Entity Too Large"
    del environ["HTTP_TRANSFER_ENCODING"]
    environ["CONTENT_LENGTH"], environ["wsgi.input"] = str(len(body)), io.BytesIO(body)
    return ""


def read_ahead(application: Callable[..., Iterable[bytes]], threads: int) -> Callable[..., Iterable[bytes]]:
    """WSGI middleware: read the body of a form before calling the application; answer 408 if it was cut off."""

    def reading_ahead(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        client = environ.get("gunicorn.socket")
        if "HTTP_TRANSFER_ENCODING" in environ and (refusal := read_chunks(environ)):
            return refuse(refusal, start_response)
        text = environ.get("CONTENT_LENGTH") or "0"
        length = min(int(text), LARGEST) if text.isascii() and text.isdecimal() else 0
        if length > READ_AHEAD:
            readers.allow_upload(client, length, most=threads // 8)
            response = application(environ, start_response)
            if length <= MOST_DISCARDED:
                discard(environ["wsgi.input"])
            return response
        body = environ["wsgi.input"].read(length) if length else b""
        readers.remove(client)
        if len(body) < length:
            return refuse("408 Request Timeout", start_response)
        if length:
            environ["wsgi.input"] = io.BytesIO(body)
        return application(environ, start_response)

    return reading_ahead

"""Carries a request to a model server inside a deadline that no server can stretch, and takes no endless answer."""

import ssl
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from functools import lru_cache
from typing import Any

import httpcore2
import httpx2
from httpx2 import InvalidURL

__all__ = ["DeadlineTransport", "InvalidURL"]

CONNECT_SECONDS = 5.0  # looking up the name included; the secure handshake counts by itself
MOST_BYTES = 1024 * 1024  # of an answer, headers and chunk sizes included

# The client library adds headers of its own accord, and those that variables such as OPENAI_CUSTOM_HEADERS name.
_SENT = ("Host", "Content-Type", "Content-Length", "Accept", "User-Agent")


class DeadlineTransport(httpx2.HTTPTransport):
    """The deadline is a moment of time.monotonic(), and is a property of the socket.

    The library's own time-outs are for each read, so that slow headers and a dripping body run on for ever. Path not
    taken: to ask in a thread of its own and to leave it to itself at the end: each slow answer would keep one.
    """

    def __init__(self, deadline: float, api_key: str) -> None:
        super().__init__(verify=_ssl_context(), trust_env=False)
        # The parent has no parameter for it. A pool of one's own also means that no connection is ever shared.
        self._pool = httpcore2.ConnectionPool(ssl_context=_ssl_context(), network_backend=_Backend(deadline))
        self._api_key = api_key

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = httpx2.Headers({name: request.headers[name] for name in _SENT if name in request.headers})
        headers["Accept-Encoding"] = "identity"  # what is small on the wire may be huge in memory
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        # A request of its own: the library reads on the one that it made how the answer is wanted.
        sent = httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        response = super().handle_request(sent)
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            response.close()
            raise httpx2.DecodingError("a compressed answer, though none was asked for")
        return response


@lru_cache(maxsize=1)
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _left(deadline: float, late: type[Exception]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise late("the deadline has passed")
    return left


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """In a thread: looking up a name has no time-out, and each of its addresses would have the whole of one."""
        left = min(CONNECT_SECONDS, _left(self._deadline, httpcore2.ConnectTimeout))
        made: Future[httpcore2.NetworkStream] = Future()

        def connect() -> None:
            try:
                made.set_result(httpcore2.SyncBackend().connect_tcp(host, port, left, local_address, socket_options))
            except Exception as error:  # noqa: BLE001 - it is raised where the result is waited for
                made.set_exception(error)

        threading.Thread(target=connect, daemon=True).start()
        try:
            return _Stream(made.result(left), self._deadline)
        except TimeoutError as error:
            made.add_done_callback(_close)
            raise httpcore2.ConnectTimeout("no connection in time") from error


def _close(made: Future[httpcore2.NetworkStream]) -> None:
    if made.exception() is None:
        made.result().close()


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline, self._received = stream, deadline, 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, _left(self._deadline, httpcore2.ReadTimeout))
        self._received += len(data)
        if self._received > MOST_BYTES:
            raise httpcore2.ReadError("more bytes than any reply has")
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._deadline, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = min(CONNECT_SECONDS, _left(self._deadline, httpcore2.ConnectTimeout))
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

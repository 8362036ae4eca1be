"""Carries one request over one connection of its own, inside a deadline that no server can stretch."""

import contextlib
import functools
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from concurrent.futures import Future
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import BaseAdapter
from requests.certs import where

# Everything that may come back over one connection: interim answers, headers and chunk sizes included.
MAX_RAW_BYTES = 2 * 1024 * 1024


def is_allowed_address(address: str) -> bool:
    """https, or http to this machine; no user-info, query or fragment, nothing that two parsers read differently."""
    if not address.isprintable() or re.search(r"[\s\\?#@]", address):
        return False
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:  # UnicodeError is one
        return False
    if not host or port == 0:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Deadline:
    """A moment on the monotonic clock, shared by everything that has to be done before it."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left, never negative."""
        return max(0.0, self._end - time.monotonic())

    def at_most(self, seconds: float) -> "Deadline":
        """A deadline after so many seconds, or this one if it is earlier."""
        return Deadline(min(seconds, self.left()))

    def wait(self) -> float:
        """The seconds that are left as a socket's time-out; raises TimeoutError when there are none."""
        left = self.left()
        if not left:
            raise TimeoutError("the deadline has passed")
        return left


class Cause(StrEnum):
    """Why there was no reply, in more detail than a visitor is told: for the owner's diagnosis."""

    UNKNOWN = "unknown"
    # nothing can be sent
    ADDRESS = "address not allowed"
    KEY_MISSING = "no key"
    KEY_NOT_SENDABLE = "key not sendable"
    # no connection was made
    DNS = "the host has no address"
    CONNECTION_REFUSED = "connection refused"
    CONNECT_TIMEOUT = "no connection in time"
    NO_ROUTE = "no route"
    TLS_EXPIRED = "certificate expired"
    TLS_WRONG_HOST = "certificate of another host"
    TLS_UNTRUSTED = "certificate not trusted"
    TLS_FAILED = "no secure connection"
    # something else answered
    REDIRECT = "redirect"
    NO_ENDPOINT = "no endpoint"
    NO_JSON = "no JSON taken"
    GATEWAY_CERTIFICATE = "certificate refused by a gateway"
    # the message may have arrived
    LATE = "no answer in time"
    GATEWAY_FAILED = "a gateway got no answer"
    CUT = "answer broken off"
    UNUSABLE = "answer not readable"
    WITHOUT_REPLY = "answer without a reply"


# OpenSSL's X509_V_ERR_… numbers
_CERTIFICATE_FAULTS = {10: Cause.TLS_EXPIRED, 62: Cause.TLS_WRONG_HOST, 64: Cause.TLS_WRONG_HOST}


def _cause(error: OSError) -> Cause:
    match error:
        case ssl.SSLCertVerificationError():
            return _CERTIFICATE_FAULTS.get(error.verify_code, Cause.TLS_UNTRUSTED)
        case ssl.SSLError():
            return Cause.TLS_FAILED
        case socket.gaierror():
            return Cause.DNS
        case TimeoutError():
            return Cause.CONNECT_TIMEOUT
        case ConnectionRefusedError():
            return Cause.CONNECTION_REFUSED
        case _:
            return Cause.NO_ROUTE


class Exchange:
    """One attempt while it is under way: when it has to end, and what has passed over the connection so far."""

    def __init__(self, deadline: Deadline, connect_timeout: float) -> None:
        self.deadline = deadline
        self.connect_by = deadline.at_most(connect_timeout)  # DNS, every address and TLS together
        self.sent = False  # may the request's bytes have left?
        self.cause = Cause.UNKNOWN
        self.ended = False  # has the other side closed its direction?
        self._received = 0

    def note_received(self, count: int) -> None:
        self.ended = count == 0
        self._received += count
        if self._received > MAX_RAW_BYTES:
            raise OSError("more bytes than any reply has")


class _TimedSocket(socket.socket):
    """A socket whose every read and write may take no longer than the exchange's deadline leaves.

    A time-out in `requests` is per read, so that slow headers, a dripping body or endless interim answers run on for
    ever. Here each read sets it anew. Path not taken: a watchdog thread that shuts the sockets down. It does the same
    at the cost of a second thread's races, a lock and a start after each fork.
    """

    exchange: Exchange | None = None  # None until the connection stands, TLS included

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        if self.exchange is None:
            return super().recv_into(*args, **kwargs)
        self.settimeout(self.exchange.deadline.wait())
        count = super().recv_into(*args, **kwargs)
        self.exchange.note_received(count)
        return count

    def send(self, *args: Any) -> int:
        self._before_sending()
        return super().send(*args)

    def sendall(self, *args: Any) -> None:
        self._before_sending()
        super().sendall(*args)

    def _before_sending(self) -> None:
        if self.exchange is not None:
            self.settimeout(self.exchange.deadline.wait())
            self.exchange.sent = True


class _TimedTLSSocket(_TimedSocket, ssl.SSLSocket):
    """The same over TLS. The handshake needs no help: `ssl` counts the socket's time-out over all of it."""


@functools.cache
def tls_context() -> ssl.SSLContext:
    """One for the process: loading the authorities takes more time than a whole turn may.

    Trusted are requests' own bundle and the machine's (SSL_CERT_FILE and SSL_CERT_DIR: a company's own authority).
    """
    context = ssl.create_default_context()
    context.load_verify_locations(where())
    context.sslsocket_class = _TimedTLSSocket
    return context


_lookups: dict[tuple[str, int], Future[list[tuple]]] = {}
_lookups_lock = threading.Lock()


def resolve(host: str, port: int, seconds: float) -> list[tuple]:
    """The addresses of a host, as getaddrinfo gives them; raises OSError, also after so many seconds.

    getaddrinfo can't be given a time-out, so a thread waits for it. Callers that ask for the same host meanwhile wait
    for the same thread: a name server that hangs never holds more than one thread a host.
    """
    with contextlib.suppress(OSError):
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    with _lookups_lock:
        lookup = _lookups.get((host, port))
        if lookup is None:
            lookup = Future()
            try:
                threading.Thread(target=_look_up, args=(host, port, lookup), daemon=True, name="look-up").start()
            except RuntimeError:  # no more threads
                raise OSError("no thread for a name server's answer") from None
            _lookups[host, port] = lookup
    try:
        return lookup.result(seconds)
    except TimeoutError:
        raise socket.gaierror("no answer from the name server in time") from None


def _look_up(host: str, port: int, lookup: Future[list[tuple]]) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        outcome = functools.partial(lookup.set_exception, socket.gaierror(str(error)))
    else:
        outcome = functools.partial(lookup.set_result, found)
    with _lookups_lock:
        _lookups.pop((host, port), None)
    outcome()


class _Response(http.client.HTTPResponse):
    """http.client's, which takes every interim answer but 100 for the final one (RFC 9110, section 15.2).

    It also takes the first of two lengths, and an end that comes too early for the body's.
    """

    def begin(self) -> None:
        super().begin()
        lengths = {length.strip() for line in self.headers.get_all("Content-Length", ()) for length in line.split(",")}
        if len(lengths) > 1 and not self.chunked:
            raise http.client.HTTPException("two lengths")

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()
            if status == 101 or not 100 <= status < 200:
                return version, status, reason
            http.client.parse_headers(self.fp)

    def read(self, amt: int | None = None) -> bytes:
        piece = super().read(amt)
        if not piece and self.length:
            raise http.client.IncompleteRead(piece, self.length)
        return piece


class _OwnConnection(http.client.HTTPConnection):
    """http.client's connection, over sockets that know the exchange's deadline."""

    response_class = _Response

    def __init__(self, host: str, port: int, exchange: Exchange) -> None:
        super().__init__(host, port)
        self.exchange = exchange

    def connect(self) -> None:
        try:
            self.sock = self._open()
        except OSError as error:
            self.exchange.cause = _cause(error)
            raise
        self.sock.exchange = self.exchange

    def _open(self) -> _TimedSocket:
        addresses = resolve(self.host, self.port, self.exchange.connect_by.wait())
        for number_left in range(len(addresses), 0, -1):
            try:
                return self._connect_to(*addresses[-number_left], number_left)
            except OSError:
                if number_left == 1:
                    raise
        raise socket.gaierror("no address")

    def _connect_to(
        self, family: int, kind: int, protocol: int, _name: str, address: tuple, number_left: int
    ) -> _TimedSocket:
        connect_by = self.exchange.connect_by
        sock = _TimedSocket(family, kind, protocol)
        try:
            # A first address that never answers leaves time for the next one.
            sock.settimeout(connect_by.wait() / number_left)
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            sock.close()
            raise
        return sock

    def getresponse(self) -> _Response:
        response = super().getresponse()
        if self.exchange.ended:  # nothing reads past the empty line, so the end came before it
            response.close()
            raise ConnectionError("cut inside the headers")
        return response


class _OwnTLSConnection(_OwnConnection):
    """The same over TLS."""

    default_port = http.client.HTTPS_PORT

    def _open(self) -> _TimedSocket:
        sock = super()._open()
        try:
            sock.settimeout(self.exchange.connect_by.wait())
            return tls_context().wrap_socket(sock, server_hostname=self.host.rstrip("."))
        except OSError:
            sock.close()
            raise


class OwnConnectionAdapter(BaseAdapter):
    """requests' adapter for exactly one exchange: nothing of it is ever seen by another visitor's.

    Straight to http.client. The layers between, requests' own adapter and urllib3's pools, are there for what an
    exchange must not do: keep connections, follow redirects, ask again, decompress without a limit.
    """

    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self._exchange = exchange
        self._connection: _OwnConnection | None = None

    def send(self, request: requests.PreparedRequest, **_unused: object) -> requests.Response:
        parts = urlsplit(request.url)
        kind = _OwnTLSConnection if parts.scheme == "https" else _OwnConnection
        self._connection = kind(parts.hostname, parts.port or kind.default_port, self._exchange)
        self._connection.request(request.method, request.path_url, request.body, request.headers)
        answer = self._connection.getresponse()
        response = requests.Response()
        response.status_code, response.raw, response.request = answer.status, answer, request
        response.headers.update(answer.headers.items())
        return response

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

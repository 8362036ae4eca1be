"""Resolves names and opens sockets on which every operation ends by a deadline."""

import contextlib
import functools
import socket
import ssl
import threading
from concurrent.futures import Future
from typing import Any

from requests.certs import where

from outbound.deadline import Deadline
from outbound.public_ip import is_public


class PrivateIP(OSError):
    """The host isn't on the public internet. Its text is the IP address."""


class TimedSocket(socket.socket):
    """A socket whose every read and write may take no longer than the deadline leaves.

    A time-out in `requests` is per read, so that slow headers, a dripping body or endless interim answers run on
    forever. Path not taken: a watchdog thread that shuts sockets down, because of its races and the cost of its start.
    """

    deadline: Deadline
    bytes_left: int  # that may still be received
    ended = False  # has the other side closed its direction?

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(self.deadline.timeout())
        count = super().recv_into(*args, **kwargs)
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise OSError("the answer is too large")
        self.ended = count == 0
        return count

    def send(self, *args: Any) -> int:
        self.settimeout(self.deadline.timeout())
        return super().send(*args)

    def sendall(self, *args: Any) -> None:
        self.settimeout(self.deadline.timeout())
        super().sendall(*args)


class TimedTLSSocket(TimedSocket, ssl.SSLSocket):
    """The same over TLS. The handshake needs nothing: `ssl` applies the socket's time-out to all of it."""


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Return the context, made once. Trusts requests' authorities and the machine's (SSL_CERT_FILE, SSL_CERT_DIR)."""
    context = ssl.create_default_context()
    context.load_verify_locations(where())
    context.sslsocket_class = TimedTLSSocket
    return context


_lookups: dict[tuple[str, int], Future[list[tuple]]] = {}  # the last one of each host


def resolve(host: str, port: int, seconds: float) -> list[tuple]:
    """Return a host's addresses, as getaddrinfo gives them. Raises OSError, also after this many seconds.

    getaddrinfo can't be given a time-out, so a thread waits for it; all who ask for the same host share one.
    """
    with contextlib.suppress(OSError):
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)

    def look_up(lookup: Future[list[tuple]]) -> None:
        try:
            lookup.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            lookup.set_exception(socket.gaierror(str(error)))

    lookup = _lookups.get((host, port))
    if lookup is None or lookup.done():
        lookup = _lookups[host, port] = Future()
        try:
            threading.Thread(target=look_up, args=[lookup], daemon=True, name="look-up").start()
        except RuntimeError:  # no more threads
            lookup.set_exception(OSError("no thread is left to ask the name server"))
    try:
        return lookup.result(seconds)
    except TimeoutError:
        raise socket.gaierror("no answer from the name server in time") from None


def connect(host: str, port: int, by: Deadline, *, only_public: bool = False) -> TimedSocket:
    """Connect to the first of a host's addresses that answers. Raises OSError.

    The time-out is what the deadline leaves; the caller sets the socket's own deadline.
    """
    candidates = list(resolve(host, port, by.timeout()))
    while True:
        family, kind, protocol, _name, sockaddr = candidates.pop(0)
        sock = None
        try:
            # Check the address that is connected to: a second look-up of the name could give another one.
            if only_public and not is_public(sockaddr[0]):
                raise PrivateIP(sockaddr[0])
            sock = TimedSocket(family, kind, protocol)
            sock.settimeout(by.timeout() / (1 + len(candidates)))  # leaves time for the next address
            sock.connect(sockaddr)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(by.timeout())
            return sock
        except OSError:
            if sock is not None:
                sock.close()
            if not candidates:
                raise

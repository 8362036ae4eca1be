"""Fetches pages of websites: within a total time, up to a size, and only from public addresses unless told so."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import DefaultCookiePolicy

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

CONNECT_SECONDS = 10
PIECE = 64 << 10  # bytes
NEVER_READ = ("image/", "audio/", "video/", "font/")
WHAT_WE_READ = "text/html,application/xhtml+xml,application/pdf,text/plain,text/markdown;q=0.9,*/*;q=0.5"


class Unfetchable(Exception):
    """No answer that could be used; its text is the reason, a phrase."""


class PrivateAddress(Unfetchable):
    """The host lies in a private network, or is this machine."""


@dataclass(frozen=True)
class Fetched:
    """An answer; `content` is empty unless the status is 200, and when it is a picture, a film or the like."""

    address: str
    status: int
    content: bytes = b""
    kind: str = ""  # the media type, in small letters
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    location: str = ""  # where a redirect leads
    retry_after: float = 0.0  # seconds
    robots: str = ""  # the X-Robots-Tag


class Fetcher:
    """Fetches one page at a time; keeps no cookies, follows no redirect, reads no proxy from the environment."""

    def __init__(self, *, agent: str, seconds: float, most_bytes: int, allow_private: bool = False) -> None:
        self.seconds, self.most_bytes, self.allow_private = seconds, most_bytes, allow_private
        self._too_slow = f"no whole answer within {seconds:g} seconds"
        self._session = _Session()
        self._session.trust_env = False
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        # Each request has a connection of its own: that is what the watchdog can shut down.
        self._session.headers.update({"User-Agent": agent, "Accept": WHAT_WE_READ, "Connection": "close"})
        adapter = _Adapter(self._connect)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)
        self._watched: socket.socket | None = None
        self._over = threading.Event()

    def get(self, address: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Raises Unfetchable. With an etag or a date the status may be 304."""
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        with self._deadline():
            try:
                with self._session.get(address, headers=headers, stream=True, timeout=self.seconds) as response:
                    fetched = self._fetched(address, response)
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
                if self._over.is_set():
                    raise Unfetchable(self._too_slow) from error
                raise Unfetchable(_reason(error)) from error
            if self._over.is_set():
                raise Unfetchable(self._too_slow)  # an answer without a length ends like any other when it is cut off
            return fetched

    def close(self) -> None:
        self._session.close()

    def _fetched(self, address: str, response: requests.Response) -> Fetched:
        headers = response.headers
        said = Message()
        said["Content-Type"] = headers.get("Content-Type", "")
        kind = said.get_content_type()
        return Fetched(
            address,
            response.status_code,
            self._body(response) if response.status_code == 200 and not kind.startswith(NEVER_READ) else b"",
            kind,
            said.get_content_charset(""),
            headers.get("ETag", "")[:500],
            headers.get("Last-Modified", "")[:100],
            headers.get("Location", ""),
            _seconds(headers.get("Retry-After", "")),
            headers.get("X-Robots-Tag", "").lower(),
        )

    def _body(self, response: requests.Response) -> bytes:
        parts, size = [], 0
        for part in response.iter_content(PIECE):
            parts.append(part)
            size += len(part)
            if size > self.most_bytes:
                raise Unfetchable(f"it is larger than {self.most_bytes >> 20} MB")
        return b"".join(parts)

    @contextmanager
    def _deadline(self) -> Iterator[None]:
        """Shuts the connection down when the time is over: time-outs of a socket start anew with each byte."""
        self._over.clear()

        def end() -> None:
            self._over.set()
            _shut(self._watched)

        watchdog = threading.Timer(self.seconds, end)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()
            watchdog.join()
            if self._watched is not None:
                self._watched.close()
                self._watched = None

    def _connect(self, host: str, port: int) -> socket.socket:
        """A connection to an address that has been checked itself: asking for the name again could give another one."""
        error: OSError | None = None
        for family, kind, protocol, _name, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            if not self.allow_private and not is_public(address[0]):
                raise PrivateAddress(f"its address {address[0]} is private (see DOCBOT_ALLOW_PRIVATE)")
            connection = socket.socket(family, kind, protocol)
            try:
                connection.settimeout(CONNECT_SECONDS)
                connection.connect(address)
            except OSError as failed:
                connection.close()
                error = failed
                continue
            # A second handle on it, as TLS takes this one over.
            self._watched = connection.dup()
            if self._over.is_set():
                _shut(self._watched)
            return connection
        raise error or OSError("no address")


def is_public(address: str) -> bool:
    """Is it an address of the public internet, also where it is wrapped into one of IPv6?"""
    number = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(number, ipaddress.IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or (number.teredo[1] if number.teredo else None)
        if number in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return number.is_global and not number.is_multicast


class _Session(requests.Session):
    """requests reads the whole body of a redirect, however large, only to say where it leads; the caller knows."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class _Adapter(HTTPAdapter):
    """Lets requests open its connections through `connect`."""

    def __init__(self, connect: Callable[[str, int], socket.socket]) -> None:
        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return connect(self._dns_host, self.port)

        class Encrypted(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return connect(self._dns_host, self.port)

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain

        class EncryptedPool(HTTPSConnectionPool):
            ConnectionCls = Encrypted

        super().__init__()
        self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": EncryptedPool}


def _shut(connection: socket.socket | None) -> None:
    if connection is not None:
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the other side was faster


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False


def _reason(error: Exception) -> str:
    """Why, in words that hold nothing of what was sent."""
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate is not valid"
    if isinstance(error, (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, ValueError)):
        return "it is not a valid address"
    if _is_caused_by(error, socket.gaierror):
        return "there is no such host"
    if isinstance(error, (requests.exceptions.Timeout, TimeoutError)):
        return "it doesn't answer in time"
    if isinstance(error, requests.exceptions.ConnectionError):
        return "it can't be reached"
    return "its answer breaks off"


def _seconds(value: str) -> float:
    return float(min(int(value), 3600)) if value.isdecimal() and len(value) < 8 else 0.0

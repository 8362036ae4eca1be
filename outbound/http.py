"""A `requests` session whose requests share one deadline and no connection."""

import contextlib
import http.client
import zlib
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests
from requests.adapters import BaseAdapter

from outbound.deadline import Deadline
from outbound.sockets import connect, tls_context

MOST_BYTES = 1024 * 1024  # of a body, after decompression; headers and chunk sizes may take as much again


class OutboundError(requests.RequestException):
    """No usable answer; `__cause__` says why. `sent`: whether the request may have arrived, as the socket knows."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


class Unreadable(OutboundError):
    """The body is too large, or not compressed as its header says."""


class Session(requests.Session):
    """Makes the requests of one turn, delivery or page; call it with `stream=True, allow_redirects=False`.

    Reads neither proxies nor .netrc from the environment, keeps no cookie and no connection, always verifies TLS.
    """

    def __init__(
        self, deadline: Deadline, *, connect_seconds: float = 5, most_bytes: int = MOST_BYTES, only_public: bool = False
    ) -> None:
        super().__init__()
        self.trust_env = False
        self.headers = {"Accept-Encoding": "identity", "Connection": "close"}
        for prefix in ("https://", "http://"):
            self.mount(prefix, _Adapter(deadline, connect_seconds, most_bytes, only_public))

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None: requests would read a redirect's whole body, however large, to find its target."""


def read_body(response: requests.Response, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the whole body, decompressed. Raises OutboundError."""
    body = response.raw.read(most_bytes + 1)
    if response.headers.get("Content-Encoding", "").strip().lower() not in ("", "identity"):
        decoder = zlib.decompressobj(wbits=47)  # gzip and zlib, told apart by their first bytes
        with contextlib.suppress(zlib.error):
            body = decoder.decompress(body, most_bytes + 1)
        if len(body) <= most_bytes and not decoder.eof:  # zlib gives the part that came, without an error
            raise Unreadable("damaged", sent=True)
    if len(body) > most_bytes:
        raise Unreadable(f"larger than {most_bytes >> 20} MB", sent=True)
    return body


@dataclass
class _Adapter(BaseAdapter):
    """Carries each request over a connection of its own; raises OutboundError and nothing else.

    Path not taken: requests' own adapter and urllib3's pools, which share connections, retry, decompress without limit.
    """

    deadline: Deadline
    connect_seconds: float
    most_bytes: int
    only_public: bool

    def send(self, request: requests.PreparedRequest, **_unused: object) -> requests.Response:
        parts = urlsplit(request.url)
        connection = _Connection(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        connection.limits, connection.is_tls = self, parts.scheme == "https"
        request.headers["Host"] = parts.netloc.rpartition("@")[2]  # http.client's own names port 443
        try:
            connection.request(request.method, request.path_url, request.body, request.headers)
            sock, answer = connection.sock, connection.getresponse()
            if sock.ended:  # only the headers were read, so the end came within them
                answer.close()
                raise ConnectionError("cut inside the headers")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise OutboundError("no answer", sent=connection.is_connected) from error
        finally:
            connection.close()  # the answer holds the socket until it is read or closed
        response = requests.Response()
        response.status_code, response.raw, response.request = answer.status, answer, request
        response.headers.update(answer.headers.items())
        return response

    def close(self) -> None:
        """Do nothing: no connection is kept open."""


class _Response(http.client.HTTPResponse):
    """Skips interim answers (RFC 9110, section 15.2); refuses contradictory lengths and a body that ends too early."""

    def begin(self) -> None:
        super().begin()
        while 100 <= self.status < 200 and self.status != 101:  # http.client itself skips 100 only
            self.headers = None  # otherwise begin() returns at once
            super().begin()
        self.will_close = True  # makes the connection leave its socket to the answer
        lengths = {length.strip() for line in self.headers.get_all("Content-Length", ()) for length in line.split(",")}
        if len(lengths) > 1 and not self.chunked:
            raise http.client.HTTPException("contradictory lengths")

    def read(self, amt: int | None = None) -> bytes:
        try:
            piece = super().read(amt)
            if amt and self.length and len(piece) < amt:
                raise http.client.IncompleteRead(piece, self.length)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise OutboundError("broken off", sent=True) from error
        return piece


class _Connection(http.client.HTTPConnection):
    response_class = _Response
    limits: _Adapter
    is_tls = False
    is_connected = False  # from here on, bytes may have been sent

    def connect(self) -> None:
        by = Deadline(min(self.limits.connect_seconds, self.limits.deadline.seconds_left()))  # look-up, addresses, TLS
        self.sock = connect(self.host, self.port, by, only_public=self.limits.only_public)
        if self.is_tls:
            self.sock = tls_context().wrap_socket(self.sock, server_hostname=self.host.rstrip("."))
        self.sock.deadline, self.sock.bytes_left = self.limits.deadline, 2 * self.limits.most_bytes
        self.is_connected = True

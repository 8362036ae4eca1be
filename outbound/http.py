"""Sends HTTP requests that end by a deadline, each over a connection of its own."""

import contextlib
import http.client
import zlib
from urllib.parse import urlsplit

import requests

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


def send(
    request: requests.PreparedRequest,
    deadline: Deadline,
    *,
    connect_seconds: float = 5,
    most_bytes: int = MOST_BYTES,
    only_public: bool = False,
) -> requests.Response:
    """Send the request over a connection of its own and return the answer, its body unread. Raises OutboundError.

    Reads neither proxies nor .netrc from the environment, follows no redirect, keeps no cookie and no connection, and
    always verifies TLS. Straight to http.client: the layers between, requests' sessions and urllib3's pools, are there
    for what must not happen here, such as connections kept and shared, retries, decompression without a limit.
    """
    parts = urlsplit(request.url)
    usual_port = {"http": 80, "https": 443}.get(parts.scheme)
    if not usual_port:
        raise requests.exceptions.InvalidSchema(parts.scheme)
    connection = http.client.HTTPConnection(parts.hostname, parts.port or usual_port)
    connection.response_class, connection.default_port = _Response, usual_port
    is_connected = False  # from then on bytes may have left
    try:
        connect_by = Deadline(min(connect_seconds, deadline.left()))  # for name, every address and TLS together
        sock = connect(connection.host, connection.port, connect_by, only_public=only_public)
        if parts.scheme == "https":
            sock = tls_context().wrap_socket(sock, server_hostname=connection.host.rstrip("."))
        sock.deadline, sock.bytes_left = deadline, 2 * most_bytes
        connection.sock, is_connected = sock, True
        headers = {"Connection": "close", **request.headers}
        connection.request(request.method, request.path_url, request.body, headers)
        answer = connection.getresponse()
        if sock.ended:  # nothing reads past the empty line, so the end came before it
            answer.close()
            raise ConnectionError("cut inside the headers")
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise OutboundError("no answer", sent=is_connected) from error
    finally:
        connection.close()  # the answer holds the socket until it is read or closed
    response = requests.Response()
    response.status_code, response.raw, response.request = answer.status, answer, request
    response.headers.update(answer.headers.items())
    return response


def read_body(response: requests.Response, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the whole body, decompressed. Raises OutboundError."""
    body = bytearray()
    while len(body) <= most_bytes and (piece := response.raw.read(65536)):
        body += piece
    if response.headers.get("Content-Encoding", "").strip().lower() not in ("", "identity"):
        decoder = zlib.decompressobj(wbits=47)  # gzip and zlib, told apart by their first bytes
        with contextlib.suppress(zlib.error):
            body = decoder.decompress(body, most_bytes + 1)
        if len(body) <= most_bytes and not decoder.eof:  # zlib gives the part that came, without an error
            raise Unreadable("damaged", sent=True)
    if len(body) > most_bytes:
        raise Unreadable(f"larger than {most_bytes >> 20} MB", sent=True)
    return bytes(body)


class _Response(http.client.HTTPResponse):
    """Skips every interim answer (RFC 9110, section 15.2), refuses two lengths and an end before the body's."""

    def begin(self) -> None:
        super().begin()
        while 100 <= self.status < 200 and self.status != 101:  # http.client itself skips 100 only
            self.headers = None  # begin() returns at once where there are some
            super().begin()
        self.will_close = True  # makes the connection leave its socket to the answer
        lengths = {length.strip() for line in self.headers.get_all("Content-Length", ()) for length in line.split(",")}
        if len(lengths) > 1 and not self.chunked:
            raise http.client.HTTPException("two lengths")

    def read(self, amt: int | None = None) -> bytes:
        try:
            piece = super().read(amt)
            if not piece and self.length:
                raise http.client.IncompleteRead(piece, self.length)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise OutboundError("broken off", sent=True) from error
        return piece

"""What an `outbound` session never does, whatever its caller asks and the server answers."""

import gzip
import io
import socket
import zlib

import pytest
import requests

from outbound.deadline import Deadline
from outbound.http import OutboundError, Session, Unreadable, read_body
from outbound.sockets import PrivateIP
from tests.webchat.certificates import Authority
from tests.webchat.upstream_server import UpstreamServer


def test_tls_is_verified_even_where_a_caller_says_otherwise(tmp_path):
    with UpstreamServer(tls=Authority(tmp_path).server_context()) as server:
        with pytest.raises(OutboundError) as raised:
            Session(Deadline(5)).get(server.base_url, verify=False, stream=True, allow_redirects=False)
        assert (raised.value.sent, server.requests) == (False, [])


def test_a_private_ip_is_refused_before_connecting(upstream):
    with pytest.raises(OutboundError) as raised:
        Session(Deadline(5), only_public=True).get(f"http://localhost:{upstream.port}/", stream=True)
    assert (type(raised.value.__cause__), raised.value.sent) == (PrivateIP, False)
    assert upstream.connections == 0


def test_the_checked_ip_is_the_one_connected_to(upstream, monkeypatch):
    """DNS rebinding: the name resolves to a public address when checked and to a private one when used."""
    answers = iter(["93.184.216.34", "127.0.0.1"])

    def look_up(*_: object, flags: int = 0, **__: object) -> list[tuple]:
        if flags:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), upstream.port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(OutboundError):
        Session(Deadline(0.3), only_public=True).get("http://rebinding.example/", stream=True)
    assert (next(answers), upstream.connections) == ("127.0.0.1", 0)


def test_each_request_of_a_session_has_a_connection_of_its_own_and_nothing_of_the_environment(
    upstream, monkeypatch, tmp_path
):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    session = Session(Deadline(5))
    for _ in range(2):
        upstream.will_reply("Hello")
        response = session.post(f"{upstream.base_url}/api/public/chat", json={}, stream=True, allow_redirects=False)
        assert b"Hello" in read_body(response)
    assert upstream.connections == 2
    assert "authorization" not in upstream.requests[0].headers


def answer_of(body: bytes, encoding: str = "") -> requests.Response:
    response = requests.Response()
    response.raw = io.BytesIO(body)
    response.headers["Content-Encoding"] = encoding
    return response


TEXT = b"Hello" * 100


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (zlib.compress(TEXT), " Deflate "),
        (TEXT, " Identity "),
    ],
    ids=range(5),
)
def test_a_body_is_read_completely_and_decompressed(body, encoding):
    assert read_body(answer_of(body, encoding)) == TEXT


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"x" * 1001, ""),
        (gzip.compress(b"x" * 1_000_000), "gzip"),
        (zlib.compress(b"x" * 1001), "deflate"),
        (gzip.compress(TEXT)[:-1], "gzip"),
        (gzip.compress(TEXT)[:-8] + b"\0" * 8, "gzip"),
        (TEXT, "gzip"),
        (TEXT, "br"),
        (b"", "gzip"),
    ],
    ids=range(8),
)
def test_a_body_that_is_too_large_or_wrongly_encoded_is_refused(body, encoding):
    with pytest.raises(Unreadable):
        read_body(answer_of(body, encoding), 1000)

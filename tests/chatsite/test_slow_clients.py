"""Slow clients without a proxy: they hold no thread for long, and nobody waits for them."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests

from chatsite.serving import slow_clients
from tests.browser.site import Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

THREADS = 12
CROWD = 48
SECONDS = 3
LIMIT = {"REQUEST_SECONDS": SECONDS}
HEAD = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
CHUNKED = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n"
UPLOAD = b"POST /admin/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("slow")
    with (
        UpstreamServer() as upstream,
        Site(folder, upstream.base_url, [bot_row(1, "help")], WEB_PROCESSES=1, WEB_THREADS=THREADS, **LIMIT) as site,
    ):
        yield site


@contextmanager
def dripping(site: Site, *starts: bytes) -> Iterator[dict[socket.socket, float]]:
    """Start clients that send a byte every .3 seconds; return when each was cut off."""
    clients = [socket.create_connection(("127.0.0.1", site.port), 10) for _ in starts]
    began, ended, over = time.monotonic(), {}, threading.Event()

    def drip() -> None:
        while not over.wait(0.3):
            for client in clients:
                if client in ended:
                    continue
                try:
                    client.send(b"x")
                    client.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        while client.recv(1000):
                            pass
                        ended[client] = time.monotonic() - began
                except OSError:
                    ended[client] = time.monotonic() - began

    for client, start in zip(clients, starts, strict=True):
        client.sendall(start)
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield ended
    finally:
        over.set()
        thread.join()
        for client in clients:
            client.close()


def test_many_slow_clients_do_not_block_the_page(site):
    with dripping(site, *(HEAD, BODY, CHUNKED, UPLOAD) * (CROWD // 4)) as ended:
        time.sleep(1)
        began = time.monotonic()
        assert requests.get(f"{site.url}/chat/help/", timeout=60).status_code == 200
        first = time.monotonic() - began
        while len(ended) < CROWD - THREADS and time.monotonic() - began < 60:
            time.sleep(0.2)
        assert len(ended) >= CROWD - THREADS
    assert first < 30  # four rounds of two seconds, more on a busy machine


def test_a_single_slow_client_has_some_seconds_for_head_and_body(site):
    with dripping(site, HEAD) as head, dripping(site, BODY) as body:
        end = time.monotonic() + 60
        while not (head and body) and time.monotonic() < end:
            time.sleep(0.2)
        for ended in (*head.values(), *body.values()):
            assert SECONDS <= ended < SECONDS + 15


@pytest.mark.parametrize("header", ["SCRIPT_NAME: /chat", "SCRIPT_NAME: /evil", "PATH_INFO: /healthz"])
def test_a_client_cannot_set_the_script_name(header, site):
    with socket.create_connection(("127.0.0.1", site.port), 60) as client:
        client.sendall(f"GET /chat/help/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n\r\n".encode())
        response = b"".join(iter(lambda: client.recv(65536), b""))
    assert response.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b'action="/chat/help/messages#person"' in response


def test_a_url_of_nginxs_maximum_length_reaches_the_site(site):
    assert requests.get(f"{site.url}/chat/help/?lang={'x' * 8000}", timeout=60).ok


ODD_BODIES = {
    "cut off": (BODY + b"message=Hel", b"408 Request Timeout"),
    **{f"of {n} digits": (BODY.replace(b"60000", b"9" * n) + b"x", b"413 ") for n in (9, 4300)},
    "in chunks, broken off": (CHUNKED + b"x", b"400 Bad Request"),
    "in chunks that are none": (CHUNKED.replace(b"fff", b"zz"), b"400 Bad Request"),
    "in chunks, too large": (
        CHUNKED.replace(b"fff", b"fffff") + b"x" * 0xFFFFF + b"\r\n0\r\n\r\n",
        b"413 Request Entity Too Large",
    ),
    "in chunks, a form": (CHUNKED.replace(b"fff", b"3") + b"a=b\r\n0\r\n\r\n", b"403 Forbidden"),
    "in chunks, nothing": (CHUNKED.replace(b"fff", b"0") + b"\r\n", b"403 Forbidden"),
}


@pytest.mark.parametrize(("sent", "status"), ODD_BODIES.values(), ids=ODD_BODIES)
def test_a_body_is_read_completely_or_refused(sent, status, site):
    with socket.create_connection(("127.0.0.1", site.port), 60) as client:
        client.sendall(sent)
        assert client.recv(1000).startswith(b"HTTP/1.1 " + status)


def test_a_refused_body_is_read_to_the_end_so_that_the_response_arrives(site):
    refused = BODY.replace(b"60000", b"4000000\r\nConnection: close")
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", site.port), 30) as client:
            client.sendall(refused + b"x" * 4_000_000)
            response = b"".join(iter(lambda client=client: client.recv(65536), b""))
            assert response.startswith(b"HTTP/1.1 413 ")
            assert b"</html>" in response


def test_a_client_that_waits_for_a_reply_is_not_cut_off():
    readers, (visitor, client) = slow_clients.Readers(), socket.socketpair()
    with visitor, client:
        readers.add(client)
        readers.remove(client)
        readers.cut_off(threads=1)
        visitor.send(b"x")
        assert client.recv(1) == b"x"


def test_a_limited_number_of_uploads_gets_more_time(monkeypatch):
    readers = slow_clients.Readers()
    monkeypatch.setattr(slow_clients, "SECONDS_WHEN_BUSY", -1)
    pairs = [socket.socketpair() for _ in range(3)]
    for _, client in pairs:
        client.settimeout(0.1)
        readers.add(client)
        readers.allow_upload(client, 100_000_000, most=2)
    readers.cut_off(threads=4)
    for (visitor, client), kept in zip(pairs, (True, True, False), strict=True):
        with visitor, client:
            if kept:
                with pytest.raises(TimeoutError):
                    client.recv(1)
            else:
                assert client.recv(1) == b""

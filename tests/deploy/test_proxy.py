"""deploy/nginx.conf and deploy/Caddyfile: what they keep away, their error pages, and no message sent twice."""

import os
import re
import signal
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256

import pytest
import requests

from tests.chatsite.http_visitor import HttpVisitor
from tests.deploy.caddy import Caddy
from tests.deploy.nginx import Nginx
from tests.deploy.proxies import ROOT
from tests.webchat.certificates import Authority

SLOW_CLIENTS = 500


def test_visitors_are_answered_over_https_only(nginx, visitor):
    assert visitor.send_live("Hello").turns[0].reply == "You said: Hello"
    assert visitor.send("And without JavaScript").turns[-1].reply == "You said: And without JavaScript"
    cookies = list(visitor.client.session.cookies)
    assert {cookie.name for cookie in cookies} == {"__Host-csrftoken", "__Host-sessionid"}
    assert all(cookie.secure for cookie in cookies)
    answer = requests.get(f"http://localhost:{nginx.http_port}/chat/help/?lang=de", allow_redirects=False, timeout=10)
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://localhost/chat/help/?lang=de")


def test_a_request_has_one_id_from_the_proxy_to_the_log(nginx, visitor, service):
    visitor.client.session.headers["X-Request-ID"] = "chosen-by-the-visitor"
    visitor.open()
    sent = visitor.post_message("Hello")
    assert sent.turns[0].reply == "You said: Hello"
    name = sent.response.headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", name)
    assert f"request={name}" in service.log.read_text()


def test_a_body_too_long_for_a_form_is_refused_by_the_proxy(nginx, visitor):
    page = visitor.client.post("/chat/help/messages", {"message": "x" * 70_000})
    assert page.status_code == 413
    text = page.content.decode()
    style = re.search(r"<style>(.*)</style>", text)[1]
    fingerprint = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{fingerprint}'; frame-ancestors 'none'"
    assert page.headers["Content-Security-Policy"] == policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert "<h1>Too long</h1>" in text
    assert f"<code>{page.headers['X-Request-ID']}</code>" in text


def test_the_proxys_error_page_has_the_look_of_the_sites_own():
    style = re.search(r"<style>(:root.*)</style>", (ROOT / "deploy" / "nginx.conf").read_text())[1]
    tokens = (ROOT / "static" / "webchat" / "style" / "tokens.css").read_text()
    for name in ("ground", "raised", "line", "text", "text-soft", "own-accent", "on-accent", "radius-large", "larger"):
        assert re.search(rf"--{name}: (.*);", tokens)[1] in style, name


def test_forms_files_and_large_bodies_for_the_desk_pass_the_proxy(proxy, authority, upstream):
    visitor = HttpVisitor(proxy.url, verify=str(authority.file))
    assert visitor.send("Hello").turns[0].reply == "You said: Hello"
    assert visitor.client.post("/chat/help/messages", {"message": "x" * 70_000}).status_code == 413
    try:  # Caddy may close the connection before the whole body has arrived
        large = visitor.client.post("/chat/help/messages", {"message": "x" * 5_000_000}).status_code
    except requests.ConnectionError:
        large = "closed"
    assert large in (413, 502, "closed")
    for path, size in (  # the site itself refuses: nobody is logged in, and no file is expected
        ("/admin/login/", 1_000_000),
        ("/chat/help/send-file/x", 200_000),
        ("/portal/chat/help/send-file/x", 200_000),
    ):
        page = visitor.client.post(path, {"message": "x" * size})
        assert (page.status_code, "Content-Language" in page.headers) == (413, True), path


def test_the_proxy_does_not_repeat_a_message_whose_worker_died(nginx, visitor, service, upstream):
    upstream.will_hang()
    visitor.open()
    with ThreadPoolExecutor(1) as waiting:
        answer = waiting.submit(visitor.post_message, "Did it arrive?")
        upstream.wait_for_requests(1)
        for worker in service.workers:
            os.kill(worker, signal.SIGKILL)
        assert answer.result().status == 502
    assert answer.result().response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    time.sleep(0.3)
    assert len(upstream.requests) == 1


def test_the_machine_itself_can_reach_the_health_checks(nginx, visitor):
    for _ in range(100):  # the worker before this test was killed
        answer = visitor.client.get("/readyz")
        if answer.status_code == 200:
            break
        time.sleep(0.1)
    assert b'"ready": true' in answer.content


# --- Slow clients -----------------------------------------------------------------------------------------------------


@contextmanager
def slow_clients(
    proxy: Nginx | Caddy, authority: Authority, number: int, start: bytes
) -> Iterator[list[ssl.SSLSocket]]:
    """Start clients that send byte after byte but never the last one."""
    context = ssl.create_default_context(cafile=str(authority.file))
    over = threading.Event()

    def begin(_: int) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", proxy.port), 30)
        client = context.wrap_socket(plain, server_hostname="localhost")
        client.sendall(start)
        return client

    def drip() -> None:
        while not over.wait(1):
            for client in clients:
                with suppress(OSError):  # the proxy has closed it
                    client.send(b"x")

    with ThreadPoolExecutor(16) as beginning:
        clients = list(beginning.map(begin, range(number)))
    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        yield clients
    finally:
        over.set()
        dripping.join()
        for client in clients:
            client.close()


HEAD = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("start", [HEAD, BODY], ids=["head", "body"])
def test_500_unfinished_requests_do_not_block_the_site(start, proxy, upstream, service, authority):
    """Twelve would hold every thread of this site if they reached it."""
    visitor = HttpVisitor(proxy.url, verify=str(authority.file))
    alone = [seconds_of_a_turn(visitor, f"Alone {number}") for number in range(5)]
    with slow_clients(proxy, authority, SLOW_CLIENTS, start) as clients:
        beside = [seconds_of_a_turn(visitor, f"Beside {number}") for number in range(10)]
        assert sum(client.fileno() != -1 for client in clients) == SLOW_CLIENTS
        assert connections_to(service.port) < 12
    assert sorted(beside)[5] < 2 * sorted(alone)[2] + 0.25


def seconds_of_a_turn(visitor: HttpVisitor, message: str) -> float:
    began = time.monotonic()
    assert visitor.send_live(message).turns[0].reply == f"You said: {message}"
    return time.monotonic() - began


def connections_to(port: int) -> int:
    """Return the number of established connections, from the kernel."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)

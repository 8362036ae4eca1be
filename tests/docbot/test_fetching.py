"""Fetching pages: hostile answers, robots.txt, and URLs."""

import time

import pytest

from docbot.reading import Unreadable
from docbot.reading.fetching import fetch
from docbot.reading.websites import ROBOT, normalize_url, robots_rules
from tests.http_server import Request


@pytest.fixture(autouse=True)
def small_limits(settings):
    settings.SITE_URL, settings.DOCBOT_PAGE_SECONDS, settings.DOCBOT_FILE_MAX_MB = "", 20, 1
    settings.DOCBOT_ALLOW_PRIVATE = True


def drip(request: Request) -> None:
    """Send a byte now and then, each before the socket's time-out."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(1000):
        request.wfile.write(b"x")
        request.wfile.flush()
        time.sleep(0.05)


def endless(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        request.wfile.write(b"x" * 65536)


def cut_off(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nhello")


def broken_gzip(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nhello")


def endless_redirect(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n\r\n")
    while True:
        request.wfile.write(b"x" * 65536)


@pytest.mark.parametrize(
    ("answer", "seconds", "reason"),
    [
        (drip, 0.5, "answer in time \\(DOCBOT_PAGE_SECONDS: 0.5\\)"),
        (endless, 60, "be used \\(larger than 1 MB\\)"),
        (cut_off, 60, "breaks off"),
        (broken_gzip, 60, "be used \\(damaged\\)"),
    ],
)
def test_a_harmful_answer_ends_in_time(site, answer, seconds, reason, settings):
    settings.DOCBOT_PAGE_SECONDS = seconds
    site.answers["/"] = answer
    began = time.monotonic()
    with pytest.raises(Unreadable, match=reason):
        fetch(site.at("/"))
    assert time.monotonic() - began < 20  # allows for a busy machine


def test_a_site_without_https_is_not_said_to_have_a_wrong_certificate(site):
    with pytest.raises(Unreadable, match="doesn’t offer https: try http://"):
        fetch(site.at("/").replace("http:", "https:"))


def test_the_body_of_a_redirect_is_not_read(site):
    site.answers["/"] = endless_redirect
    assert fetch(site.at("/")).location == "/elsewhere"


def test_no_cookie_is_sent_back_and_the_user_agent_names_docbot(site):
    site.page("/", "Text.", Set_Cookie="session=1")
    fetch(site.at("/"))
    fetch(site.at("/"))
    assert all("Cookie" not in headers and headers["User-Agent"] == "docbot" for _, headers in site.asked)


RULES = [
    ("User-agent: *\nDisallow: /\nAllow: /public", "/public/x", True),
    ("User-agent: *\nDisallow: /\n\nUser-agent: DocBot/1.0\nDisallow: /x", "/y", True),
    ("User-agent: docbot/2 # us\nDisallow: /x", "/x", False),
    ("\ufeffUser-agent: *\r\nDisallow: /x", "/x", False),
    ("nonsense\n\x00\nDisallow: /", "/x", True),
]


@pytest.mark.parametrize(("text", "path", "allowed"), RULES)
def test_robots_txt_is_understood(text, path, allowed):
    assert robots_rules(text.encode()).can_fetch(f"https://example.com{path}", ROBOT) is allowed
    for delay in ("-1", "nan", "soon"):
        assert not robots_rules(f"User-agent: *\nCrawl-delay: {delay}".encode()).crawl_delay(ROBOT)


URLS = {
    "HTTP://Example.COM:80/a/../b#c": "http://example.com/b",
    "https://example.com": "https://example.com/",
    "https://example.com//a//b": "https://example.com/a/b",
    "https://example.com/ä b": "https://example.com/%C3%A4%20b",
    "https://example.com/a%2Fb": "https://example.com/a%2Fb",
    "https://example.com/?utm_source=x&a=1&gclid=2": "https://example.com/?a=1",
    "https://[::1]:8000/": "https://[::1]:8000/",
} | dict.fromkeys(
    [
        "https://user:secret@example.com/",
        "ftp://example.com/",
        "https://example.com:99999/",
        "https://",
        "https://[bad/",
    ],
    "",
)


def test_a_url_is_normalised():
    assert {url: normalize_url(url) for url in URLS} == URLS

"""Crawls a website by its sitemap and links, within its robots.txt and our limits."""

from __future__ import annotations

import html
import re
import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from django.conf import settings
from protego import Protego
from urllib3.util import parse_url

from docbot.reading import MEDIA_TYPES, Directions, Unreadable, can_read
from docbot.reading.fetching import Fetched, fetch

ROBOT = "docbot"  # in robots.txt
MOST_ROBOTS_BYTES = 500 << 10  # the minimum that RFC 9309 demands
MOST_REDIRECTS = 5
MOST_SITEMAPS = 50
MOST_SITEMAP_BYTES, MOST_LOCATIONS = 50 << 20, 50_000  # of one, unpacked: the limits of the sitemap protocol
MOST_FAILURES = 10  # in a row
LONGEST_WAIT = 30.0  # seconds, for Retry-After
LONGEST_DELAY = 10.0
LONGEST_URL = 1000
MOST_REPEATS = 3  # of one path segment: stops endless calendars and link loops
GONE = (404, 410)
PORTS = {"http": 80, "https": 443}
LOCATION = re.compile(r"<loc>\s{0,100}(?:<!\[CDATA\[)?([^<]{1,3000})", re.I)  # bounded: sitemaps may be hostile
TRACKING_PARAMETERS = re.compile(r"utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|ref_src|phpsessid|jsessionid|sid", re.I)
NOT_PAGES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|css|js|mjs|json|xml|rss|atom|woff2?|ttf|eot|mp[34]|m4[av]|webm|ogg|wav|avi"
    r"|mov|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|deb|rpm|apk|iso|ics)$",
    re.I,
)

Outcome = Literal["fetched", "gone", "failed"]


@dataclass(frozen=True)
class Page:
    """The result of fetching a page; `reason` says why it failed, the other fields describe a fetched one."""

    url: str
    outcome: Outcome
    reason: Unreadable | None = None
    depth: int = 0
    name: str = ""  # a file name with suffix
    answer: Fetched | None = None


class Website:
    """One crawl of the pages of one host below the folder of the start URL."""

    def __init__(self, start: str, known: Sequence[str]) -> None:
        self.start, self.known = normalize_url(start), known
        self.rules = robots_rules(b"")
        self.queue: deque[tuple[str, int]] = deque()
        self.discovered: set[str] = set()
        self.last_request_at = 0.0
        self.failures = 0
        self.is_whole = False  # it visited every page, or as many as the limit allows

    def pages(self) -> Iterator[Page]:
        """Yield every page; the caller passes each page's directions to `follow`. Raises Unreadable if cut short."""
        yield self._open()
        for _ in range(settings.DOCBOT_SITE_MAX_PAGES - 1):
            if not self.queue:
                break
            if self.failures >= MOST_FAILURES:
                raise Unreadable("too many of its pages can’t be fetched", MOST_FAILURES)
            yield self._page(*self.queue.popleft())
        self.is_whole = True
        if self.queue:
            limit = f"DOCBOT_SITE_MAX_PAGES: {settings.DOCBOT_SITE_MAX_PAGES:,}"
            raise Unreadable("it has more pages than are read", limit)

    def follow(self, page: Page, directions: Directions) -> None:
        if directions.may_follow and page.depth < settings.DOCBOT_SITE_DEPTH:
            self._enqueue(directions.links, page.depth + 1)

    def final_url(self, url: str, canonical: str) -> str:
        """Return the URL to store the page under: the canonical one if it only differs in notation."""
        canonical = normalize_url(canonical)
        if not same_page(url, canonical) or not self._belongs(canonical):
            return url
        self.discovered.add(canonical)
        return canonical

    def _open(self) -> Page:
        """Fetch the start page; redirects to another host are followed, as from example.com to www.example.com."""
        given = urlsplit(self.start).path
        host = ""
        for _ in range(MOST_REDIRECTS):
            if host != urlsplit(self.start).netloc:
                host = urlsplit(self.start).netloc
                self.rules = self._robots()
            if not self.rules.can_fetch(self.start, ROBOT):
                raise Unreadable("its robots.txt doesn’t let it be read")
            answer = self._get(self.start)
            if not (target := _target(self.start, answer)):
                break
            self.start = target
        self._set_folder(given)
        self.discovered.add(self.start)
        first = self._classify(answer, self.start, 0)
        if first.reason:
            raise first.reason
        self._enqueue(self.known, 1)
        self._enqueue(self._sitemap(), 1)
        return first

    def _set_folder(self, given: str) -> None:
        """Set the folder to crawl: the given one, or the one that the start URL redirects to outside of it."""
        parts = urlsplit(self.start)
        path = given if parts.path.startswith(_folder(given)) else parts.path
        self.site = f"{parts.scheme}://{parts.netloc}"
        self.folder = f"{self.site}{_folder(path)}"

    def _robots(self) -> Protego:
        url = urljoin(self.start, "/robots.txt")
        for _ in range(MOST_REDIRECTS):
            answer = self._get(url)
            if not (target := _target(url, answer)):
                break
            url = target
        if answer.status >= 500:
            raise Unreadable("its robots.txt can’t be fetched", f"status {answer.status}")  # RFC 9309, 2.3.1.4
        return robots_rules(answer.content if answer.status == 200 else b"")

    def _sitemap(self) -> Iterator[str]:
        todo = deque(list(self.rules.sitemaps) or [urljoin(self.start, "/sitemap.xml")])
        found = 0
        for _ in range(MOST_SITEMAPS):
            if not todo or found > settings.DOCBOT_SITE_MAX_PAGES:
                return
            url = todo.popleft()
            if urlsplit(normalize_url(url)).netloc != urlsplit(self.start).netloc:
                continue
            try:
                answer = self._get(url)
            except Unreadable:
                continue  # links lead to the same pages
            text = _unpacked(answer.content).decode("utf-8", "replace") if answer.status == 200 else ""
            locations = [
                html.unescape(match[1]).strip("] >\n") for match in islice(LOCATION.finditer(text), MOST_LOCATIONS)
            ]
            if "<sitemapindex" in text[:5000]:
                todo.extend(locations)
            else:
                found += len(locations)
                yield from locations

    def _enqueue(self, urls: Iterable[str], depth: int) -> None:
        """Queue the URLs that belong to the crawl and are new."""
        for url in map(normalize_url, urls):
            parts = urlsplit(url)
            if f"https://{parts.netloc}" == self.site:
                url = urlunsplit(parts._replace(scheme="https"))
            if url and url not in self.discovered and self._belongs(url):
                self.discovered.add(url)
                if len(self.queue) < settings.DOCBOT_SITE_MAX_PAGES * 2:
                    self.queue.append((url, depth))

    def _belongs(self, url: str) -> bool:
        path = urlsplit(url).path
        parts = [part for part in path.split("/") if part]
        return (
            len(url) <= LONGEST_URL
            and url.startswith(self.folder)
            and not NOT_PAGES.search(path)
            and all(parts.count(part) <= MOST_REPEATS for part in parts)
        )

    def _page(self, url: str, depth: int) -> Page:
        if not self.rules.can_fetch(url, ROBOT):
            return Page(url, "gone", Unreadable("its robots.txt doesn’t let it be read"))
        try:
            answer = self._get(url)
        except Unreadable as error:
            self.failures += 1
            return Page(url, "failed", error)
        page = self._classify(answer, url, depth)
        self.failures = self.failures + 1 if page.outcome == "failed" else 0
        return page

    def _classify(self, answer: Fetched, url: str, depth: int) -> Page:
        if answer.status in GONE:
            return Page(url, "gone", Unreadable("there is no such page"))
        if target := _target(url, answer):
            self._enqueue([target], depth)
            return Page(url, "gone", Unreadable("it leads elsewhere", target))
        if answer.status != 200:
            is_page = not 400 <= answer.status < 500 or url in self.known or not depth
            reason = Unreadable("the website answers with an error", f"status {answer.status}")
            return Page(url, "failed" if is_page else "gone", reason)
        name = file_name(url, answer.kind)
        if not can_read(name):
            return Page(url, "gone", Unreadable("files of this kind can’t be read", answer.kind))
        return Page(url, "fetched", depth=depth, name=name, answer=answer)

    def _get(self, url: str) -> Fetched:
        """Fetch after the delay that the site or the settings demand; retry once on 429 or 503."""
        for is_last in (False, True):
            delay = max(settings.DOCBOT_SITE_DELAY, min(self.rules.crawl_delay(ROBOT) or 0.0, LONGEST_DELAY))
            time.sleep(max(0.0, self.last_request_at + delay - time.monotonic()))
            self.last_request_at = time.monotonic()
            answer = fetch(url)
            if answer.status not in (429, 503) or is_last:
                break
            time.sleep(min(answer.retry_after or delay, LONGEST_WAIT))
        return answer


def robots_rules(content: bytes) -> Protego:
    text = content[:MOST_ROBOTS_BYTES].decode("utf-8-sig", "replace")
    # Accept "User-agent: docbot/1.0", although the version doesn't belong there.
    return Protego.parse(re.sub(r"(?im)^([ \t]*user-agent[ \t]*:[ \t]*[^\s/#]+)/[^\s#]*", r"\1", text))


def normalize_url(url: str) -> str:
    """Return the URL without fragment, default port and tracking parameters, or "" if it is invalid."""
    try:
        parts = parse_url(url.strip())
    except ValueError:
        return ""
    if parts.scheme not in PORTS or not parts.host or parts.auth is not None:
        return ""
    asked = (part for part in (parts.query or "").split("&") if part)
    query = "&".join(part for part in asked if not TRACKING_PARAMETERS.fullmatch(part.partition("=")[0]))
    port = None if parts.port == PORTS[parts.scheme] else parts.port
    path = re.sub(r"/{2,}", "/", parts.path or "") or "/"
    return parts._replace(port=port, path=path, query=query or None, fragment=None).url


def _folder(path: str) -> str:
    return path[: path.rindex("/") + 1]


def same_page(url: str, canonical: str) -> bool:
    """Return whether `canonical` differs only in the query, `www.`, a trailing slash or `index.html`."""

    def plain(url: str) -> str:
        parts = urlsplit(url)
        path = re.sub(r"/(?:index\.\w+)?$", "", parts.path)
        return f"{(parts.hostname or '').removeprefix('www.')}{path}"

    return bool(canonical) and plain(url) == plain(canonical)


def file_name(url: str, kind: str) -> str:
    """Return a file name for a page: the last segment of its path, with the suffix of its media type."""
    parts = urlsplit(url)
    path = PurePosixPath(unquote(parts.path))
    suffix = MEDIA_TYPES.get(kind, path.suffix if kind in ("", "application/octet-stream", "text/plain") else "")
    if kind == "text/plain" and can_read(path.name):
        suffix = path.suffix  # servers send Markdown and CSV as plain text
    stem = path.stem if path.stem not in ("", "index") else path.parent.name or parts.hostname or "page"
    return f"{stem}{suffix}"


def _target(url: str, answer: Fetched) -> str:
    """Return the URL that a redirect leads to, or ""."""
    if answer.status not in (301, 302, 303, 307, 308) or not answer.location:
        return ""
    return normalize_url(urljoin(url, answer.location))


def _unpacked(content: bytes) -> bytes:
    """Return a sitemap unpacked if it is gzipped, whatever its headers say."""
    try:
        return zlib.decompressobj(wbits=31).decompress(content, MOST_SITEMAP_BYTES)
    except zlib.error:
        return content

"""Reads pages of websites: like HTML files, and with the links that they contain."""

from __future__ import annotations

from urllib.parse import urljoin

from lxml import etree

from docbot.content import ReadDocument
from docbot.reading import Directions, Unreadable
from docbot.reading.formats.html import decoded, read_tree
from docbot.reading.structure.markup import parse

MOST_LINKS = 5000
LONGEST = 2000  # characters of a URL


def read(content: bytes, name: str, charset: str, url: str) -> tuple[Directions, ReadDocument | None, str]:
    """Return directions and document of the page at `url`, or instead of the document the reason why there is none."""
    markup = decoded(content, charset)
    page = parse(markup)
    if page is None:
        return Directions(), None, "there is no text in it"
    directions = _directions(page, url)
    try:
        return directions, read_tree(page, name), ""
    except Unreadable as error:
        return directions, None, str(error)


def _directions(page: etree._Element, url: str) -> Directions:
    base = _joined(url, page.xpath("string(//base[1]/@href)")) or url
    links: dict[str, None] = {}
    for link in page.iterfind(".//a[@href]"):
        if len(links) >= MOST_LINKS:
            break
        if "nofollow" not in (link.get("rel") or "").lower().split():
            target = _joined(base, link.get("href"))
            if target:
                links[target] = None
    wishes = ",".join(
        meta.get("content") or ""
        for meta in page.iterfind(".//meta[@name]")
        if (meta.get("name") or "").lower() in ("robots", "docbot")
    ).lower()
    canonical = next((link for link in page.iterfind(".//link[@rel]") if link.get("rel").lower() == "canonical"), None)
    return Directions(
        tuple(links),
        _joined(base, canonical.get("href") or "") if canonical is not None else "",
        may_read="noindex" not in wishes and "none" not in wishes,
        may_follow="nofollow" not in wishes and "none" not in wishes,
    )


def _joined(base: str, href: str) -> str:
    """Return the URL that a link leads to, without its fragment; "" if it isn't a website's."""
    try:
        target = urljoin(base, href.strip()).partition("#")[0]
    except ValueError:
        return ""
    return target if target.startswith(("http://", "https://")) and len(target) <= LONGEST else ""

"""Reads pages of websites: like HTML files, and with the links that they contain."""

from __future__ import annotations

from itertools import islice

from lxml import etree

from docbot.content import ReadDocument
from docbot.reading import Directions, Unreadable
from docbot.reading.formats.html import decoded, read_tree
from docbot.reading.structure.markup import parse

MOST_LINKS = 5000
LONGEST = 2000  # characters of a URL


def read(content: bytes, name: str, charset: str, url: str) -> tuple[Directions, ReadDocument | None, str]:
    """Return directions and document of the page at `url`, or instead of the document the reason why there is none."""
    page = parse(decoded(content, charset))
    if page is None:
        return Directions(), None, "there is no text in it"
    directions = _directions(page, url)
    try:
        return directions, read_tree(page, name), ""
    except Unreadable as error:
        return directions, None, str(error)


def _directions(page: etree._Element, url: str) -> Directions:
    page.make_links_absolute(url, handle_failures="discard")
    links = (
        link.get("href").partition("#")[0]
        for link in page.iterfind(".//a[@href]")
        if "nofollow" not in (link.get("rel") or "").lower().split()
    )
    links = dict.fromkeys(link for link in links if link.startswith(("http://", "https://")) and len(link) <= LONGEST)
    wishes = ",".join(
        meta.get("content") or ""
        for meta in page.iterfind(".//meta[@name]")
        if (meta.get("name") or "").lower() in ("robots", "docbot")
    ).lower()
    return Directions(
        tuple(islice(links, MOST_LINKS)),
        page.xpath("string(//link[@rel='canonical']/@href)").partition("#")[0][:LONGEST],
        may_read="noindex" not in wishes and "none" not in wishes,
        may_follow="nofollow" not in wishes and "none" not in wishes,
    )

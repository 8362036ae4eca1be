"""Reads what a page of a website says to crawlers: its links, and what may be done with it."""

from __future__ import annotations

from itertools import islice

from docbot.reading import Directions
from docbot.reading.formats.html import parsed

MOST_LINKS = 5000
LONGEST = 2000  # characters of a URL


def directions(content: bytes, url: str) -> Directions:
    """Return the directions of the page at `url`."""
    page = parsed(content)
    if page is None:
        return Directions()
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

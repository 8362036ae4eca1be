"""Reads what a page of a website says beside its content: to crawlers, and of whom it belongs to."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree

from docbot.reading import Directions
from docbot.reading.formats.html import parsed
from docbot.reading.structure.blocks import Item, Table, assemble
from docbot.reading.structure.markup import blocks_of

MOST_LINKS = 5000
LONGEST = 2000  # characters, of a URL and of contact details
# A theme may call all of the page "has-footer".
HEADER_AND_FOOTER = """
    //*[self::header[not(.//h1)] or self::footer or @role='banner' or @role='contentinfo'
        or self::div[contains(@class, 'footer') or contains(@id, 'footer')][not(.//h1 or .//main or .//article)]
    ][not(ancestor::main or ancestor::article)]
"""
TO_OTHER_PAGES = "//nav | //a[not(starts-with(@href, 'tel:') or starts-with(@href, 'mailto:'))]"
CONTACT = re.compile(r"@|\d\D+\d")  # an e-mail address; a phone number, postal address or opening hours


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
        contact=_contact(page),
    )


def _contact(page: etree._Element) -> str:
    """Return the lines of header and footer if they include contact details. Changes the page."""
    for element in page.xpath(TO_OTHER_PAGES):
        element.drop_tree()
    blocks = [block for around in page.xpath(HEADER_AND_FOOTER) for block in blocks_of(around)]
    told = [block.text.removeprefix("- ") for block in blocks if not isinstance(block, Table) and "©" not in block.text]
    if not any(map(CONTACT.search, told)):
        return ""
    lines = dict.fromkeys(text.replace("\n", ", ") for text in told)
    text = assemble([Item(f"- {line}") for line in lines], name="").sections[0].text[:LONGEST]
    return text if len(lines) > 1 else text.removeprefix("- ")

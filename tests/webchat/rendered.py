"""Replies rendered from Markdown, and checks that hold for each of them."""

from urllib.parse import urlsplit

from lxml import html
from lxml.html import HtmlElement

from webchat.rendering.bot_text import markdown

BLOCKS = {"p", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "div"}

ATTRIBUTES = {
    **{block: {"dir"} for block in BLOCKS},
    **{tag: set() for tag in ("em", "strong", "s", "sup", "br", "hr", "table", "thead", "tbody", "tr", "dt", "dd")},
    **{tag: {"class"} for tag in ("code", "li", "th", "td", "span")},
    "figure": {"dir"},
    "figcaption": set(),
    "a": {"href", "title", "target", "rel", "aria-describedby"},
    "pre": {"tabindex"},
    "div": {"dir", "tabindex", "role", "aria-label"},
    "ol": {"dir", "start"},
}

CLASSES = {
    **{tag: {None, "end", "middle"} for tag in ("th", "td")},
    "code": {None, "short"},
    "li": {None, "", "task"},
    "span": {*"kmnsc"},
}

CONTROLS = [0, 1, 8, 0x1B, 0x7F, 0x85]

HIDDEN = set(map(chr, [*CONTROLS, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xE0041, 0xE007F]))


def parse(text: str) -> HtmlElement:
    return html.fragment_fromstring(str(markdown(text)), create_parent="div")


def words_of(tree: HtmlElement) -> str:
    return " ".join(tree.text_content().split())


def check(tree: HtmlElement) -> None:
    """Check what must hold for every reply."""
    for element in tree.iterdescendants():
        assert element.tag in ATTRIBUTES, element.tag
        assert set(element.attrib) <= ATTRIBUTES[element.tag], dict(element.attrib)
        assert HIDDEN.isdisjoint((element.text or "") + (element.tail or "") + "".join(element.attrib.values()))
        assert element.get("class") in CLASSES.get(element.tag, {None, ""})
    for link in tree.iter("a"):
        target = urlsplit(link.get("href"))
        assert target.scheme in ("http", "https", "mailto")
        assert target.netloc or target.scheme == "mailto"
        assert (link.get("rel"), link.get("target")) == ("noopener noreferrer nofollow ugc", "_blank")
    for block in tree.iterdescendants(*BLOCKS):
        # An element with its own `dir` doesn't count towards the direction of the block around it (HTML, 3.2.6.4).
        assert block.get("dir") == ("auto" if block.getparent() is tree else None)


def links(tree: HtmlElement) -> list[str]:
    return [link.get("href") for link in tree.iter("a")]

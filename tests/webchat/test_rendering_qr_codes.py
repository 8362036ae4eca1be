"""On a kiosk, links are shown as text with a QR code that carries their URL to a phone."""

import re

import pytest
import segno
from hypothesis import given
from lxml import html
from lxml.html import HtmlElement

from tests.webchat.rendered import words_of
from tests.webchat.test_rendering import HOSTILE
from tests.webchat.test_rendering_large import marked_up, often
from webchat.rendering.bot_text import MAX_CODED, MAX_CODES, markdown_with_codes

LABEL = "QR code: #"
OURS = {"span": {"class", "dir", "data-number"}, "svg": {"role", "aria-label", "viewbox", "class"}}
OURS |= {"path": {"stroke", "d"}, "li": {"data-number", "class"}, "ul": {"class", "dir"}}


def parse(text: str) -> HtmlElement:
    return html.fragment_fromstring(str(markdown_with_codes(text, LABEL, "Codes")), create_parent="div")


def urls(tree: HtmlElement) -> list[str]:
    """Return the URLs in the accessible names of the codes."""
    return [svg.get("aria-label").removeprefix("QR code: ") for svg in tree.iter("svg")]


def check(tree: HtmlElement) -> None:
    for element in tree.iterdescendants():
        assert element.tag != "a"
        assert not {"href", "style", "src"} & set(element.attrib)
        assert element.tag not in OURS or set(element.attrib) <= OURS[element.tag], dict(element.attrib)
    for url in urls(tree):
        assert not re.match(r"(?i)(https?:/?[^/]|javascript:|vbscript:|data:|file:|ftp:)", url)


@pytest.mark.parametrize(
    ("text", "words", "url"),
    [
        ("[our hours](https://shop.example/hours)", "our hours", "https://shop.example/hours"),
        ("[call us](tel:+49891234)", "call us", "+49891234"),
        ("<me@shop.example>", "me@shop.example", "me@shop.example"),
        ("![the map](https://shop.example/map.png)", "the map", "https://shop.example/map.png"),
        ('[x](https://a.example/?q="b>c "a title>")', "x", "https://a.example/?q=%22b%3Ec"),
    ],
)
def test_a_link_is_shown_as_text_with_a_code_of_its_url(text, words, url):
    tree = parse(f"See {text} today.")
    check(tree)
    assert words_of(tree.find("p")) == f"See {words} today."
    assert urls(tree) == [url]


def test_the_code_decodes_to_the_url():
    tree = parse("[hours](https://shop.example/hours)")
    path = segno.make("https://shop.example/hours", error="l", micro=False).svg_inline(omitsize=True, lineclass=None)
    assert tree.find(".//path").get("d") == html.fromstring(path).find(".//path").get("d")


def test_each_url_has_one_code_and_is_printed_below_it():
    tree = parse("[a](https://www.shop.example/) [b](mailto:me@shop.example) [c](https://www.shop.example/)")
    assert [item.text_content() for item in tree.findall(".//li")] == ["shop.example", "me@shop.example"]
    assert [span.get("data-number") for span in tree.iter("span") if span.get("class") == "linked"] == ["1", "2", "1"]


def test_codes_beyond_the_limit_are_left_out_and_their_text_is_kept():
    many = parse(" ".join(f"[word{number}](https://shop.example/{number})" for number in range(40)))
    assert len(urls(many)) == MAX_CODES
    assert "word39" in words_of(many)
    long = parse(f"[far](https://shop.example/{'x' * MAX_CODED})")
    assert (urls(long), words_of(long)) == ([], "far")


def test_hostile_text_creates_no_link():
    for text, _words, _leads in HOSTILE.values():
        check(parse(text))


@often
@given(marked_up)
def test_no_text_creates_a_link(text):
    check(parse(text))

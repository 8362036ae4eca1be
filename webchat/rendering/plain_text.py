"""HTML of ours as plain text that reads well in a mail: without markup, each row of a table on a line."""

import re
from textwrap import indent

from lxml import html

_PARAGRAPHS = {"p", *(f"h{level}" for level in range(1, 7))}


def from_html(markup: str) -> str:
    """Return the text of what `bot_text` or a template has made."""
    text = _text_of(html.fragment_fromstring(markup, create_parent="div"))
    # One space at the start of a line is what stood between two elements; what is indented has more.
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"^ (?! )| +$", "", text, flags=re.MULTILINE)).strip()


def _text_of(element: html.HtmlElement) -> str:
    if element.tag == "pre":
        return f"\n\n{indent(element.text_content().rstrip(), '    ')}\n\n"
    inner = _spaced(element.text) + "".join(_text_of(child) + _spaced(child.tail) for child in element)
    match element.tag:
        case "br":
            return "\n"
        case "a":
            return inner if inner == element.get("href") else f"{inner} ({element.get('href')})"
        case "sup":
            return f"[{inner}]"
        case "figcaption":  # the language of code
            return ""
        case "th" | "td":
            return (inner.strip() or "–") + (" · " if element.getnext() is not None else "")
        case "li":
            return indent(f"{_mark_of(element)} {inner.strip()}", "  ")[2:]
        case "dd":
            return indent(inner.strip(), "  ")
        case "section":  # what somebody said, below their name
            name, _blank, said = inner.strip().partition("\n\n")
            return f"\n\n{name}\n{said.strip()}\n\n"
        case "blockquote":
            return f"\n\n{indent(inner.strip(), '> ')}\n\n"
        case "table":
            return f"\n\n{_lines(inner)}\n\n"
        case "tr":
            return f"{inner}\n"
        case "ul" | "ol" | "dl":
            gap = "\n" if element.getparent().tag == "li" else "\n\n"
            return gap + "\n".join(_text_of(item) for item in element) + gap
    return f"\n\n{_lines(inner)}\n\n" if element.tag in _PARAGRAPHS else inner


def _spaced(text: str | None) -> str:
    """Return it as HTML shows it: any white space is a space."""
    return re.sub(r"\s+", " ", text or "")


def _lines(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def _mark_of(item: html.HtmlElement) -> str:
    parent = item.getparent()
    return f"{int(parent.get('start', 1)) + parent.index(item)}." if parent.tag == "ol" else "-"

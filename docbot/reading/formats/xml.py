"""Parses untrusted XML: entities are not expanded, and nothing is loaded from anywhere."""

from lxml import etree

from docbot.reading import Unreadable


def parse(content: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable("it is damaged: one of its parts is not whole XML") from error


def texts(root: etree._Element, name: str) -> list[str]:
    """Return the text of all elements with this name, in any namespace."""
    return [" ".join("".join(element.itertext()).split()) for element in root.iter(f"{{*}}{name}")]

"""The overview page and its cards."""

from copy import deepcopy

from lxml import etree, html

PAGE = "/admin/"


def page(client) -> html.HtmlElement:
    response = client.get(PAGE)
    assert response.status_code == 200
    return html.fromstring(response.content.decode())


def words(element: html.HtmlElement) -> str:
    element = deepcopy(element)
    etree.strip_tags(element, "bdi")  # names, beside which no space is shown
    return " ".join(" ".join(element.itertext()).split())


def card(client, name: str) -> html.HtmlElement | None:
    return next(iter(page(client).xpath(f"//section[@aria-labelledby='{name}']")), None)


def links(element: html.HtmlElement) -> dict[str, str]:
    return {words(each): each.get("href") for each in element.xpath(".//a")}


def shown_cards(client) -> set[str]:
    return {each.get("aria-labelledby") for each in page(client).xpath("//section[contains(@class, 'card')]")}

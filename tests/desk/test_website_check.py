"""The check of a page of the owner's website: whether it shows the chat, and what is missing."""

import pytest
from lxml import html

from tests.docbot.sites import Site

HERE = "http://testserver"
LINE = f'<script src="{HERE}/embed.js" data-bot="help" async></script>'
SHOP = "https://www.shop.example"


@pytest.fixture
def website(settings, bot):
    settings.DOCBOT_ALLOW_PRIVATE = True
    with Site() as site:
        bot.origins = f"{site.at('')}\n{SHOP}"
        bot.save()
        yield site


@pytest.fixture
def findings(admin_client):
    """Return a function that checks a page and returns its findings: `found(url)`."""

    def names(address: str) -> list[str]:
        shown = html.fromstring(admin_client.get("/admin/webchat/bot/help/website/", {"page": address}).content)
        assert shown.xpath("//input[@id='copy-snippet']/@value") == [LINE]
        assert shown.xpath("//input[@name='page']/@value") == [address]
        return shown.xpath("//@data-finding")

    return names


def test_a_page_of_a_listed_website_is_checked_and_what_is_missing_is_named(website, findings, admin_client):
    of_its_own = '<meta http-equiv="Content-Security-Policy" content="frame-src https://x.example">'
    for number, (line, policy, finding) in enumerate(
        (
            (LINE, "", "FINE"),
            ("", "", "NO_LINE"),
            (of_its_own + LINE, "", "POLICY"),
            ("<!-- " + LINE + " -->", "", "NO_LINE"),
            (LINE.replace("help", "shop"), "", "OTHER_LINE"),
            (LINE.replace("testserver", "chat.example.com"), "", "OTHER_LINE"),
            ('<script src="https://["></script>' + LINE, "", "FINE"),
            (LINE, "default-src 'self'", "POLICY"),
            (LINE, f"default-src 'self' {HERE}; frame-src 'none'", "POLICY"),
            (LINE, f"default-src 'none'; script-src {HERE}/embed.js; frame-src testserver; connect-src http:", "FINE"),
            (LINE.replace("<script", "<script nonce=a"), "script-src 'nonce-a'", "FINE"),
            (LINE, "script-src *; upgrade-insecure-requests;", "FINE"),
        )
    ):
        website.page(f"/{number}", head=line, **({"Content-Security-Policy": policy} if policy else {}))
        assert findings(website.at(f"/{number}")) == [finding], (line, policy)
    website.redirect("/", website.at("/0", host="localhost"))
    website.file("/empty", b"", "text/html")
    for path, finding in (("/", "NOT_LISTED"), ("/nowhere", "UNREADABLE"), ("/empty", "UNREADABLE")):
        assert findings(website.at(path)) == [finding]
    asked = len(website.asked)
    assert findings(website.at("/0", host="localhost")) == ["NOT_LISTED"]
    assert len(website.asked) == asked, "a website that is not listed is never requested"
    refused = admin_client.get("/admin/webchat/bot/help/website/", {"page": "our shop"})
    assert refused.status_code == 422
    assert html.fromstring(refused.content).xpath("//*[@data-problems]//a/@href") == ["#id_page"]


def test_websites_are_rows_of_one_list_each_with_its_check_and_a_box_that_removes_it(admin_client, bot, fields):
    bot.origins = "https://a.example\nhttps://*.b.example"
    bot.save()

    def rows() -> list[tuple[str, str]]:
        shown = html.fromstring(admin_client.get(places).content).xpath("//ul[@data-rows]/li")
        return [(each.xpath("string(.//input/@value)"), each.xpath("string(.//a/@href)")) for each in shown]

    places, check = f"/admin/webchat/bot/{bot.pk}/places/", "/admin/webchat/bot/help/website/"
    assert rows() == [
        ("https://a.example", f"{check}?page=https%3A%2F%2Fa.example"),
        ("https://*.b.example", check),
        ("", ""),
    ]
    typed = ["https://a.example", "https://c.example", "d.example", ""]
    assert admin_client.post(places, fields | {"origins": typed, "origins-remove": "0"}).status_code == 302
    bot.refresh_from_db()
    assert bot.allowed_origins == ["https://c.example", "https://d.example"]
    typed = ["https://c.example", "our shop", ""]
    refused = html.fromstring(admin_client.post(places, fields | {"origins": typed}).content)
    assert refused.xpath("//ul[@data-rows]//input[@type='text']/@value")[:2] == typed[:2]
    assert refused.xpath("//*[@data-problems]//a/@href") == ["#id_origins"]
    [wrong] = refused.xpath("//input[@aria-invalid='true']")
    assert (wrong.get("id"), wrong.value) == ("id_origins", "our shop")

"""The page and the portal as installable apps: their manifests, and text shared to them from a device."""

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.webchat.visitor import Page
from webchat.models import Bot, Turn

SHARED = {"title": "A page", "text": "Do you have <this>?", "url": "https://example.com/page"}


def manifest_url(response: HttpResponse) -> str | None:
    link = Page(response).tree.find(".//link[@rel='manifest']")
    assert ("manifest-src 'self'" in response["Content-Security-Policy"]) == (link is not None)
    return None if link is None else link.get("href")


def test_the_manifest_has_the_bots_name_colours_and_language(bot, client):
    Bot.objects.update(name="متجر الزهور الجميلة", language="ar", accent="#b3261e")
    manifest = client.get(manifest_url(client.get("/chat/help/"))).json()
    assert (manifest["name"], manifest["short_name"]) == ("متجر الزهور الجميلة", "متجر الزهور")
    assert (manifest["lang"], manifest["dir"]) == ("ar", "rtl")
    assert manifest["start_url"] == manifest["scope"] == "/chat/help/"
    assert (manifest["display"], manifest["theme_color"]) == ("standalone", "#b3261e")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    icon = client.get(manifest["icons"][0]["src"]).content.decode()
    assert [part for part in (">م<", "#b3261e") if part not in icon] == []


@pytest.mark.parametrize(
    ("path", "manifest"),
    [
        ("/", "/chat/help/manifest.json"),
        ("/portal/sign-in", "/portal/manifest.json"),
        ("/embed/help/", None),
        ("/kiosk/", None),
        ("/chat/help/person", None),
    ],
)
def test_only_the_page_and_the_portal_are_apps(bot, client, path, manifest):
    Bot.objects.update(in_portal=True, handover=True)
    assert manifest_url(client.get(path, follow=True)) == manifest


def test_shared_text_is_put_in_the_message_box_not_sent_and_taken_from_no_other_website(visitor):
    visitor.send("Hello")
    target = visitor.client.get("/chat/help/manifest.json").json()["share_target"]
    assert (target["method"], target["enctype"]) == ("POST", "multipart/form-data")
    device = Client(enforce_csrf_checks=True)
    device.cookies = visitor.client.cookies
    page = Page(device.post(target["action"], SHARED, headers={"Sec-Fetch-Site": "none"}))
    assert page.one("textarea").text == "A page\nDo you have <this>?\nhttps://example.com/page"
    assert [turn.message for turn in page.turns] == ["Hello"]
    assert Turn.objects.count() == 1
    assert device.get(target["action"])["Location"] == "/chat/help/"
    assert device.post(target["action"], SHARED, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403

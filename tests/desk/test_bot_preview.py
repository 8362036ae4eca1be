"""Previews of what visitors will see before it is saved, and the shades of the accent."""

import io
import random
from contextlib import closing

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from PIL import Image

from tests.desk.bot_pages import LIST, url
from tests.desk.conftest import page, words
from webchat.appearance.color_palette import LIGHT_GROUND, contrast, palettes
from webchat.models import Bot

PREVIEW = "preview/chat/?tab=desk_bot_look"


@pytest.mark.parametrize("surface", ["chat", "embed", "kiosk", "portal"])
def test_the_preview_shows_unsaved_changes(admin_client, bot, fields, surface):
    def preview(tab: str, **entered: str) -> HttpResponse:
        return admin_client.post(url(bot, f"preview/{surface}/?tab={tab}"), fields | entered)

    unsaved = {"greeting": "Hi from Grace", "suggestions": "What is new?", "accent": "#0a7f5a"}
    response = preview("desk_bot_look", **unsaved)
    shown = page(response)
    assert "Ada" in shown.text_content()
    assert "What is new?" in shown.text_content()
    assert shown.xpath("//body[@inert]")
    [look] = shown.xpath("//style")
    assert f"--accent: light-dark({palettes('#0a7f5a')[0].accent}," in look.text
    assert "style-src 'self' 'sha256-" in response["Content-Security-Policy"]
    bot.refresh_from_db()
    assert (bot.greeting, bot.accent) == ("Hello!", "")
    invalid = page(preview("desk_bot_look", accent="reddish", face_zoom="wide", suggestions="Hi there"))
    assert "Hi there" in invalid.text_content()
    assert not invalid.xpath("//style")
    talking = page(preview("desk_bot_look", next_questions="And then?", preview_moment="talking"))
    assert talking.xpath("//li[@data-turn][last()]//button[@data-suggestion]/@value") == ["And then?"]
    assert not [each for each in (shown, talking) if each.xpath("//script")]
    for moment in ("", "closed"):
        people = preview("desk_bot_people", closed_notice="Back on Monday.", preview_moment=moment)
        assert ("Back on Monday." in words(people)) == (moment == "closed")
    for budget, alerts in (("", []), ("20", ["BUDGET_SPENT"])):
        limits = page(preview("desk_bot_limits", daily_budget=budget, preview_moment="spent"))
        assert limits.xpath("//*[@data-alert]/@data-code") == alerts
    named = {"name": "Grace", "slug": "grace", "preview_moment": "talking"}
    off = words(admin_client.post(url(bot, f"preview/{surface}/?tab=webchat_bot_change"), named))
    assert "Grace" in off
    assert "This chat is switched off at the moment." in off


def test_a_picture_is_previewed_before_it_is_stored(admin_client, bot, fields):
    drawn = io.BytesIO()
    Image.new("RGB", (20, 20), "green").save(drawn, "PNG")
    face = SimpleUploadedFile("face.png", drawn.getvalue(), "image/png")
    response = admin_client.post(url(bot, PREVIEW), fields | {"face": face})
    assert page(response).xpath("//img[starts-with(@src, 'data:image/webp;base64,')]")
    bot.refresh_from_db()
    assert not bot.face
    face.seek(0)
    refused = page(admin_client.post(url(bot, "look/"), fields | {"face": face, "accent": "orange"}))
    [kept] = refused.xpath("//input[@name='kept_face']/@value")
    assert "Use the picture that you chose" in refused.text_content()
    for damaged in ("%", "Z", "é"):
        again = admin_client.post(url(bot, "look/"), fields | {"kept_face": damaged, "accent": "orange"})
        assert not page(again).xpath("//input[@name='kept_face']")
    admin_client.post(url(bot, "look/"), fields | {"kept_face": kept})
    (link,) = page(admin_client.get(url(bot, "look/"))).xpath("//*[contains(@class, 'field-face')]//a")
    with closing(admin_client.get(link.get("href"))) as picture:
        assert (link.text, picture.status_code) == ("Show", 200)


def test_pictures_of_pure_noise_come_back_refused_and_only_the_ticked_one_is_saved_then(admin_client, bot, fields):
    noise = io.BytesIO()
    Image.frombytes("RGBA", (1024, 1024), random.Random(7).randbytes(4 * 1024 * 1024)).save(noise, "PNG")
    pictures = {name: SimpleUploadedFile(f"{name}.png", noise.getvalue(), "image/png") for name in ("face", "logo")}
    chosen = pictures | {"accent": "orange"}
    refused = page(admin_client.post(url(bot, "look/"), fields | chosen))
    kept = {f"kept_{name}": refused.xpath(f"//input[@name='kept_{name}']/@value")[0] for name in ("face", "logo")}

    assert admin_client.post(url(bot, "look/"), fields | {"kept_face": kept["kept_face"]}).status_code == 302
    bot.refresh_from_db()
    assert (bool(bot.face), bool(bot.logo)) == (True, False)


def test_each_tab_offers_its_previews_which_only_the_desk_may_frame(admin_client, bot):
    overview = page(admin_client.get(url(bot))).xpath("//button[@data-preview]/@formaction")
    for surface in ("chat", "embed", "kiosk", "portal"):
        assert url(bot, f"preview/{surface}/?tab=webchat_bot_change") in overview
    for tab, moment in (("people/", "closed"), ("limits/", "spent")):
        shown = page(admin_client.get(url(bot, tab)))
        assert moment in shown.xpath("//select[@name='preview_moment']/option/@value")
    preview = admin_client.get(url(bot, "preview/chat/"))
    assert "frame-ancestors 'self'" in preview["Content-Security-Policy"]
    assert "X-Frame-Options" not in preview
    form = admin_client.get(url(bot))
    assert "frame-src 'self'" in form["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in form["Content-Security-Policy"]
    assert form["X-Frame-Options"] == "DENY"


def test_the_picker_shows_shades_and_contrast_of_a_colour_before_it_is_saved(admin_client, client, bot):
    Bot.objects.update(accent="#ff8800")
    row = page(admin_client.get(url(bot, "look/"))).xpath("//*[contains(@class, 'field-shades')]")[0]
    light, dark = palettes("#ff8800")
    assert row.xpath(".//rect/@fill") == ["#ff8800", light.accent, dark.accent]
    assert "darkened" in row.text_content()
    shown = admin_client.get(f"{LIST}shades/?accent=%23ff8800").content.decode()
    assert f"contrast {contrast(light.accent, LIGHT_GROUND):.1f} to 1" in " ".join(shown.split())
    assert "own blue" in admin_client.get(f"{LIST}shades/?accent=").content.decode()
    assert not admin_client.get(f"{LIST}shades/?accent=<b>").content.strip()
    assert client.get(f"{LIST}shades/").status_code == 302

"""Previews of what visitors will see before it is saved, and the shades of the accent."""

import io
import random
from contextlib import closing

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from tests.desk.bot_pages import LIST, url
from tests.desk.conftest import page
from webchat.appearance.color_palette import LIGHT_GROUND, contrast, palettes
from webchat.models import Bot

PREVIEW = "preview/chat/?tab=desk_bot_look"


SURFACES = pytest.mark.parametrize("surface", ["chat", "embed", "kiosk", "portal"])


@SURFACES
def test_the_preview_shows_unsaved_changes(admin_client, bot, fields, surface):
    unsaved = {"greeting": "Hi from Grace", "suggestions": "What is new?", "accent": "#0a7f5a"}
    response = admin_client.post(url(bot, f"preview/{surface}/?tab=desk_bot_look"), fields | unsaved)
    shown = page(response)
    assert "Ada" in shown.text_content()
    assert "What is new?" in shown.text_content()
    assert shown.xpath("//body[@inert]")
    assert not shown.xpath("//script")
    [look] = shown.xpath("//style")
    assert f"--accent: light-dark({palettes('#0a7f5a')[0].accent}," in look.text
    assert "style-src 'self' 'sha256-" in response["Content-Security-Policy"]
    bot.refresh_from_db()
    assert (bot.greeting, bot.accent) == ("Hello!", "")


@SURFACES
def test_the_preview_of_a_conversation_ends_with_the_questions_to_ask_next(admin_client, bot, fields, surface):
    talking = fields | {"next_questions": "What is new?", "preview_moment": "talking"}
    shown = page(admin_client.post(url(bot, f"preview/{surface}/?tab=desk_bot_look"), talking))
    assert not shown.xpath("//script")
    assert shown.xpath("//li[@data-turn][last()]//button[@data-suggestion]/@value") == ["What is new?"]


@SURFACES
def test_the_preview_of_people_and_hours_shows_what_visitors_read_while_nobody_is_there(
    admin_client, bot, fields, surface
):
    def shown(moment: str) -> str:
        entered = fields | {"closed_notice": "Back on Monday.", "preview_moment": moment}
        path = f"preview/{surface}/?tab=desk_bot_people"
        return page(admin_client.post(url(bot, path), entered)).text_content()

    assert page(admin_client.get(url(bot, "people/"))).xpath("//select[@name='preview_moment']/option[@value='closed']")
    assert ["Back on Monday." in shown(moment) for moment in ("", "closed")] == [False, True]


@SURFACES
def test_the_preview_of_limits_shows_what_visitors_read_when_the_budget_is_used_up_if_there_is_one(
    admin_client, bot, fields, surface
):
    def alerts(budget: str) -> list[str]:
        entered = fields | {"daily_budget": budget, "preview_moment": "spent"}
        shown = page(admin_client.post(url(bot, f"preview/{surface}/?tab=desk_bot_limits"), entered))
        return shown.xpath("//*[@data-alert]/@data-code")

    assert page(admin_client.get(url(bot, "limits/"))).xpath("//select[@name='preview_moment']/option[@value='spent']")
    assert [alerts(budget) for budget in ("", "20")] == [[], ["BUDGET_SPENT"]]


@SURFACES
def test_the_preview_of_the_overview_shows_the_name_and_what_visitors_read_while_the_bot_is_off(
    admin_client, bot, fields, surface
):
    entered = {"name": "Grace", "slug": "grace", "preview_moment": "talking"}
    shown = page(admin_client.post(url(bot, f"preview/{surface}/?tab=webchat_bot_change"), entered)).text_content()
    assert "Grace" in shown
    assert "This chat is switched off at the moment." in shown
    offered = page(admin_client.get(url(bot))).xpath("//button[@data-preview]/@formaction")
    assert url(bot, f"preview/{surface}/?tab=webchat_bot_change") in offered


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


def test_pictures_of_pure_noise_come_back_refused_and_are_saved_then_but_not_the_one_that_is_unticked(
    admin_client, bot, fields
):
    def noise(name: str) -> SimpleUploadedFile:
        drawn = io.BytesIO()
        Image.frombytes("RGBA", (1024, 1024), random.Random(7).randbytes(4 * 1024 * 1024)).save(drawn, "PNG")
        return SimpleUploadedFile(name, drawn.getvalue(), "image/png")

    chosen = {"face": noise("face.png"), "logo": noise("logo.png"), "accent": "orange"}
    refused = page(admin_client.post(url(bot, "look/"), fields | chosen))
    kept = {f"kept_{name}": refused.xpath(f"//input[@name='kept_{name}']/@value")[0] for name in ("face", "logo")}
    assert admin_client.post(url(bot, "look/"), fields | kept | {"accent": "orange"}).status_code == 200
    assert admin_client.post(url(bot, "look/"), fields | {"kept_face": kept["kept_face"]}).status_code == 302
    bot.refresh_from_db()
    assert (bool(bot.face), bool(bot.logo)) == (True, False)


def test_only_the_desk_may_frame_a_preview(admin_client, bot):
    preview = admin_client.get(url(bot, "preview/chat/"))
    assert "frame-ancestors 'self'" in preview["Content-Security-Policy"]
    assert "X-Frame-Options" not in preview
    form = admin_client.get(url(bot))
    assert "frame-src 'self'" in form["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in form["Content-Security-Policy"]
    assert form["X-Frame-Options"] == "DENY"


def test_an_invalid_field_is_previewed_with_its_saved_value(admin_client, bot, fields):
    wrong = {"accent": "reddish", "face_zoom": "wide"}
    response = admin_client.post(url(bot, PREVIEW), fields | wrong | {"greeting": "Hi there"})
    assert "Hi there" in page(response).text_content()
    assert not page(response).xpath("//style")


def test_the_shades_of_the_accent_are_shown_and_explained(admin_client, bot):
    Bot.objects.update(accent="#ff8800")
    row = page(admin_client.get(url(bot, "look/"))).xpath("//*[contains(@class, 'field-shades')]")[0]
    light, dark = palettes("#ff8800")
    assert row.xpath(".//rect/@fill") == ["#ff8800", light.accent, dark.accent]
    assert "darkened" in row.text_content()
    assert "contrast of 4.5 to 1" in row.text_content()


def test_the_picker_shows_the_contrast_of_a_colour_before_it_is_saved(admin_client, client, bot):
    shown = admin_client.get(f"{LIST}shades/?accent=%23ff8800").content.decode()
    light = palettes("#ff8800")[0].accent
    assert f"contrast {contrast(light, LIGHT_GROUND):.1f} to 1" in " ".join(shown.split())
    assert "own blue" in admin_client.get(f"{LIST}shades/?accent=").content.decode()
    assert not admin_client.get(f"{LIST}shades/?accent=<b>").content.strip()
    assert client.get(f"{LIST}shades/").status_code == 302

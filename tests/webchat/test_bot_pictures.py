"""A bot's face and logo: re-encoded from what the owner uploads, and served at URLs of their own."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from webchat.models import Bot


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def picture(width: int, height: int, kind: str = "PNG") -> SimpleUploadedFile:
    written = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(written, kind)
    return SimpleUploadedFile(f"given.{kind.lower()}", written.getvalue())


def save(owner: Client, bot: Bot, **files: SimpleUploadedFile) -> Any:
    return owner.post(f"/admin/webchat/bot/{bot.pk}/look/", files)


def test_face_and_logo_are_scaled_down_and_shown_on_the_page(admin_client, bot):
    assert save(admin_client, bot, face=picture(800, 400, "JPEG"), logo=picture(2000, 400)).status_code == 302
    page = Client().get("/chat/help/").content.decode()
    for kind, size in (("face", (256, 256)), ("logo", (480, 96))):
        assert f"/chat/help/{kind}.webp?" in page
        answer = Client().get(f"/chat/help/{kind}.webp")
        assert answer["Content-Type"] == "image/webp"
        assert Image.open(io.BytesIO(b"".join(answer.streaming_content))).size == size


@pytest.mark.parametrize(
    ("ground", "lines", "is_lost"),
    [
        ((0, 0, 0, 0), (17, 24, 60, 255), True),
        ((0, 0, 0, 0), (43, 89, 200, 255), False),
        ((255, 255, 255, 255), (17, 24, 60, 255), False),
    ],
)
def test_a_logo_whose_lines_are_lost_on_a_dark_page_gets_a_ground(admin_client, bot, visitor, ground, lines, is_lost):
    drawn, written = Image.new("RGBA", (200, 50), ground), io.BytesIO()
    drawn.paste(lines, (20, 10, 90, 40))
    drawn.save(written, "PNG")
    save(admin_client, bot, logo=SimpleUploadedFile("logo.png", written.getvalue()))
    page = visitor.open()
    assert ("dark" in page.one("section[@data-greeting]/img").get("class").split()) == is_lost
    assert bool(page.all("link[contains(@href, 'dark_logo')]")) == is_lost
    visitor.send("Hello")
    saved = visitor.open("/chat/help/transcript.html").one("header/img")
    assert saved.get("class") == ("logo dark" if is_lost else "logo")


@pytest.mark.parametrize(
    "given", [b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", b"\x89PNG\r\n\x1a\n"]
)
def test_anything_but_a_picture_is_refused_with_a_sentence(admin_client, bot, given):
    answer = save(admin_client, bot, face=SimpleUploadedFile("face.png", given))
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors["face"]
    bot.refresh_from_db()
    assert not bot.face

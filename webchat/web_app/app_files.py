"""What a browser asks for to install a page as an app: the manifest and the service worker."""

import hashlib
import textwrap

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _

from webchat.appearance import color_palette
from webchat.models import Bot

SHORT_NAME = 12  # characters that fit below an icon on a phone
WORKER, NO_WORKER = "webchat/worker.js", "webchat/no_worker.js"


def urls(request: HttpRequest, bot: Bot, **urls: str) -> dict[str, str]:
    """Return what a page names of its app, and let its policy allow the manifest."""
    request.webchat.policy["manifest-src"] = "'self'"
    return {"touch_icon": bot.face_url if bot.face else "", **urls}


def manifest(bot: Bot, start_url: str, **more: object) -> HttpResponse:
    """Return the manifest of the app that begins at `start_url` and holds the pages below it."""
    light, _dark = color_palette.palettes(bot.accent)
    response = JsonResponse(
        {
            "id": start_url,
            "name": bot.name,
            "short_name": textwrap.shorten(bot.name, SHORT_NAME, placeholder="") or bot.name[:SHORT_NAME],
            "description": _("Chat with %(name)s") % {"name": bot.name},
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "start_url": start_url,
            "scope": start_url,
            "display": "standalone",
            "theme_color": light.accent,
            "background_color": color_palette.LIGHT_GROUND,
            "icons": _icons(bot),
            **more,
        },
        content_type="application/manifest+json",
    )
    response["Cache-Control"] = "public, max-age=300"
    response["Vary"] = "Accept-Language, Cookie"
    return response


def _icons(bot: Bot) -> list[dict[str, str]]:
    """Return the bot's face, or its letter. Both fill the square, so that a device may cut any shape out of them."""
    icon = {"src": reverse("app-icon", args=[bot.slug]), "sizes": "any", "type": "image/svg+xml"}
    if bot.face:
        icon = {"src": bot.face_url, "sizes": "256x256", "type": "image/webp"}
    return [icon | {"purpose": purpose} for purpose in ("any", "maskable")]


def worker(request: HttpRequest, bot: Bot | None) -> HttpResponse:
    """Return the service worker; without a bot one that removes itself.

    Browsers install it anew, and with it the offline page, when its text differs: hence the comment.
    """
    with staticfiles_storage.open(WORKER if bot else NO_WORKER) as file:
        script = file.read().decode()
    if bot:
        shown = f"{bot.name} {bot.accent} {request.LANGUAGE_CODE} {staticfiles_storage.url('webchat/chat.css')}"
        script += f"\n// {hashlib.sha256(shown.encode()).hexdigest()}\n"
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response

"""The views of the full page as an app; the portal has its own, with the same files."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from webchat import languages
from webchat.appearance import color_palette
from webchat.conversation.forms import MessageForm
from webchat.conversation.responses import bot_of, conversation_page, post_or_page, private
from webchat.models import Bot
from webchat.web_app import app_files

SHARED = ("title", "text", "url")  # fields of the form that a device posts


@require_safe
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_of(request, slug)
    share = {"action": reverse("app-share", args=[slug]), "method": "POST", "params": {name: name for name in SHARED}}
    return app_files.manifest(bot, bot.get_absolute_url(), share_target=share | {"enctype": "multipart/form-data"})


@require_safe
def icon(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the icon of a bot without a face. As SVG, for the device has a font for the letter, and we have none."""
    bot = get_object_or_404(Bot, slug=slug)
    light, _ = color_palette.palettes(bot.accent)
    response = render(request, "webchat/icon.svg", {"bot": bot, "color": light}, content_type="image/svg+xml")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@require_safe
def worker(request: HttpRequest, slug: str) -> HttpResponse:
    bot = Bot.at(slug)
    languages.activate_language(request, bot)
    return app_files.worker(request, bot)


@require_safe
def offline(request: HttpRequest, slug: str) -> HttpResponse:
    return private(TemplateResponse(request, "webchat/offline.html", {"bot": bot_of(request, slug)}))


@csrf_exempt  # the device's own form has no token, and all it does is to fill in the message box
@post_or_page
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page with what was shared to the app in the message box, unsent."""
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        raise PermissionDenied  # another website: only a device shares
    shared = (request.POST.get(name, "").strip() for name in SHARED)
    form = MessageForm(initial={"message": "\n".join(text for text in shared if text)})
    return conversation_page(request, bot_of(request, slug), form)

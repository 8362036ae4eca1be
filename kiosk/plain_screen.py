"""The kiosk's screen without JavaScript: three pages, and the Refresh header instead of a timer.

The start page, "Touch to start", leads to the visit's page, which leads after some time to "Are you still here?", and
that to the start page again. Showing the start page ends the visit, whoever or whatever opened it.
"""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_safe

from kiosk import devices, visits
from webchat import languages
from webchat.conversation.responses import private, see_other
from webchat.models import Bot

RELOAD_SECONDS = 60  # how often the start page reloads, to show a pause or a change


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the start page, which ends the visit; its button starts the next one."""
    bot = get_object_or_404(Bot, slug=slug)
    device = devices.device_of(request)
    if device is None:
        return redirect("device:screen", slug)
    if device.bot != bot:
        return redirect("device:plain", device.bot.slug)
    if request.method == "POST" and not device.paused:
        chosen = languages.requested_language(request)
        page = reverse("kiosk:page", args=[slug]) + (f"?lang={chosen}" if chosen else "")
        visits.start_next(device)
        rotate_token(request)
        response = see_other(page)
        visits.set_cookies(response, device, is_plain=True)
        return response
    devices.activate_language(request, device)
    device.record_heartbeat()
    context = {"bot": bot, "device": device, "spoken": translation.get_language()}
    response = private(TemplateResponse(request, "kiosk/plain_start.html", context))
    response["Refresh"] = f"{RELOAD_SECONDS}; url={request.path}"  # in the default language
    if visits.is_plain(request, device):
        visits.start_next(device)
        visits.set_cookies(response, device)
    return response


@require_safe
def still_here(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether the visitor is still there; if nobody answers, the start page ends the visit."""
    device = devices.device_of(request)
    if device is None or not visits.is_plain(request, device):
        return redirect("device:plain", slug)
    devices.activate_language(request, device)
    response = private(TemplateResponse(request, "kiosk/plain_still_here.html", {"bot": device.bot}))
    response["Refresh"] = f"{device.warning_seconds}; url={reverse('device:plain', args=[slug])}"
    return response

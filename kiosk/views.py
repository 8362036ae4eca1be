"""The kiosk's screen, a page that stays open for weeks, and the requests it makes."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token, rotate_token
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import translation
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from kiosk import config_fingerprint, devices, visits
from kiosk.models import Device
from webchat import languages
from webchat.conversation.responses import private
from webchat.models import Bot


@require_safe
@ensure_csrf_cookie
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(Bot, slug=slug)
    device = devices.device_of(request)
    if device is None:
        _activate_language(request, bot)
        return _enrolment(request, bot)
    if device.bot != bot:
        return redirect(device)
    _activate_language(request, bot, device)
    context = {
        "bot": bot,
        "device": device,
        "version": config_fingerprint.fingerprint_of(device),
        "spoken": translation.get_language(),
    }
    response = private(TemplateResponse(request, "kiosk/screen.html", context))
    request.webchat.policy = {"frame-src": "'self'"}  # the visit's page
    request.webchat.permissions = devices.permissions(device)
    return response


@require_POST
def enrol(request: HttpRequest, slug: str) -> HttpResponse:
    """Enrol this device with the code from the desk."""
    bot = get_object_or_404(Bot, slug=slug)
    found = Device.objects.enrol(request.POST.get("code", ""))
    if found is None:
        _activate_language(request, bot)
        return _enrolment(request, bot, is_refused=True)
    device, token = found
    response = private(redirect(device))
    devices.remember(response, token)
    return response


@require_POST
def visit(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the next visit and clear the cookies of the last one."""
    device = devices.device_of(request)
    if device is None:
        return JsonResponse({"enrolled": False}, status=403)
    visits.begin(device)
    rotate_token(request)
    response = private(JsonResponse({"csrf": get_token(request)}))
    response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    response.delete_cookie("theme", samesite="Lax")
    response.set_cookie(visits.COOKIE, str(device.visit), secure=settings.HTTPS, httponly=True, samesite="Strict")
    return response


@require_safe
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the screen's heartbeat with its configuration and record that it is there."""
    device = devices.device_of(request)
    if device is None:
        return private(JsonResponse({"enrolled": False}, status=403))
    device.record_heartbeat()
    answer = {
        "version": config_fingerprint.fingerprint_of(device),
        "paused": device.paused,
        "address": device.get_absolute_url(),
    }
    response = private(JsonResponse(answer))
    devices.remember(response, request.COOKIES[devices.COOKIE])
    return response


def _enrolment(request: HttpRequest, bot: Bot, *, is_refused: bool = False) -> HttpResponse:
    context = {"bot": bot, "is_refused": is_refused, "example": "ABCD 2345"}
    return private(TemplateResponse(request, "kiosk/enrolment.html", context, status=422 if is_refused else 200))


def _activate_language(request: HttpRequest, bot: Bot, device: Device | None = None) -> None:
    """Activate the language that the visitor chose, else the device's, the bot's or the browser's."""
    chosen = languages.requested_language(request) or (device and device.language) or languages.of_bot(bot)
    if chosen:
        translation.activate(chosen)
        request.LANGUAGE_CODE = chosen

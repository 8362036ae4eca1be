"""The kiosk's screen, a page that stays open for weeks, and the requests it makes."""

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
        return _enrolment(request, bot)
    if device.bot != bot:
        return redirect(device)
    devices.activate_language(request, device)
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
        return _enrolment(request, bot, is_refused=True)
    device, token = found
    response = private(redirect(device))
    devices.set_cookie(response, token)
    return response


@require_POST
def visit(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the next visit and clear the cookies of the last one."""
    device = devices.device_of(request)
    if device is None:
        return JsonResponse({"enrolled": False}, status=403)
    visits.start_next(device)
    rotate_token(request)
    response = private(JsonResponse({"csrf": get_token(request)}))
    visits.set_cookies(response, device)
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
    devices.set_cookie(response, request.COOKIES[devices.COOKIE])
    return response


def _enrolment(request: HttpRequest, bot: Bot, *, is_refused: bool = False) -> HttpResponse:
    languages.activate_language(request, bot)  # that of the visitor who was there when the enrolment ended
    has_ended = devices.COOKIE in request.COOKIES
    context = {"bot": bot, "is_refused": is_refused, "has_ended": has_ended, "example": "ABCD 2345"}
    return private(TemplateResponse(request, "kiosk/enrolment.html", context, status=422 if is_refused else 200))

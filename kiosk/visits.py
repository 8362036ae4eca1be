"""Separates the visitors of one screen: each visit has its own session, which is deleted when it ends.

The session key is derived from the device and the number of the visit. So no cookie holds it, the visit's data are
found when it ends, and a late request is recognised as one of a past visit.
"""

import hmac
from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from kiosk import devices
from kiosk.models import Device
from webchat.conversation.responses import allow_frames
from webchat.conversation.visitor_session import SessionStore, visitor_behind
from webchat.limits import rates
from webchat.models import Conversation, Surface

COOKIE = f"{settings.COOKIE_PREFIX}visit"
PLAIN_SUFFIX = "-plain"  # of the cookie's value: the visit is a page without JavaScript, not in the screen's frame
PLAIN_MIN_IDLE = 120  # seconds until such a page is replaced: it can't tell whether the visitor is typing
PAST_VISITS = 3  # that are cleaned up again: a late message may have started a conversation after its visit ended


def start_next(device: Device) -> None:
    """Start the next visit; delete the last one's session and end its conversations."""
    device.start_next_visit()
    keys = [_session_key(device, number) for number in range(max(0, device.visit - PAST_VISITS), device.visit)]
    Conversation.objects.end_all_of([visitor_behind(key) for key in keys])
    for key in keys:
        SessionStore().delete(key)


def set_cookies(response: HttpResponse, device: Device, *, is_plain: bool = False) -> None:
    """Set the visit's cookie and clear those of the last visit."""
    for name in (settings.LANGUAGE_COOKIE_NAME, "theme"):
        response.delete_cookie(name, samesite="Lax")
    value = f"{device.visit}{PLAIN_SUFFIX if is_plain else ''}"
    response.set_cookie(COOKIE, value, secure=settings.HTTPS, httponly=True, samesite="Strict")


def is_plain(request: HttpRequest, device: Device) -> bool:
    """Return whether the device's current visit is a page without JavaScript."""
    return request.COOKIES.get(COOKIE) == f"{device.visit}{PLAIN_SUFFIX}"


@receiver(pre_delete, sender=Device)
def end_visit_of_deleted_kiosk(instance: Device, **_more: object) -> None:
    """End the visit when its kiosk is deleted, by whatever means: otherwise its visitor would stay in the queue."""
    start_next(instance)


class VisitMiddleware:
    """Admits only the current visit of an enrolled device to the conversation, with its own session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def process_view(
        self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict[str, object]
    ) -> HttpResponse | None:
        if request.resolver_match.namespace != Surface.KIOSK:
            return None
        device = devices.device_of(request)
        if device and is_plain(request, device):
            if device.paused:
                return redirect("device:plain", kwargs["slug"])
            device.record_heartbeat()
        # Outside the screen's frame nothing would clear the page.
        elif request.headers.get("Sec-Fetch-Dest") == "document":
            return redirect("device:screen", kwargs["slug"])
        elif not device or request.COOKIES.get(COOKIE) != str(device.visit):
            raise Http404
        if device.paused and request.method == "POST":  # its screen says so
            raise Http404
        request.webchat.session_key = _session_key(device, device.visit)
        request.session = SessionStore(request.webchat.session_key)
        request.webchat.language = device.language
        request.webchat.limits = [rates.Limit(f"kiosk:{device.pk}", device.messages_per_minute)]
        request.webchat.device = device
        return None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        browser_session = request.session
        response = self.get_response(request)
        on_a_kiosk = request.resolver_match is not None and request.resolver_match.namespace == Surface.KIOSK
        if not on_a_kiosk or request.session is browser_session:
            return response
        visit_session, request.session = request.session, browser_session  # so that no session cookie is set
        if visit_session.modified and not visit_session.is_empty():
            try:
                visit_session.save()
            except UpdateError as error:
                raise SessionInterrupted("The visit has ended.") from error
        allow_frames(request, response, ["'self'"])
        device = request.webchat.device
        request.webchat.permissions = devices.permissions(device)
        if is_plain(request, device):
            idle = max(device.idle_seconds, PLAIN_MIN_IDLE)
            response["Refresh"] = f"{idle}; url={reverse('device:still-here', args=[device.bot.slug])}"
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        patch_vary_headers(response, ["Cookie"])
        return response


def _session_key(device: Device, number: int) -> str:
    seed = f"kiosk\0{device.pk}\0{number}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), seed, "sha256").hexdigest()[:32]

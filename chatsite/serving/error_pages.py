"""Error pages. If the site itself has failed, they read neither the form nor the database."""

import sys
from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.response import TemplateResponse

from chatsite.monitoring import logs
from desk.access import unsent
from webchat import error_views
from webchat.conversation.responses import surface_url


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, DisallowedHost) and _comes_from_this_machine(request):
        host = request.META.get("HTTP_HOST", "")[:200]
        allowed = ", ".join(settings.ALLOWED_HOSTS)
        context = {"advice": f"The host {host!r} is not in ALLOWED_HOSTS, which is: {allowed}.", "status": 400}
        return TemplateResponse(request, "400.html", context, status=400).render()
    return error_views.bad_request(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return unsent.keep_expired(request) or error_views.csrf_failure(request)


RETRY_AFTER = 5  # seconds, while the database can't be reached


def server_error(request: HttpRequest) -> HttpResponse:
    """Show the id that is in every log line of this request; 503 while the database is away, busy or full."""
    is_away = isinstance(sys.exception(), OperationalError | InterfaceError)
    status = 503 if is_away else 500
    desk = error_views.desk_of(request)
    context = {"request_id": logs.request_id.get(), "status": status, "desk": desk} | _bot_of(request)
    headers = {"Retry-After": str(RETRY_AFTER)} if is_away else None
    try:
        return TemplateResponse(request, "500.html", context, status=status, headers=headers).render()
    except Exception:  # noqa: BLE001 - whatever broke the page may break its error page too
        return HttpResponseServerError(f"Something went wrong. {context['request_id']}\n", content_type="text/plain")


class WrongMethodMiddleware:
    """Shows a page instead of Django's empty 405, as when a form's address is reloaded or opened from a bookmark."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.content or "text/html" not in request.headers.get("Accept", ""):
            return response
        page = error_views.wrong_method(request)
        page["Allow"] = response["Allow"]
        return page


def _bot_of(request: HttpRequest) -> dict[str, object]:
    """Return the bot that the view had found before it failed, and the link back to its page."""
    bot = request.webchat.bot if hasattr(request, "webchat") else None
    return {"bot": bot, "back": surface_url(request, "page", bot.slug)} if bot else {}


def _comes_from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine and not through a proxy."""
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    try:
        return not forwarded and ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False

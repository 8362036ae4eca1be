"""Middleware: whatever a request says of times is in the site's time zone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from webchat import site


class TimeZoneMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = site.time_zone()
        if zone is None:
            return self.get_response(request)
        with timezone.override(zone):
            return self.get_response(request)

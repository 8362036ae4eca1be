"""Request ids, and the endpoints /healthz, /readyz and /metrics."""

import hmac
import re
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse

from chatsite.monitoring import logs, readiness

HEADER = "X-Request-ID"
_VALID_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

Responder = Callable[[HttpRequest], HttpResponse]


class MonitoringMiddleware:
    """Gives each request an id for its response and log lines, counts it, and answers /healthz, /readyz and /metrics.

    Not in urls.py: monitoring uses the machine's IP address, which isn't in ALLOWED_HOSTS, and needs neither session
    nor language. Behind a proxy, the proxy's id is used.
    """

    def __init__(self, get_response: Responder) -> None:
        self.get_response = get_response
        self.answers = {"/healthz": _health, "/readyz": _readiness, "/metrics": _metrics}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "") if settings.BEHIND_PROXY else ""
        name = given if _VALID_ID.fullmatch(given) else secrets.token_urlsafe(12)
        answer = self.answers.get(request.path_info) if request.method in ("GET", "HEAD") else None
        before = logs.request_id.set(name)
        try:
            response = answer(request) if answer else self.get_response(request)
        finally:
            logs.request_id.reset(before)
        response.headers[HEADER] = name
        if answer:
            response.headers["Cache-Control"] = "no-store"
        elif settings.METRICS_TOKEN:
            from chatsite.monitoring import metrics

            metrics.count_request(request.method, response.status_code)
        return response


def _health(request: HttpRequest) -> HttpResponse:
    """Report that this process answers; an unreachable database is no reason to restart it."""
    return HttpResponse("ok\n", content_type="text/plain")


def _readiness(request: HttpRequest) -> HttpResponse:
    """Report whether this process can serve visitors. No bot is asked: that might cost a message."""
    found = readiness.run_checks()
    ready = all(found.values())
    return JsonResponse({"ready": ready, "checks": found}, status=200 if ready else 503)


def _metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to clients with the token; others get 404."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), wanted.encode()):
        return HttpResponseNotFound("Not Found\n", content_type="text/plain")
    from chatsite.monitoring import metrics

    return HttpResponse(metrics.render(), content_type=metrics.CONTENT_TYPE)

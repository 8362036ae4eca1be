"""The response headers that say what a page may load, and who may frame it: CSP and its kin, per surface."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Each exception from 'none' has its reason.
CONTENT_SECURITY_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",  # htmx and our own modules, as files
    "style-src": "'self'",  # our own style sheet, as a file
    "img-src": "'self'",  # the bot's face, the icon
    "connect-src": "'self'",  # htmx posts messages and asks for replies
    "form-action": "'self'",  # the composer without JavaScript
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"


class SecurityHeadersMiddleware:
    """Puts the policy on every response, errors and static files too; a view may widen its own beforehand."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{directive} {sources}" for directive, sources in CONTENT_SECURITY_POLICY.items())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

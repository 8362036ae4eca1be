"""The response headers that say what a page may load, and who may frame it: CSP and its kin, per surface."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Each exception from 'none' has its reason.
CONTENT_SECURITY_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",  # htmx and our own modules, as files
    "style-src": "'self'",  # our own style sheets, as files; within a page those that it names
    "img-src": "'self'",  # the bot's face, the icon
    "connect-src": "'self'",  # htmx posts messages and asks for replies
    "form-action": "'self'",  # the composer without JavaScript
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

# What a page may use of the machine: nothing, but for what its view says in `response.permissions`.
PERMISSIONS = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


class SecurityHeadersMiddleware:
    """Puts the policy on every response, errors and static files too.

    A view whose page may stand in a frame says in whose: `response.frame_ancestors`, a list of sources. One that needs
    more of the policy says what: `response.policy`, directives with their sources. One whose page hears the visitor
    says so: `response.permissions = ["microphone"]`. A style sheet within the page is let in by its fingerprint, which
    the page has put into `request.styles_within`. One whose answer other sites' pages load (the launcher) sets
    Cross-Origin-Resource-Policy itself; a frame's page is no such answer, browsers let it in anyway.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = _policy({})

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        framed_by = getattr(response, "frame_ancestors", [])
        more = getattr(response, "policy", {})
        if framed_by:
            more = more | {"frame-ancestors": " ".join(framed_by)}
        if styles := getattr(request, "styles_within", []):
            own = CONTENT_SECURITY_POLICY["style-src"]
            more = more | {"style-src": " ".join([own, *(f"'{style}'" for style in styles)])}
        response.headers.setdefault("Content-Security-Policy", _policy(more) if more else self.policy)
        response.headers.setdefault("Permissions-Policy", _permissions(getattr(response, "permissions", [])))
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


def _policy(more: dict[str, str]) -> str:
    directives = CONTENT_SECURITY_POLICY | more
    return "; ".join(f"{directive} {sources}" for directive, sources in directives.items())


def _permissions(allowed: list[str]) -> str:
    return ", ".join(f"{name}=({'self' if name in allowed else ''})" for name in PERMISSIONS)

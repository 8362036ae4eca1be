"""Security headers: what a page may load, which browser features it may use, and who may frame it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from webchat.conversation.request_context import RequestContext

# Each exception from 'none' has its reason.
CONTENT_SECURITY_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",  # htmx and our own modules, as files
    "style-src": "'self'",  # our own style sheets, as files; inside a page, those whose hash it lists
    "img-src": "'self'",  # the bot's face, the icon
    "connect-src": "'self'",  # htmx posts messages and asks for replies
    "form-action": "'self'",  # the composer without JavaScript
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

# Browser features denied unless a view lists them in `request.webchat.permissions`.
PERMISSIONS = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


class SecurityHeadersMiddleware:
    """Adds the policy to every response, errors and static files included, and creates `request.webchat`.

    There a view sets who may frame its page (`frame_ancestors`), what else the policy allows (`policy`) and which
    browser permissions it needs (`permissions`); templates add the style sheets in the page (`styles`). A view whose
    response other sites load (the launcher) sets Cross-Origin-Resource-Policy itself; framed pages don't need it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy, self.permissions = _policy({}), _permissions([])

    def __call__(self, request: HttpRequest) -> HttpResponse:
        context = request.webchat = RequestContext()
        response = self.get_response(request)
        more = dict(context.policy)
        if context.frame_ancestors:
            more["frame-ancestors"] = " ".join(context.frame_ancestors)
        if context.styles:
            own = CONTENT_SECURITY_POLICY["style-src"]
            more["style-src"] = " ".join([own, *(f"'{style}'" for style in context.styles)])
        response.headers.setdefault("Content-Security-Policy", _policy(more) if more else self.policy)
        allowed = context.permissions
        response.headers.setdefault("Permissions-Policy", _permissions(allowed) if allowed else self.permissions)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


def _policy(more: dict[str, str]) -> str:
    directives = CONTENT_SECURITY_POLICY | more
    return "; ".join(f"{directive} {sources}" for directive, sources in directives.items())


def _permissions(allowed: list[str]) -> str:
    return ", ".join(f"{name}=({'self' if name in allowed else ''})" for name in PERMISSIONS)

"""Sessions and CSRF protection in another site's frame, without any cookie: a signed token in a header.

Browsers block or partition cookies there. The frame keeps the token in its own storage, which is partitioned as well;
without JavaScript it is a hidden field. It is never part of a URL. Other sites' POSTs are recognised by Sec-Fetch-Site,
else by Origin, else refused.
"""

import secrets
import string

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import signing
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.module_loading import import_string

from webchat.conversation.visitor_session import delete_start, visitor_behind
from webchat.models import Surface
from webchat.origins import parts_of

HEADER = "Webchat-Session"
FIELD = "session"
_SALT = "webchat frame session"
_LETTERS = string.ascii_lowercase + string.digits


def in_frame(request: HttpRequest) -> bool:
    return request.path_info.startswith(f"/{Surface.EMBED}/")


class FrameSessionMiddleware(SessionMiddleware):
    """Django's sessions; in a frame their key comes and goes as a token instead of a cookie.

    A page that comes without one gets a new key; nothing is stored before the first message.
    """

    def process_request(self, request: HttpRequest) -> None:
        if not in_frame(request):
            super().process_request(request)
            return
        key = _read(_token_of(request)) or "".join(secrets.choice(_LETTERS) for _ in range(32))
        use_session(request, self.SessionStore(key))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not in_frame(request):
            response = super().process_response(request, response)
            delete_start(request, response)
            return response
        if request.session.modified and not request.session.is_empty() and response.status_code < 500:
            request.session.save()
        if request.method == "POST" and request.session.session_key:
            response[HEADER] = request.webchat.frame_token
        return response


def use_session(request: HttpRequest, session: SessionBase) -> None:
    """Let this request of the frame, and its next ones, use this session."""
    request.session, request.webchat.session_key = session, session.session_key
    request.webchat.frame_token = signing.dumps(request.webchat.session_key, salt=_SALT)


class FrameCsrfMiddleware(CsrfViewMiddleware):
    """Django's CSRF protection needs a cookie.

    In a frame the browser's own headers say where a request comes from.
    """

    def process_view(self, request: HttpRequest, view: object, args: tuple, kwargs: dict) -> HttpResponse | None:
        if not in_frame(request):
            return super().process_view(request, view, args, kwargs)
        if request.method in ("GET", "HEAD", "OPTIONS") or _comes_from_here(request):
            return None
        return import_string(settings.CSRF_FAILURE_VIEW)(request, reason="from another site")


def _comes_from_here(request: HttpRequest) -> bool:
    fetch_site = request.headers.get("Sec-Fetch-Site")
    if fetch_site:
        return fetch_site == "same-origin"
    origin = parts_of(request.headers.get("Origin", ""))
    return bool(origin.netloc) and origin.netloc == request.get_host() and origin.scheme == request.scheme


def _token_of(request: HttpRequest) -> str:
    try:
        return request.headers.get(HEADER) or request.POST.get(FIELD, "")
    except RequestDataTooBig:
        return ""


def visitor_behind_token(token: str) -> str | None:
    """Return the visitor of a session that belongs to no known customer."""
    key = _read(token)
    return visitor_behind(key) if key else None


def _read(token: str) -> str | None:
    """Return the session's key; None for a token that is not ours or too old."""
    try:
        key = signing.loads(token, salt=_SALT, max_age=settings.SESSION_COOKIE_AGE)
    except signing.BadSignature:
        return None
    return key if isinstance(key, str) else None

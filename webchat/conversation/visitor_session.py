"""The visitor behind a request: known by the session's cookie, stored only as a hash."""

import hashlib
import secrets
from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import CreateError, SessionBase
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

SessionStore = import_module(settings.SESSION_ENGINE).SessionStore

START = f"{settings.COOKIE_PREFIX}start"
_START_SALT = "webchat start"
_START_SECONDS = 30 * 60  # from the page to the first message

SEEN = "seen"  # the day of the last message: the session lives on while it is used
# The visitor's hash, kept in the session: signing in changes the session's key, but not the visitor.
VISITOR = "visitor"


def visitor_of(request: HttpRequest) -> str | None:
    """Return the visitor's hash; None before the first message and after the session has expired.

    `request.webchat.customer`: who has signed in, in the portal.
    """
    if request.webchat.customer is not None:
        return request.webchat.customer.visitor
    if (
        request.session.session_key is None
        and request.webchat.session_key is None
        and not request.webchat.has_searched_session
    ):
        _find_session(request)
    if not request.session.session_key or SEEN not in request.session:
        return None
    return _visitor_in(request.session)


def ensure_visitor(request: HttpRequest) -> str:
    """Return the visitor's hash, and create the session if this is a browser's first message.

    Two first messages at once (two tabs, a doubled request) must get the same session. Otherwise each response sets a
    cookie, and the visitor could never reach the message of the session whose cookie is overwritten. So the session's
    key is derived from a cookie that the page has set before, see `offer_start`.
    """
    if request.webchat.customer is not None:
        return request.webchat.customer.visitor
    # First: reading the session drops the key of one that has expired or isn't stored yet, as a frame's.
    visitor = visitor_of(request)
    if visitor is None and request.session.session_key is None:  # an owner at the desk has one already
        _create_session(request)
    visitor = visitor or _visitor_in(request.session)
    today = timezone.now().date().isoformat()
    if request.session.get(SEEN) != today:
        request.session[VISITOR], request.session[SEEN] = visitor, today
    return visitor


def future_visitor(request: HttpRequest) -> str | None:
    """Return the hash that a browser without a session will have after its first message; None if not known yet."""
    key = request.webchat.session_key
    return visitor_behind(key) if key else visitor_of(request)


def visitor_mark(request: HttpRequest) -> str:
    """Return a hash that tells this visitor's pages from the next visitor's in this browser; it identifies nobody."""
    whose = visitor_of(request) or request.webchat.start_value or _start_of(request) or ""
    return salted_hmac("webchat mark", whose).hexdigest()[:16]


def offer_start(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie from which the first message's session is derived; nothing is stored before that message.

    It is in no page, scripts can't read it, and it is deleted once there is a session.
    """
    if request.session.session_key is None and request.webchat.session_key is None:
        request.webchat.start_value = _start_of(request) or secrets.token_urlsafe(16)
        response.set_signed_cookie(
            START,
            request.webchat.start_value,
            salt=_START_SALT,
            max_age=_START_SECONDS,
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )


def delete_start(request: HttpRequest, response: HttpResponse) -> None:
    if START in request.COOKIES and request.session.session_key:
        response.delete_cookie(START, samesite="Lax")


def start_session_as(visitor: str) -> SessionBase:
    """Start a new session for a visitor whose identity is known."""
    session = SessionStore()
    session[SEEN], session[VISITOR] = timezone.now().date().isoformat(), visitor
    session.create()
    return session


def _visitor_in(session: SessionBase) -> str:
    return session.get(VISITOR) or visitor_behind(session.session_key)


def visitor_behind(session_key: str) -> str:
    """Return the visitor's hash of the session with this key."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def _start_of(request: HttpRequest) -> str | None:
    return request.get_signed_cookie(START, default=None, salt=_START_SALT, max_age=_START_SECONDS)


def _key_after(start: str) -> str:
    return hashlib.sha256(f"session\0{start}".encode()).hexdigest()[:32]


def _find_session(request: HttpRequest) -> None:
    """Find the session of a browser that was reloaded or cut off before it got the response with the cookie."""
    request.webchat.has_searched_session = True
    if start := _start_of(request):
        session = SessionStore(_key_after(start))
        if SEEN in session:
            session.modified = True  # so that the cookie is set
            request.session = session


def _create_session(request: HttpRequest) -> None:
    own_key = request.webchat.session_key
    start = None if own_key else _start_of(request)
    if not own_key and not start:
        request.session.create()
        return
    session = SessionStore(own_key or _key_after(start))
    session.clear()  # without loading it: it isn't stored yet, and loading would drop the key
    # Not derived from the start cookie: if that is replayed after the session has ended, it must be another visitor's.
    visitor = visitor_behind(own_key or secrets.token_hex())
    session[SEEN], session[VISITOR] = timezone.now().date().isoformat(), visitor
    try:
        session.save(must_create=True)  # now: the response may take a minute, or never arrive
    except CreateError:
        session = _made_meanwhile(session.session_key)
    request.session = session


def _made_meanwhile(key: str) -> SessionBase:
    """Return the session that another request made first, or a new one if a session of that key has expired."""
    session = SessionStore(key)
    session[SEEN] = timezone.now().date().isoformat()
    if session.session_key is None:
        session.create()
    session[VISITOR] = _visitor_in(session)
    session.save()
    return session

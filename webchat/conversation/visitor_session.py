"""Whose conversation is it: the visitor behind a request, known by the session's cookie, stored only as a hash."""

import datetime
import hashlib
import hmac
from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import CreateError, SessionBase
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.utils import timezone

SessionStore = import_module(settings.SESSION_ENGINE).SessionStore

SEEN = "seen"  # the day of the last message: the session lives on while it is used
# The visitor's hash, kept in the session: signing in changes the session's key, the visitor stays who it was.
VISITOR = "visitor"


def visitor_of(request: HttpRequest) -> str | None:
    """The visitor's hash, or None before the first message and after the session has expired.

    `request.webchat.person`: in the portal, whoever has signed in.
    """
    if request.webchat.person is not None:
        return request.webchat.person.visitor
    if request.session.session_key is None and request.webchat.session_key is None:
        _find(request, timezone.now().date())
    if not request.session.session_key or SEEN not in request.session:
        return None
    return _visitor(request.session)


def visitor_who_sends(request: HttpRequest) -> str:
    """The visitor's hash; the first message of a browser makes the session.

    Two first messages at once (two tabs, a doubled request) must come to the same session: each answer sets a cookie,
    and the message behind the one that is overwritten would be out of its visitor's reach. So the new session's key
    is derived from the CSRF cookie, which the page had set before.
    """
    if request.webchat.person is not None:
        return request.webchat.person.visitor
    today = timezone.now().date()
    if visitor_of(request) is None and request.session.session_key is None:  # an owner at the desk has one already
        _begin(request, _key_to_be(request, today))
    if request.session.get(SEEN) != today.isoformat():
        request.session[VISITOR] = _visitor(request.session)
        request.session[SEEN] = today.isoformat()
    return _visitor(request.session)


def visitor_to_be(request: HttpRequest) -> str | None:
    """Who somebody without a session is after the first message, if that can be told before."""
    key = _key_to_be(request, timezone.now().date())
    return visitor_behind(key) if key else None


def begin_as(visitor: str) -> SessionBase:
    """A session of its own for somebody who has said who they are."""
    session = SessionStore()
    session[SEEN], session[VISITOR] = timezone.now().date().isoformat(), visitor
    session.create()
    return session


def forget(request: HttpRequest) -> None:
    """The next message comes from a stranger, even within the same browser."""
    request.session.flush()
    rotate_token(request)


def _visitor(session: SessionBase) -> str:
    return session.get(VISITOR) or visitor_behind(session.session_key)


def visitor_behind(session_key: str) -> str:
    """The hash of whoever has the session of this key."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def _key_to_be(request: HttpRequest, day: datetime.date) -> str | None:
    return request.webchat.session_key or _derived_key(request, day)


def _derived_key(request: HttpRequest, day: datetime.date, secret: str = "") -> str | None:
    csrf_cookie = request.META.get("CSRF_COOKIE")
    if not csrf_cookie:
        return None
    seed = f"session\0{csrf_cookie}\0{day}".encode()
    return hmac.new((secret or settings.SECRET_KEY).encode(), seed, hashlib.sha256).hexdigest()[:32]


def _find(request: HttpRequest, day: datetime.date) -> None:
    """The session of a browser that was reloaded, or cut off, before the answer with its cookie came."""
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        key = _derived_key(request, day, secret)
        session = SessionStore(key)
        if key and SEEN in session:
            session.modified = True  # so that the cookie is set
            request.session = session
            return


def _begin(request: HttpRequest, key: str | None) -> None:
    if key is None:
        request.session.create()
        return
    session = SessionStore(key)
    session.clear()  # without looking for what isn't there yet, which would drop the key
    session[SEEN], session[VISITOR] = timezone.now().date().isoformat(), visitor_behind(key)
    try:
        session.save(must_create=True)  # now, because the answer may take a minute and never arrive
    except CreateError:
        session = _begun(key)
    request.session = session


def _begun(key: str) -> SessionBase:
    """The other request was first; or a session of that key has expired, and another one begins."""
    session = SessionStore(key)
    session[SEEN] = timezone.now().date().isoformat()
    if session.session_key is None:
        session.create()
    session[VISITOR] = _visitor(session)
    session.save()
    return session

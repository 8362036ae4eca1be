"""In which language the page around a conversation speaks: `?lang=`, then the bot's own, then the visitor's browser."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from webchat.models import Bot


def asked_for(request: HttpRequest) -> str | None:
    """The language that the address names, or the form of a frame, if it is spoken here: also `pt-BR`, `zh-CN`."""
    return _spoken(request.GET.get("lang") or request.POST.get("lang", ""))


def speak(request: HttpRequest, bot: Bot | None = None) -> None:
    """Activates the language for the rest of the request; LocaleMiddleware has put the browser's in place before."""
    kept = _spoken(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    chosen = asked_for(request) or kept or request.webchat.language or (bot.language if bot else "")
    if chosen:
        translation.activate(chosen)
        request.LANGUAGE_CODE = chosen


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """`?lang=` also holds for what the page asks for later, and for the next visit."""
    chosen = asked_for(request)
    if chosen:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=60 * 60 * 24 * 365,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )


def _spoken(code: str) -> str | None:
    try:
        return translation.get_supported_language_variant(code)
    except LookupError:
        return None

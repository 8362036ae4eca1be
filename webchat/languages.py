"""Chooses the language of a page: `?lang=`, the visitor's earlier choice, the bot's language, then the browser's."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from webchat.models import Bot


def requested_language(request: HttpRequest) -> str | None:
    """Return the supported language that `?lang=` or a frame's form names, if any, also for `pt-BR` or `zh-CN`."""
    return _supported(request.GET.get("lang") or request.POST.get("lang", ""))


def activate_language(
    request: HttpRequest, bot: Bot | None = None, *, reads_form: bool = True, reads_cookie: bool = True
) -> None:
    """Activate the language for the rest of the request; LocaleMiddleware has already activated the browser's.

    Without `reads_form` for error pages, whose form may be what can't be read.
    """
    requested = requested_language(request) if reads_form else _supported(request.GET.get("lang", ""))
    kept = _supported(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")) if reads_cookie else None
    chosen = requested or kept or request.webchat.language
    # The browser's language stays if the bot has words in it.
    if not chosen and bot and not (bot.languages and translation.get_language() in bot.more_languages):
        chosen = bot.language
    if chosen:
        translation.activate(chosen)
        request.LANGUAGE_CODE = chosen


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Store `?lang=` in a cookie, for later requests of the page and for the next visit."""
    chosen = requested_language(request)
    if chosen:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=60 * 60 * 24 * 365,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )


def _supported(code: str) -> str | None:
    try:
        return translation.get_supported_language_variant(code) if code else None
    except LookupError:
        return None

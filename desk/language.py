"""The language in which the desk is shown, its reader's own, and times in it."""

import datetime
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.formats import date_format

from webchat import languages

ENGLISH = "en-gb"  # date formats: chatsite/formats/en_GB; visitors' pages use "en"


def in_own_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Render the view in the language that its reader has chosen, else in the browser's."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        languages.activate_language(request)
        language = translation.get_language()
        with translation.override(ENGLISH if language == settings.LANGUAGE_CODE else language):
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response.render()
        languages.remember(request, response)
        return response

    return wrapped


def moment(at: datetime.datetime) -> str:
    """Write a time as everywhere on the desk: 24 Nov 2026, 12:47."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")

"""OpenID Connect, by django-allauth: its two views, and what the visitor reads when it came to nothing."""

import logging
from collections.abc import Callable

import requests
from allauth.socialaccount.providers.openid_connect import views
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from webchat import languages
from webchat.conversation.responses import private

logger = logging.getLogger(__name__)


@login_not_required
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _unless_the_provider_is_away(views.login, request, provider_id)


@login_not_required
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _unless_the_provider_is_away(views.callback, request, provider_id)


@login_not_required
def failed(request: HttpRequest) -> HttpResponse:
    """Also where allauth leads whoever changes their mind."""
    languages.speak(request)
    return private(TemplateResponse(request, "portal/refused.html", status=403))


def _unless_the_provider_is_away(view: Callable, request: HttpRequest, provider_id: str) -> HttpResponse:
    try:
        response = view(request, provider_id)
    except (requests.RequestException, KeyError) as error:  # away, or it says of itself less than it has to
        logger.error("openid provider unusable error=%s", type(error).__name__)
        return failed(request)
    if response.status_code == 404:
        raise Http404
    # Its own page for what went wrong is in its own looks.
    return failed(request) if response.status_code == 200 else private(response)

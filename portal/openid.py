"""OpenID Connect sign-in: django-allauth's views with our error page."""

import logging

import requests
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.openid_connect import views
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ImproperlyConfigured
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import provider
from webchat import languages
from webchat.conversation.responses import private

logger = logging.getLogger(__name__)
CAME_FROM = "openid_came_from"  # in the session: the page that the sign-in leads to, of the desk or the portal
# What allauth's views raise if the provider is unreachable or answers nonsense; the last two for what can't be stored.
UNUSABLE = (requests.RequestException, KeyError, TypeError, ValueError, AttributeError, ImproperlyConfigured, DataError)


@login_not_required
@require_POST
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Send the browser to the provider, always to sign in: allauth's own view takes the purpose from the URL.

    The redirect is a page of ours, because `form-action` in our policy forbids forms that redirect to other sites.
    With `again`, whoever is signed in signs in there once more, to confirm that it is them.
    """
    languages.activate_language(request)
    options: dict[str, object] = {"next_url": get_next_redirect_url(request)}
    request.session[CAME_FROM] = options["next_url"] or ""
    try:
        app = get_adapter().get_provider(request, provider=provider_id)
        if "again" in request.POST and request.user.is_authenticated:
            options |= {
                "data": provider.confirmation_state(request),
                "auth_params": app.get_auth_params() | provider.ASK_AGAIN,
            }
        redirect = app.redirect(request, process=AuthProcess.LOGIN, **options)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    except UNUSABLE as error:
        return _unusable(request, error)
    if "Location" not in redirect:
        return failed(request)
    return private(TemplateResponse(request, "portal/to_provider.html", {"url": redirect["Location"]}))


@login_not_required
@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    try:
        response = views.callback(request, provider_id)
    except UNUSABLE as error:
        return _unusable(request, error)
    if response.status_code == 404:
        raise Http404
    # Anything but a redirect is allauth's own page for what went wrong.
    return private(response) if response.status_code == 302 else failed(request)


@login_not_required
def failed(request: HttpRequest) -> HttpResponse:
    """Show that the sign-in failed or was cancelled, with the way back to where it began."""
    languages.activate_language(request)
    back = request.session.get(CAME_FROM) or reverse("portal-sign-in")
    context = {"provider": settings.OIDC_NAME, "back": back}
    return private(TemplateResponse(request, "portal/not_signed_in.html", context, status=403))


def _unusable(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.error("openid provider unusable error=%s", type(error).__name__)
    return failed(request)

"""Requires sign-in for the portal and tells webchat which customer's conversations to show."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from portal.appearance import portal_bot
from portal.signing_in import customer_of
from webchat import languages, origins
from webchat.conversation.responses import private

PREFIX = "/portal/"


class PortalMiddleware(MiddlewareMixin):
    """Runs before the CSRF check: after a sign-out in another tab people are asked to sign in, not told about cookies.

    Public views are marked with Django's `login_not_required`.
    """

    def process_view(self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict) -> HttpResponse | None:
        if not request.path_info.startswith(PREFIX) or not getattr(view, "login_required", True):
            return None
        request.webchat.customer = customer_of(request)
        if request.webchat.customer is not None:
            return None
        return _keep_text(request) or _redirect_to_sign_in(request)


def _keep_text(request: HttpRequest) -> HttpResponse | None:
    """Return a page with the message that was sent without JavaScript; nothing is stored for whoever isn't known."""
    text = request.POST.get("message")
    if request.htmx or not text:
        return None
    bot = portal_bot()
    languages.activate_language(request, bot)
    fields = [(name, value) for name, value in request.POST.items() if name not in ("message", "csrfmiddlewaretoken")]
    context = {"bot": bot, "text": text, "fields": fields, "sign_in": reverse("portal-sign-in")}
    return private(TemplateResponse(request, "portal/signed_out.html", context, status=403).render())


def _redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and from there back to this page, or to the list after a form without JavaScript."""
    url = reverse("portal-sign-in")
    if request.htmx:
        page = origins.parts_of(request.headers.get("HX-Current-URL", ""))._replace(scheme="", netloc="").geturl()
    else:
        page = request.get_full_path() if request.method in ("GET", "HEAD") else ""
    query = {"next": page} if page and page != reverse("portal") else {}
    if request.htmx:
        query["signed-out"] = "1"  # says why the page has changed
    if query:
        url += f"?{urlencode(query, safe='/')}"
    if request.htmx:
        response = HttpResponse(status=401)
        response["HX-Redirect"] = url
    else:
        response = HttpResponseRedirect(url, status=303)
    languages.remember(request, response)
    return private(response)

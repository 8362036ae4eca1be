"""Keeps a text that can't be stored, without JavaScript: its author has been logged out meanwhile."""

from collections.abc import Callable
from functools import wraps

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from desk.inbox import views
from desk.inbox.forms import WriteForm
from desk.language import in_own_language
from webchat.conversation.responses import private


def keep_text(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Instead of a redirect to the login page show the text, and the way there in another tab."""

    @in_own_language
    @wraps(view)
    def kept(request: HttpRequest, **named: object) -> HttpResponse:
        response = view(request, **named)
        to_login = response.headers.get("Location", "").startswith(reverse("admin:login"))
        if request.method != "POST" or request.htmx or not to_login:
            return response
        context = admin.site.each_context(request)
        context |= {"title": _("Inbox"), "form": WriteForm(request.POST), "login_url": response.url}
        return private(TemplateResponse(request, "desk/inbox/unsent.html", context, status=403))

    return kept


def refuse_expired(request: HttpRequest) -> HttpResponse:
    """Show the text in the composer again, with a new token: a login in another tab has replaced the old one."""
    return keep_text(admin.site.admin_view(views.show_unsent))(request, **request.resolver_match.kwargs)

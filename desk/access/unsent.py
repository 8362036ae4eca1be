"""Keeps what was entered or selected at the desk when its author has been logged out, or the page has expired.

With JavaScript, a form asks `before_sending` first, and stays as it is. Without, the form is shown again to be resent.
Rows that were selected, or a button that was pressed, are sent again once it has been confirmed who did so.
"""

import re
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.contrib import admin
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from desk.access import guard
from desk.language import in_own_language
from desk.pages import page
from webchat import origins

SECRET = re.compile(r"password|secret|credential|token|code|_key$")  # names of fields that no page may hold
PRESSED = ("do", "action", "index", "select_across")  # buttons, not entered
SELECTED = (*PRESSED, "_selected_action")
NOT_SHOWN = (*SELECTED, "as_of", "key", "tried", "covered")  # and hidden fields of the pages
VALID_FOR = 60 * 60  # seconds
LONG = 12  # characters; shorter values, such as a choice or a time, are quickly entered again
PUBLIC = ("login", "setup_login", "team_join", "mfa_authenticate")


def keep_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Instead of redirecting to the login or password page, show the form to resend, and a link to that page."""

    @wraps(view)
    def kept(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        first_pages = (reverse("admin:login"), reverse("account_reauthenticate"))
        names = {name for name, _value in _fields_of(request)}
        if request.htmx or not names or not response.headers.get("Location", "").startswith(first_pages):
            return response
        if admin.site.has_permission(request):
            return _confirm_first(request) if names <= set(SELECTED) else _show(request, guard.password_url(request))
        return response if names <= set(PRESSED) else _show(request, guard.login_url(request))

    return kept


def _confirm_first(request: HttpRequest) -> HttpResponse:
    """Ask for the password in this tab: a button and the numbers of rows fit into the URL that it leads to."""
    left = [request.get_full_path(), _fields_of(request), guard.return_url(request)]
    sent = signing.dumps(left, salt=_salt_for(request), compress=True)
    url = f"{reverse('admin:send_selected')}?{urlencode({'sent': sent})}"
    return HttpResponseRedirect(guard.password_url(request, url))


def _salt_for(request: HttpRequest) -> str:
    """Return a salt that makes the URL useless to anybody else."""
    return f"desk.access.unsent {request.user.pk}"


@require_safe
@never_cache
def send_selected(request: HttpRequest) -> HttpResponse:
    """Send the form with the selected rows again, by a script or a button."""
    try:
        path, fields, back = signing.loads(request.GET.get("sent", ""), salt=_salt_for(request), max_age=VALID_FOR)
    except signing.BadSignature as error:
        raise Http404 from error
    context = {"path": path, "fields": fields, "back": back}
    return page(request, "desk/send_selected.html", _("Continue with what you selected"), **context)


@require_safe
@never_cache
def before_sending(request: HttpRequest) -> HttpResponse:
    """Return what a form needs before it is sent to the page `to`: a new token, and whether to confirm first.

    `secret`: the form changes a key or the like, on a page that is otherwise open without confirming.
    """
    try:
        page_name = resolve(request.GET.get("to", "")).url_name
    except Resolver404:
        page_name = None
    is_sensitive = page_name in guard.SENSITIVE or request.GET.get("secret")
    confirms = bool(is_sensitive) and not guard.has_entered_password(request)
    return JsonResponse({"token": get_token(request), "confirms": confirms})


def keep_expired(request: HttpRequest) -> HttpResponse | None:
    """Show the form of an open page again with a new token, after a login in another tab has replaced the old one."""
    match = request.resolver_match
    is_at_desk = request.path.startswith(reverse("admin:index")) and match and match.url_name not in PUBLIC
    came_from = origins.parts_of(request.headers.get("Origin", "")).netloc
    if not is_at_desk or request.htmx or came_from != request.get_host():  # never a form from another site
        return None
    return in_own_language(_show)(request, "" if admin.site.has_permission(request) else guard.login_url(request))


def _fields_of(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the names and values that were sent, without secrets."""
    return [(name, value) for name, values in request.POST.lists() if not SECRET.search(name) for value in values]


@never_cache
def _show(request: HttpRequest, first_url: str) -> HttpResponse:
    """Show what was sent, with a link to the page that is needed first, if any."""
    fields = _fields_of(request)
    entered = [value for name, value in fields if name not in NOT_SHOWN and not name.startswith(("initial-", "kept_"))]
    texts = [value for value in entered if len(value.strip()) > LONG]
    secrets = {name for name, value in request.POST.items() if value and SECRET.search(name)}
    return page(
        request,
        "desk/unsent.html",
        _("Nothing was saved"),
        403,
        fields=fields,
        texts=texts,
        is_incomplete=bool(request.FILES or secrets - {"csrfmiddlewaretoken"}),
        first_url=first_url,
    )

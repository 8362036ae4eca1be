"""Access to the desk's pages: idle sessions, the second factor, and the password again before sensitive actions."""

from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import sessions
from webchat import origins

# Keys, permissions, exports and a visitor's data ask for the password again.
SENSITIVE = {
    *(f"auth_user_{page}" for page in ("add", "change", "delete", "password_change")),
    *(
        "team_invite",
        "team_member",
        "team_withdraw",
    ),
    *("webchat_identitykey_add", "webchat_identitykey_delete"),
    *("docbot_keys", "docbot_revoke_key", "kiosk_code", "kiosk_device_add", "desk_export", "teach_csv", "visitor_data"),
    *("usersessions_list", "end_session"),
}
NOT_SAVED = gettext_lazy("Nothing was saved yet. Confirm that it is you, then save again.")
SENSITIVE_ACTIONS = {"export_csv", "export_json", "delete_selected"}
# The pages needed to set up a second factor.
_SETTING_UP = {
    "mfa_index",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "account_reauthenticate",
    "before_sending",
    "confirm_at_provider",
    "logout",
}


def check_access(request: HttpRequest) -> HttpResponse | None:
    """Return the response to send instead of the page, or None if the page may be shown."""
    for name in ("_selected_action", "bots"):
        if not all(is_id(value) for value in request.POST.getlist(name)):
            raise BadRequest("The id of no row, which no page of ours sends.")
    if sessions.is_idle(request):
        logout(request)
        messages.info(request, _("You were away for a while. Log in again."))
        return HttpResponseRedirect(login_url(request))
    if request.method == "POST" or not request.htmx:  # polling by an open page is not activity
        sessions.record_activity(request)
    page = request.resolver_match.url_name
    if settings.STAFF_MFA == "REQUIRED" and page not in _SETTING_UP and not has_second_factor(request):
        messages.warning(request, _("Set up a second factor first: this site requires one for staff."))
        return _redirect("mfa_index")
    # Path not taken: allauth's decorator alone, which keeps the refused form, secrets included, in the session.
    may_go_on = not is_sensitive(request) or has_entered_password(request)
    return None if may_go_on else HttpResponseRedirect(password_url(request))


def is_id(value: str) -> bool:
    """Return whether it is a number that every database can look up: what a form or a URL brings may be none."""
    return value.isdecimal() and len(value) < 19


def is_sensitive(request: HttpRequest) -> bool:
    page = request.resolver_match.url_name
    if page in SENSITIVE or request.method != "POST":
        return page in SENSITIVE
    actions = request.POST.getlist("action")  # Django takes one of several by `index`
    return not SENSITIVE_ACTIONS.isdisjoint(actions) or (page == "kiosk_do" and request.POST.get("do") == "code")


def has_entered_password(request: HttpRequest) -> bool:
    """Return whether the password was entered recently, for a form of which only some fields are sensitive."""
    try:
        _require_recent_password(request)
    except ReauthenticationRequired:
        return False
    return True


def login_url(request: HttpRequest) -> str:
    """Return the URL of the login page, which leads back to this page."""
    return _redirect("admin:login", return_url(request)).url


def password_url(request: HttpRequest, leads_to: str = "") -> str:
    """Return the URL of the page that asks for the password and leads there, or back to this one."""
    return _redirect("account_reauthenticate", leads_to or return_url(request)).url


def ask_for_password(sentence: str, url: str) -> SafeString:
    """Return the sentence as a link to the password page, in a new tab, so that the form keeps what was typed."""
    return format_html('<a href="{}" target="_blank">{}</a>', url, sentence)


@reauthentication_required(app="desk")
def _require_recent_password(request: HttpRequest) -> None:
    """Raise ReauthenticationRequired unless the password was entered recently."""


def has_second_factor(request: HttpRequest) -> bool:
    return is_mfa_enabled(request.user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN])


def _redirect(name: str, return_url: str = "") -> HttpResponse:
    url = reverse(name) + (f"?{urlencode({'next': return_url})}" if return_url else "")
    return HttpResponseRedirect(url)


def return_url(request: HttpRequest) -> str:
    """Return the URL of this page or, after a form was posted, of the page that held the form."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    page = origins.parts_of(request.headers.get("Referer", ""))
    if page.netloc != request.get_host():
        return reverse("admin:index")
    return page.path + (f"?{page.query}" if page.query else "")

"""Account pages on the desk (second factor, sessions): django-allauth's views under the URL names it expects."""

from collections.abc import Callable
from functools import wraps

from allauth.account import views as account
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.usersessions import views as sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import RedirectView

from accounts.views import PasskeySignInView
from desk.language import in_own_language


def page(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
    return path(route, admin.site.admin_view(with_desk_context(view)), name=name)


def with_desk_context(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Add the admin site's context, which the desk's templates need."""

    @wraps(view)
    def shown(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if hasattr(response, "context_data"):
            response.context_data = admin.site.each_context(request) | (response.context_data or {})
            request.webchat.policy = {"img-src": "'self' data:"}  # the QR code of an authenticator app's key
        return response

    return shown


@require_safe
def confirm_at_provider(request: HttpRequest) -> HttpResponse:
    """Offer to sign in at the OpenID provider again, for accounts without a password to confirm with."""
    url = get_next_redirect_url(request) or reverse("admin:index")
    context = {"provider": settings.OIDC_NAME, "next": url}
    return TemplateResponse(request, "account/reauthenticate_at_provider.html", context)


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Log the account out in one other browser."""
    get_object_or_404(UserSession, user=request.user, pk=pk).end()
    messages.info(request, _("Logged out on that device."))
    return HttpResponseRedirect(reverse("usersessions_list"))


urlpatterns = [
    path("sign-in/", RedirectView.as_view(pattern_name="admin:login"), name="account_login"),
    path("sign-in/passkey/", in_own_language(PasskeySignInView.as_view()), name="mfa_login_webauthn"),
    # After the password, before the session: nobody is signed in yet.
    path("second-factor/", in_own_language(with_desk_context(mfa.authenticate)), name="mfa_authenticate"),
    page("confirm/", account.reauthenticate, "account_reauthenticate"),
    page("confirm/code/", mfa.reauthenticate, "mfa_reauthenticate"),
    page("confirm/passkey/", webauthn.reauthenticate_webauthn, "mfa_reauthenticate_webauthn"),
    page("confirm/provider/", confirm_at_provider, "confirm_at_provider"),
    page("security/", mfa.index, "mfa_index"),
    page("security/app/", totp.activate_totp, "mfa_activate_totp"),
    page("security/app/remove/", totp.deactivate_totp, "mfa_deactivate_totp"),
    page("security/codes/", recovery_codes.view_recovery_codes, "mfa_view_recovery_codes"),
    page("security/codes/new/", recovery_codes.generate_recovery_codes, "mfa_generate_recovery_codes"),
    page("security/passkeys/", webauthn.list_webauthn, "mfa_list_webauthn"),
    page("security/passkeys/add/", webauthn.add_webauthn, "mfa_add_webauthn"),
    page("security/passkeys/<int:pk>/", webauthn.edit_webauthn, "mfa_edit_webauthn"),
    page("security/passkeys/<int:pk>/remove/", webauthn.remove_webauthn, "mfa_remove_webauthn"),
    page("security/sessions/", sessions.list_usersessions, "usersessions_list"),
    page("security/sessions/<int:pk>/end/", end_session, "end_session"),
]

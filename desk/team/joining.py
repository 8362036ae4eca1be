"""The page behind an invitation's link: somebody makes an account, or joins with the one they have."""

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import provider
from desk.access import audit
from desk.models import Invitation
from desk.pages import page
from desk.team import membership
from desk.team.forms import JoinForm
from webchat.models.team import Role

JOINED = {
    Role.OWNER: gettext_noop("Joined the team as an owner, invited by {}."),
    Role.EDITOR: gettext_noop("Joined the team as an editor, invited by {}."),
    Role.ANSWERS: gettext_noop("Joined the team to answer people, invited by {}."),
    Role.READS: gettext_noop("Joined the team to read only, invited by {}."),
}


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    invitation = membership.invitation_of(token)
    if invitation is None or (request.user.is_authenticated and request.user.is_staff):
        return _show(request, None, status=410)
    if request.method == "POST" and "as-signed-in" in request.POST and _may_join_as_signed_in(request.user):
        return _accept(request, invitation, request.user)
    form = JoinForm(request.POST or None, initial={"email": invitation.email})
    if not form.is_valid():
        return _show(request, invitation, form, status=422 if form.is_bound else 200)
    with transaction.atomic():
        if not Invitation.objects.select_for_update().filter(pk=invitation.pk).first():  # the button was pressed twice
            return _show(request, None, status=410)
        user = form.save()
        return _accept(request, invitation, user, is_new=True)


def _accept(request: HttpRequest, invitation: Invitation, user: User, *, is_new: bool = False) -> HttpResponse:
    with transaction.atomic():
        if not membership.accept(invitation, user):
            transaction.set_rollback(True)
            return _show(request, None, status=410)
        user.refresh_from_db()
        audit.record(user, user, JOINED[invitation.role], invitation.invited_by)
    messages.success(request, _("Welcome. Add a passkey or a second factor here, to keep your login safe."))
    if is_new:
        return perform_login(request, user, redirect_url=reverse("mfa_index"))
    return HttpResponseRedirect(reverse("mfa_index"), status=303)


def _may_join_as_signed_in(user: User) -> bool:
    """As at the desk's own sign-in, allow an account of the provider's only if OIDC_STAFF lets it in."""
    return user.is_authenticated and (user.has_usable_password() or settings.OIDC_STAFF)


def _show(
    request: HttpRequest, invitation: Invitation | None, form: JoinForm | None = None, status: int = 200
) -> HttpResponse:
    return page(
        request,
        "desk/team/join.html",
        _("Join the team"),
        status,
        invitation=invitation,
        form=form,
        may_join_as_signed_in=_may_join_as_signed_in(request.user),
        provider=provider.staff_provider_name(),
    )

"""The team's pages, for owners: who is on it, a member's role, and invitations."""

from collections.abc import Callable
from functools import partial, wraps
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk.access import audit, rights
from desk.models import Invitation
from desk.pages import page
from desk.team import membership
from desk.team.forms import InviteForm, RoleForm
from webchat import site
from webchat.models import TeamMember
from webchat.models.team import Role
from webchat.notifications import mails

View = Callable[..., HttpResponse]
INVITED = {
    Role.OWNER: gettext_noop("Invited somebody as an owner."),
    Role.EDITOR: gettext_noop("Invited somebody as an editor."),
    Role.ANSWERS: gettext_noop("Invited somebody to answer people."),
    Role.READS: gettext_noop("Invited somebody to read only."),
}
CHANGES = {  # by the button's name
    "remove": (membership.remove, gettext_noop("Removed from the team.")),
    "sessions": (membership.end_sessions, gettext_noop("Logged out everywhere.")),
    "second-factor": (membership.remove_second_factor, gettext_noop("Removed the second factor.")),
}


def for_owners(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not rights.may_change_team(request.user):
            raise PermissionDenied
        return view(request, **kwargs)

    return guarded


@require_safe
@for_owners
def show_team(request: HttpRequest) -> HttpResponse:
    for user in User.objects.filter(is_staff=True, team_member=None):
        TeamMember.of(user)
    team = rights.changeable_by(request.user, TeamMember.objects.filter(user__is_staff=True))
    invitations = rights.changeable_by(request.user, Invitation.objects.select_related("invited_by"))
    return page(
        request,
        "desk/team/list.html",
        _("Team"),
        members=team.select_related("user").prefetch_related("bots"),
        invitations=invitations.prefetch_related("bots"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def invite(request: HttpRequest) -> HttpResponse:
    """Make an invitation, and send its link or show it, once."""
    form = InviteForm(request.user, request.POST or None)
    if not form.is_valid():
        return page(request, "desk/team/invite.html", _("Invite"), 422 if form.is_bound else 200, form=form)
    cleaned = form.cleaned_data
    invitation, token = membership.invite(request.user, **cleaned)
    audit.record(request.user, invitation, INVITED[invitation.role])
    link = site.url_for(request) + reverse("admin:team_join", args=[token])
    if cleaned["email"] and site.has_mail_server() and _send(request, cleaned["email"], link):
        messages.success(request, _("The invitation is on its way to %(email)s.") % {"email": cleaned["email"]})
        return HttpResponseRedirect(reverse("admin:team"), status=303)
    what = _("Whoever opens it joins your team.")
    return _show_link(request, _("Invite"), link, days=membership.VALID_DAYS, what=what)


@require_POST
@for_owners
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(rights.changeable_by(request.user, Invitation.objects.all()), pk=pk)
    audit.record(request.user, invitation, gettext_noop("Withdrew an invitation."), deleted=True)
    invitation.delete()
    return HttpResponseRedirect(reverse("admin:team"), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def member(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a role, end sessions, help somebody who can't log in any more, remove somebody."""
    team = rights.changeable_by(request.user, TeamMember.objects.filter(user__is_staff=True))
    member = get_object_or_404(team.select_related("user"), pk=pk)
    action = request.POST.get("do", "") if request.method == "POST" else ""
    if action == "password":
        return _make_password_link(request, member)
    if action == "second-factor" and member.user == request.user:
        raise PermissionDenied  # members remove their own on a page that asks for it
    if action in CHANGES:
        change, sentence = CHANGES[action]
        return _attempt(request, member, partial(change, member), sentence)
    form = RoleForm.of(request.user, member, request.POST or None)
    if form.is_valid():
        change = partial(membership.give_role, member, **form.cleaned_data)
        return _attempt(request, member, change, gettext_noop("Changed the role."))
    status = 422 if form.is_bound else 200
    return page(request, "desk/team/member.html", member.name, status, form=form, member=member)


def _make_password_link(request: HttpRequest, member: TeamMember) -> HttpResponse:
    audit.record(request.user, member.user, gettext_noop("Created a link to choose a new password."))
    uid = urlsafe_base64_encode(force_bytes(member.user_id))
    path = reverse("portal-new-password", args=[uid, default_token_generator.make_token(member.user)])
    more = {"hours": settings.PASSWORD_RESET_TIMEOUT // 3600, "what": _("Whoever opens it chooses a new password.")}
    return _show_link(request, member.name, site.url_for(request) + path, **more)


def _show_link(request: HttpRequest, title: str, link: str, **more: Any) -> HttpResponse:
    return page(request, "desk/team/link.html", title, link=link, is_local=site.is_local(link), **more)


def _attempt(
    request: HttpRequest, member: TeamMember, change: Callable[[], None], sentence: str
) -> HttpResponseRedirect:
    try:
        change()
    except membership.LastOwner:
        messages.error(
            request, _("Nothing was changed: the team needs an owner of all bots. Make somebody else an owner first.")
        )
        return HttpResponseRedirect(reverse("admin:team_member", args=[member.pk]), status=303)
    audit.record(request.user, member.user, sentence)
    messages.success(request, _("%(label)s: %(text)s") % {"label": member.name, "text": _(sentence)})
    request.user.refresh_from_db()
    may_go_on = rights.may_change_team(request.user)
    return HttpResponseRedirect(reverse("admin:team" if may_go_on else "admin:index"), status=303)


def _send(request: HttpRequest, email: str, link: str) -> bool:
    """Return whether the mail server took it; otherwise the link is shown."""
    host = request.get_host()
    name = request.user.get_full_name() or request.user.get_username()
    content = mails.Content(
        name=host,
        heading=_("Invitation to %(site)s") % {"site": host},
        paragraphs=[
            _("%(name)s has invited you to the team that looks after the chat of %(site)s.")
            % {"name": name, "site": host}
        ],
        before_url=ngettext(
            "This link works once, for %(days)d day:", "This link works once, for %(days)d days:", membership.VALID_DAYS
        )
        % {"days": membership.VALID_DAYS},
        button=_("Join the team"),
        url=link,
    )
    try:
        return bool(mails.make(content.heading, email, content).send())
    except (OSError, SMTPException):
        messages.error(request, _("The mail server didn’t accept it. Send the link yourself."))
        return False

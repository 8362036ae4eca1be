"""A customer's own page: who they are here, where they are signed in, and all their data, to download or delete."""

import json
from collections.abc import Iterator

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.devices import device_name
from portal import signing_in
from portal.appearance import page, portal_bot
from webchat import languages, transcripts
from webchat.conversation.erasure import erase_conversations, erase_customer
from webchat.conversation.responses import private, see_other
from webchat.models import Conversation, Customer, Detail, Handover, PushSubscription


@require_safe
def profile(request: HttpRequest) -> HttpResponse:
    sessions = UserSession.objects.purge_and_list(request.user) if request.user.is_authenticated else []
    this_one = request.session.session_key
    devices = [(session, device_name(session.user_agent), session.session_key == this_one) for session in sessions]
    devices.sort(key=lambda device: not device[2])  # this one first
    return page(request, "portal/profile.html", {"bot": portal_bot(), "devices": devices})


@require_POST
def sign_out_device(request: HttpRequest, pk: int) -> HttpResponse:
    if not request.user.is_authenticated:
        raise Http404
    languages.activate_language(request)
    get_object_or_404(UserSession, user=request.user, pk=pk).end()
    # Which of them are that device's isn't known; the other devices can ask again.
    PushSubscription.objects.filter(conversation__visitor=request.webchat.customer.visitor).delete()
    messages.success(request, _("Signed out on that device."))
    return see_other("portal-profile")


@require_safe
def export(request: HttpRequest) -> StreamingHttpResponse:
    """Export `{"name", "email", "exported_at", "conversations": […], "requests": […], "details": […]}`.

    A conversation is as in its own file; `details` are what the customer told about themselves when a bot asked.
    """
    response = StreamingHttpResponse(_as_json(request.webchat.customer), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="conversations.json"'
    return private(response)


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest) -> HttpResponse:
    """After a confirmation, delete all conversations and requests, and the account unless the team needs it."""
    customer = request.webchat.customer
    if request.method != "POST":
        return page(request, "portal/erase.html", {"bot": portal_bot()})
    _requests(customer).delete()
    erase_conversations(_conversations(customer))
    erase_customer(customer)
    signing_in.sign_out(request)
    response = see_other("portal-erased")
    response["Clear-Site-Data"] = '"storage"'  # drafts
    return response


@login_not_required
@require_safe
def erased(request: HttpRequest) -> HttpResponse:
    return page(request, "portal/erased.html", {"bot": portal_bot()})


def _conversations(customer: Customer) -> QuerySet[Conversation]:
    """Return all of the customer's conversations, also with bots that have left the portal."""
    return Conversation.objects.filter(visitor=customer.visitor)


def _requests(customer: Customer) -> QuerySet[Handover]:
    return Handover.objects.filter(Q(visitor=customer.visitor) | Q(conversation__visitor=customer.visitor))


def _as_json(customer: Customer) -> Iterator[str]:
    about = {
        "name": str(customer),
        "email": customer.contact_email,
        "exported_at": timezone.now().isoformat(timespec="seconds"),
    }
    yield json.dumps(about, ensure_ascii=False)[:-1] + ', "conversations": ['
    between = "\n"
    for conversation in _conversations(customer).select_related("bot").order_by("started_at").iterator():
        turns, entries = list(conversation.turns.all()), list(conversation.entries.for_visitors())
        yield between + transcripts.as_json(conversation.bot, conversation, turns, entries)
        between = ",\n"
    requests = [
        {"bot": each.bot.name, "sent": each.created_at.isoformat(), "email": each.email, "message": each.message}
        for each in _requests(customer).select_related("bot")
    ]
    details = [
        {"bot": each.conversation.bot.name, "question": each.label, "answer": each.text}
        for each in Detail.objects.filter(conversation__in=_conversations(customer)).select_related("conversation__bot")
    ]
    yield "\n], " + json.dumps({"requests": requests, "details": details}, ensure_ascii=False)[1:] + "\n"

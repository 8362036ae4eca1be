"""Lists a customer's conversations; renames, deletes and keeps them."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal import conversations
from portal.appearance import page, portal_bot
from portal.forms import RenameForm
from webchat import languages
from webchat.conversation.erasure import erase_conversations
from webchat.conversation.responses import see_other
from webchat.conversation.visitor_session import VISITOR
from webchat.models import Bot, Conversation, Surface

DECLINED = "left behind"  # session key: anonymous conversations that the customer declined to keep


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the list; htmx requests only the next rows."""
    search = " ".join(request.GET.get("q", "").split())[: conversations.LONGEST_SEARCH]
    rows = conversations.list_page(request.webchat.customer, search, request.GET.get("before", ""))
    context: dict[str, object] = {"page": rows, "search": search}
    if request.htmx:
        response = page(request, "portal/_list.html", context)
        response["Webchat-Fragment"] = "1"
        return response
    bots = Bot.objects.on(Surface.PORTAL).prefetch_related("translations").order_by("name")
    question = _anonymous_conversations(request).first()
    if question:
        question.heading = conversations.heading_of(question)
    context |= {"bots": bots, "bot": portal_bot(bots), "question": question}
    return page(request, "portal/conversations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HttpRequest, conversation: uuid.UUID) -> HttpResponse:
    own = _get_own(request, conversation)
    form = RenameForm(request.POST if request.method == "POST" else None, initial={"title": own.title})
    if form.is_valid():
        Conversation.objects.filter(pk=own.pk).update(title=form.cleaned_data["title"])
        return see_other("portal")
    context = {"conversation": own, "bot": own.bot, "form": form}
    return page(request, "portal/rename.html", context, 422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, conversation: uuid.UUID) -> HttpResponse:
    own = _get_own(request, conversation)
    if request.method == "POST":
        languages.activate_language(request)
        erase_conversations(Conversation.objects.filter(pk=own.pk))
        messages.success(request, _("The conversation has been deleted."))
        return see_other("portal")
    return page(request, "portal/delete.html", {"conversation": own, "bot": own.bot})


@require_POST
def keep_conversation(request: HttpRequest) -> HttpResponse:
    """Move an anonymous conversation to the signed-in customer, or remember that they declined."""
    name = _requested_id(request)
    chosen = _anonymous_conversations(request).filter(public_id=name).first()
    if chosen is None:
        if str(name) in request.session.get(DECLINED, []) or _is_own(request, name):
            return see_other("portal")  # the button was pressed twice
        raise Http404
    if request.POST.get("answer") == "yes":
        chosen.give_to(request.webchat.customer)
    else:
        request.session[DECLINED] = [*request.session.get(DECLINED, []), str(chosen.public_id)]
    return see_other("portal")


def _is_own(request: HttpRequest, public_id: uuid.UUID) -> bool:
    return Conversation.objects.of_customer(request.webchat.customer.visitor).filter(public_id=public_id).exists()


def _anonymous_conversations(request: HttpRequest) -> object:
    visitor = request.session.get(VISITOR)
    if not visitor:
        return Conversation.objects.none()
    return conversations.anonymous_conversations(visitor, request.session.get(DECLINED, []))


def _requested_id(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("conversation", ""))
    except ValueError as error:
        raise Http404 from error


def _get_own(request: HttpRequest, public_id: uuid.UUID) -> Conversation:
    own = get_object_or_404(conversations.newest(request.webchat.customer.visitor), public_id=public_id)
    own.heading = conversations.heading_of(own)
    return own

"""Sends a visitor's files and serves those of the conversation; nobody else can find them."""

import uuid

from django.db import close_old_connections
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from webchat.attachments import serving, storing, uploads
from webchat.attachments.forms import TOO_LARGE, FileForm
from webchat.conversation import accept
from webchat.conversation.forms import BUTTON_EXPIRED, KEY_USED, Refusal, too_many_messages
from webchat.conversation.responses import bot_of, fragment, post_or_page, refuse, show_with_draft, surface_of
from webchat.conversation.visitor_session import visitor_of
from webchat.handover.responses import own_conversation
from webchat.limits import rates
from webchat.models import Attachment, Conversation, Surface

NO_PERSON_THERE = "NO_PERSON_THERE"


@post_or_page
def send_file(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Store the file as the visitor's message to the person; what was typed stays in the composer.

    With htmx the page then asks what is new, as it does anyway.
    """
    conversation = own_conversation(request, slug, uploads.conversation_in(token) or 0)
    refusal = _store(request, conversation)
    if refusal:
        status = 413 if uploads.is_too_large(request) else 429 if refusal.wait else 422
        return refuse(request, conversation.bot, refusal, status)
    if request.htmx:
        return fragment(request, "webchat/_file_sent.html", {})
    return show_with_draft(request, conversation.bot, conversation)


@require_http_methods(["GET", "HEAD", "POST"])
def show_file(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Serve a file of one of the visitor's own conversations.

    POST is for a frame, whose session is a field of the form.
    """
    own = Conversation.objects.shown_on(surface_of(request), visitor_of(request), bot_of(request, slug))
    attachment = get_object_or_404(Attachment, key=key, conversation__in=own)
    return serving.hand_out(attachment, as_download=request.method == "POST")


@require_safe
def show_in_frame(request: HttpRequest, slug: str, key: uuid.UUID, token: str) -> HttpResponse:
    """Serve a picture to a frame whose page was made a moment ago, and only to this site's own pages."""
    attachment = get_object_or_404(Attachment, key=key, conversation__bot__slug=slug)
    is_ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    in_frame = surface_of(request) == Surface.EMBED == attachment.conversation.surface
    if not (is_ours and in_frame and attachment.is_picture and serving.is_valid_in_frame(attachment, token)):
        raise Http404
    return serving.hand_out(attachment)


def refuse_expired(request: HttpRequest) -> HttpResponse:
    """Refuse the file: the CSRF token wasn't valid."""
    return refuse(request, bot_of(request, request.resolver_match.kwargs["slug"]), BUTTON_EXPIRED, 403)


def _store(request: HttpRequest, conversation: Conversation) -> Refusal | None:
    """Store the file; return None, or why it isn't stored."""
    if not uploads.takes_files(conversation, surface_of(request)):
        return _no_person_there()
    if uploads.is_too_large(request):
        return Refusal(TOO_LARGE, "TOO_LARGE")
    close_old_connections()  # re-encoding, one picture at a time, may take seconds
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        error = next(iter(form.errors.as_data().values()))[0]
        return Refusal(error.messages[0], str(error.code).upper())
    given = form.cleaned_data
    try:
        storing.store_from_visitor(conversation, given["file_key"], given["file"], rates.shared_limits(request))
    except storing.NoPersonThere:
        return _no_person_there()
    except storing.TooManyFiles:
        return Refusal(_("You can’t send any more files in this conversation."), "TOO_MANY_FILES")
    except accept.KeyAlreadyUsed:
        return KEY_USED
    except rates.TooManyMessages as error:
        return too_many_messages(error.wait, is_own=error.is_own)
    return None


def _no_person_there() -> Refusal:
    return Refusal(_("You can only send files while a person is answering you."), NO_PERSON_THERE)

"""Transfers a conversation from a kiosk to a phone by a QR code."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kiosk.transfer_codes import LIFETIME, TransferCode
from webchat import languages
from webchat.conversation import responses
from webchat.conversation.visitor_session import ensure_visitor, visitor_of
from webchat.models import Conversation, Surface


@require_POST
def show_code(request: HttpRequest, slug: str) -> HttpResponse:
    """On the kiosk: show a new QR code for the conversation."""
    bot = responses.bot_of(request, slug)
    conversation = Conversation.objects.open_for(visitor_of(request), slug, Surface.KIOSK).first()
    url = ""
    if conversation:
        url = request.build_absolute_uri(reverse("take", args=[TransferCode.objects.make(conversation)]))
    context = {"bot": bot, "url": url, "seconds": int(LIFETIME.total_seconds())}
    return responses.fragment(request, "kiosk/_transfer_code.html", context)


@require_safe
def taken(request: HttpRequest, slug: str) -> HttpResponse:
    """Polled by the kiosk while it shows the code: 204 until the conversation has moved to a phone."""
    if Conversation.objects.open_for(visitor_of(request), slug, Surface.KIOSK).exists():
        return responses.private(HttpResponse(status=204))
    return responses.fragment(request, "kiosk/_taken.html", {})


@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, code: str) -> HttpResponse:
    """On the phone: show a button that takes the conversation, so that link previews don't use up the code."""
    found = TransferCode.objects.with_code(code)
    if request.method == "POST":
        is_first = found is not None and found.take(ensure_visitor(request))
        mine = found.conversation if is_first else TransferCode.objects.taken_by(visitor_of(request), code)
        if mine:
            return responses.see_other(mine.bot)
        found = None
    if found is None:  # used, expired and unknown codes look the same
        return responses.private(
            TemplateResponse(request, "kiosk/take_gone.html", {"bot": responses.start_bot()}, status=404)
        )
    bot = found.conversation.bot
    languages.activate_language(request, bot)
    other = Conversation.objects.open_for(visitor_of(request), bot.slug, Surface.CHAT).exists()
    return responses.full_page(request, bot, "kiosk/take.html", {"bot": bot, "other": other})

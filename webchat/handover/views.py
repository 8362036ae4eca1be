"""The form with which a visitor asks for a person."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webchat import languages
from webchat.conversation.responses import (
    address_of,
    bot_of,
    document,
    fragment,
    private,
    show,
    surface_of,
    turns_of,
)
from webchat.conversation.visitor_session import visitor_of, visitor_who_sends
from webchat.handover import handovers
from webchat.handover.forms import HandoverForm
from webchat.limits import client_ip
from webchat.models import Bot, Handover


@require_http_methods(["GET", "HEAD", "POST"])
def handover(request: HttpRequest, slug: str) -> HttpResponse:
    """The empty form; POST is for a frame, whose session is a field of the form that leads here."""
    return _form(request, _offering_bot(request, slug), HandoverForm())


@require_http_methods(["GET", "HEAD", "POST"])
def send_handover(request: HttpRequest, slug: str) -> HttpResponse:
    bot = _offering_bot(request, slug)
    if request.method != "POST":  # the address that stands there after a refusal, opened anew
        return HttpResponseRedirect(address_of(request, "handover", slug))
    form = HandoverForm(request.POST)
    taken = _take(request, bot, form)
    if taken is None:
        return _form(request, bot, form, status=422)
    if request.htmx:
        response = fragment(request, "webchat/_request_sent.html", {"bot": bot, "handover": taken})
        response["HX-Retarget"], response["HX-Reswap"] = "#transcript", "beforeend"
        return response
    if request.webchat.frame_token:  # there is no cookie to find the session with after a redirect
        return document(request, bot, "webchat/asked.html", {"bot": bot, "handover": taken})
    return private(HttpResponseRedirect(address_of(request, "handover-sent", slug, taken.key), status=303))


@require_safe
def handover_sent(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """What happens next, for whoever has no JavaScript."""
    taken = get_object_or_404(Handover.objects.of(visitor_of(request), slug, surface_of(request)), key=key)
    languages.activate_language(request, taken.bot)
    return document(request, taken.bot, "webchat/asked.html", {"bot": taken.bot, "handover": taken})


@require_POST
def back(request: HttpRequest, slug: str) -> HttpResponse:
    """To the conversation, for a frame without JavaScript: its session is a field of a form."""
    return show(request, bot_of(request, slug))


def refuse_expired(request: HttpRequest, slug: str) -> HttpResponse:
    """A request behind an expired page stays in its form, beside a token that is fresh."""
    form = HandoverForm(request.POST)
    form.refuse_expired()
    return _form(request, _offering_bot(request, slug), form, status=403)


def _offering_bot(request: HttpRequest, slug: str) -> Bot:
    bot = bot_of(request, slug)
    if not bot.handover:
        raise Http404
    return bot


def _form(request: HttpRequest, bot: Bot, form: HandoverForm, status: int = 200) -> HttpResponse:
    context = {"bot": bot, "form": form, "has_transcript": turns_of(request, bot.slug).exists()}
    if request.htmx:
        return fragment(request, "webchat/_handover.html", context, status=status)
    return document(request, bot, "webchat/handover.html", context, status=status)


def _take(request: HttpRequest, bot: Bot, form: HandoverForm) -> Handover | None:
    """The request that is stored now; otherwise None, and the form says why."""
    if not form.is_valid():
        return None
    given = form.cleaned_data
    visitor = visitor_who_sends(request)
    last_turn = turns_of(request, bot.slug).last() if given["transcript"] else None
    try:
        return handovers.take(
            visitor,
            bot,
            surface_of(request),
            origin=client_ip.origin_of(request),
            key=given["key"],
            email=given["email"],
            message=given["message"],
            last_turn=last_turn,
            is_suspect=bool(given["website"]),
        )
    except handovers.KeyAlreadyUsed:
        form.refuse_key()
    except handovers.TooManyRequests:
        form.refuse_for_now()
    return None

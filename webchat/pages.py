"""What all views of a surface answer with: whole pages, fragments, and the way back to the page."""

import uuid

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse

from webchat import languages
from webchat.forms import MessageForm
from webchat.models import Bot, Surface, Turn
from webchat.sessions import visitor_of


def bot_of(request: HttpRequest, slug: str) -> Bot:
    bot = get_object_or_404(Bot, slug=slug)
    languages.speak(request, bot)
    return bot


def own_turn(request: HttpRequest, slug: str, key: uuid.UUID) -> Turn:
    turn = get_object_or_404(Turn.objects.of(visitor_of(request), slug, surface_of(request)), key=key)
    languages.speak(request, turn.conversation.bot)
    return turn


def conversation_page(request: HttpRequest, bot: Bot, form: MessageForm, status: int = 200) -> HttpResponse:
    turns = Turn.objects.of(visitor_of(request), bot.slug, surface_of(request))
    transcript = list(turns)
    if any(turn.is_overdue for turn in transcript):
        turns.give_up_on_lost()
        transcript = list(turns.all())
    after = transcript[-1].key if transcript else ""
    context = {"bot": bot, "turns": transcript, "form": form, "after": after}
    return document(request, bot, "webchat/conversation.html", context, status)


def document(request: HttpRequest, bot: Bot, template: str, context: dict, status: int = 200) -> HttpResponse:
    """A whole page; in a frame it says which sites it may stand in."""
    templates = [template.replace("webchat/", f"{surface_of(request)}/"), template]  # a surface's own goes before
    response = private(TemplateResponse(request, templates, context, status=status))
    if surface_of(request) == Surface.EMBED:
        response.frame_ancestors = bot.allowed_origins
        response.xframe_options_exempt = bool(bot.allowed_origins)
        if request.htmx:
            response["Webchat-Fragment"] = "1"
    else:
        languages.remember(request, response)
    return response


def fragment(request: HttpRequest, template: str, context: dict, status: int = 200) -> HttpResponse:
    """Marked as ours, so that the page never swaps in what a proxy or a hotel's Wi-Fi answers in our place."""
    response = private(TemplateResponse(request, template, context, status=status))
    response["Webchat-Fragment"] = "1"
    return response


def private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store, private"
    return response


def show(request: HttpRequest, bot: Bot, turn: Turn | None = None) -> HttpResponse:
    """The page after a form: by a redirect, or at once in a frame, which has no cookie to find its session with."""
    if surface_of(request) == Surface.EMBED:
        return conversation_page(request, bot, MessageForm())
    anchor = f"#turn-{turn.key}" if turn else ""
    return private(HttpResponseRedirect(address_of(request, "page", bot.slug) + anchor, status=303))


def surface_of(request: HttpRequest) -> str:
    """The addresses of each surface stand under its name."""
    return request.resolver_match.namespace or Surface.CHAT


def address_of(request: HttpRequest, name: str, *args: object) -> str:
    return reverse(f"chat:{name}", args=args, current_app=request.resolver_match.namespace)

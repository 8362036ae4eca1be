"""What the views of every surface respond with: whole pages, fragments, and the way back to the page."""

import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webchat import languages
from webchat.conversation.forms import BUTTON_EXPIRED, MessageForm, ReasonField, Refusal
from webchat.conversation.visitor_session import offer_start, visitor_of
from webchat.models import Bot, Conversation, Feedback, Handover, Surface, Turn
from webchat.models.conversations.conversation import ConversationQuerySet
from webchat.models.conversations.turns import TurnQuerySet

# Where htmx puts a fragment, and how, if not where the page says.
ABOVE_MESSAGE_BOX = ("#composer-refusal", "innerHTML")
IN_TRANSCRIPT = ("#transcript", "beforeend")


def bot_of(request: HttpRequest, slug: str) -> Bot:
    """Return the bot of a page and activate the page's language. Raises Http404."""
    bot = Bot.at(slug)
    if bot is None or not bot.is_on(surface_of(request)):
        raise Http404
    request.webchat.bot = bot
    languages.activate_language(request, bot)
    return bot


def start_bot() -> Bot | None:
    """Return the bot of the site's first page: the first one, where that of the settings was renamed or deleted."""
    return Bot.at(settings.DEFAULT_BOT) or Bot.objects.order_by("pk").first()


def own_turn(request: HttpRequest, slug: str, key: uuid.UUID) -> Turn:
    """Return the visitor's own turn and activate the page's language. Raises Http404."""
    turn = Turn.objects.own(visitor_of(request), slug, surface_of(request), key)
    if turn is None:
        raise Http404
    languages.activate_language(request, turn.conversation.bot)
    return turn


def turns_of(request: HttpRequest, slug: str, named: uuid.UUID | None = None) -> TurnQuerySet:
    """Return the turns of the visitor's present conversation; in the portal, of the conversation that the URL names."""
    turns = Turn.objects.of(visitor_of(request), slug, surface_of(request))
    if surface_of(request) != Surface.PORTAL:
        return turns
    named = named or conversation_named_in(request)
    return turns.filter(conversation__public_id=named) if named else turns.none()


def conversation_named_in(request: HttpRequest) -> uuid.UUID | None:
    """Return the conversation that the URL or the form names; “New conversation” leaves the one of its form."""
    match = request.resolver_match
    in_form = None if match.url_name == "new" else request.POST.get("conversation")
    named = match.kwargs.get("conversation") or in_form
    try:
        return uuid.UUID(str(named)) if named else None
    except ValueError as error:
        raise Http404 from error


def conversation_page(
    request: HttpRequest, bot: Bot, form: MessageForm, status: int = 200, named: uuid.UUID | None = None
) -> HttpResponse:
    turns = turns_of(request, bot.slug, named)
    transcript = list(turns)
    if transcript:
        conversation = transcript[0].conversation
    elif conversation := shown_conversation(request, bot).first():  # a person was asked for before the first message
        transcript = list(turns.all())  # which may have been stored meanwhile
    if conversation is None and surface_of(request) == Surface.PORTAL and conversation_named_in(request):
        raise Http404
    if any(turn.is_overdue for turn in transcript):
        turns.give_up_on_lost()
        transcript = list(turns.all())
    after = transcript[-1].key if transcript else ""
    context = {"bot": bot, "turns": transcript, "form": form, "after": after, "conversation": conversation}
    if surface_of(request) == Surface.EMBED:
        context["at_home"] = "home" in request.POST  # the conversation waits there, to be continued
    if conversation and conversation.changes:
        # Without JavaScript nothing else says that the visitor is there. A frame may be loaded and never be opened.
        if not conversation.is_led_by_bot or surface_of(request) != Surface.EMBED:
            conversation.record_visit(has_read=True)
        last_turn = transcript[-1].pk if transcript else 0
        context["entries"] = list(conversation.entries.for_visitors().up_to(last_turn))
    if bot.handover and conversation:
        context["handovers"] = Handover.objects.of(visitor_of(request), bot.slug, surface_of(request)).during(
            conversation
        )
    return full_page(request, bot, "webchat/conversation.html", context, status)


def shown_conversation(request: HttpRequest, bot: Bot) -> ConversationQuerySet:
    """Return the visitor's own conversation that the page shows, or None."""
    shown = Conversation.objects.shown_on(surface_of(request), visitor_of(request), bot)
    return shown.filter(public_id=conversation_named_in(request)) if surface_of(request) == Surface.PORTAL else shown


def full_page(request: HttpRequest, bot: Bot, template: str, context: dict, status: int = 200) -> HttpResponse:
    """Return a whole page; in a frame, with the list of the sites that may frame it."""
    # A surface's own template is preferred.
    templates = [template.replace("webchat/", f"{surface_of(request)}/"), template]
    response = private(TemplateResponse(request, templates, context, status=status))
    if surface_of(request) == Surface.EMBED:
        allow_frames(request, response, bot.allowed_origins)
        if request.htmx:
            response["Webchat-Fragment"] = "1"
    else:
        languages.remember(request, response)
        offer_start(request, response)
    return response


def allow_frames(request: HttpRequest, response: HttpResponse, origins: list[str]) -> HttpResponse:
    """Let pages of these sites frame the response; `'self'` is this site."""
    request.webchat.frame_ancestors = origins
    response.xframe_options_exempt = bool(origins)
    return response


def fragment(
    request: HttpRequest, template: str, context: dict, status: int = 200, place: tuple[str, str] | None = None
) -> HttpResponse:
    """Return a fragment, marked as ours: the page swaps in nothing that a proxy or a hotel's Wi-Fi sent instead."""
    response = private(TemplateResponse(request, template, context, status=status))
    response["Webchat-Fragment"] = "1"
    if place:
        response["HX-Retarget"], response["HX-Reswap"] = place
    return response


def private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store, private"
    return response


def see_other(to: object) -> HttpResponse:
    """Redirect after a form (303), to a URL, a URL's name or an object's page."""
    return private(HttpResponseRedirect(resolve_url(to), status=303))


def show(
    request: HttpRequest, bot: Bot, turn: Turn | None = None, conversation: Conversation | None = None
) -> HttpResponse:
    """Show the page after a form: by a redirect, or at once in a frame, which has no cookie for its session."""
    if surface_of(request) == Surface.EMBED:
        return conversation_page(request, bot, MessageForm())
    anchor = f"#turn-{turn.key}" if turn else ""
    page = surface_url(request, "page", bot.slug, conversation=turn.conversation if turn else conversation)
    return see_other(page + anchor)


def show_with_draft(request: HttpRequest, bot: Bot, conversation: Conversation | None) -> HttpResponse:
    """Show the page after a button that sends no message, and keep the text in the composer, unlike a redirect."""
    draft = request.POST.get("message", "")
    if not draft:
        return show(request, bot, conversation=conversation)
    named = conversation.public_id if conversation else None
    return conversation_page(request, bot, MessageForm(initial={"message": draft}), named=named)


def refuse(request: HttpRequest, bot: Bot, refusal: Refusal, status: int = 422) -> HttpResponse:
    """Show the refusal above the composer, which keeps what was typed."""
    if not request.htmx:
        form = MessageForm(initial={"message": request.POST.get("message", "")})
        form.refused = refusal
        return conversation_page(request, bot, form, status=status)
    template = "webchat/_page_expired.html" if refusal == BUTTON_EXPIRED else "webchat/_refusal.html"
    return fragment(request, template, {"bot": bot, "refusal": refusal}, status, ABOVE_MESSAGE_BOX)


def post_or_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow POST only; a GET, as when a refused form's URL is opened again, is redirected to the page."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def posted(request: HttpRequest, slug: str, **named: object) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseRedirect(surface_url(request, "page", slug))
        store_reasons(request, slug)
        return view(request, slug, **named)

    return posted


def store_reasons(request: HttpRequest, slug: str) -> None:
    """Store typed reasons for a thumb down: without JavaScript, every button of the composer sends them along."""
    if request.htmx or not any(value for name, value in request.POST.items() if name.startswith("reason-")):
        return
    for turn in turns_of(request, slug).filter(feedback=Feedback.DOWN):
        if reason := ReasonField(required=False).clean(request.POST.get(f"reason-{turn.key}")):
            turn.rate(Feedback.DOWN, reason)


def surface_of(request: HttpRequest) -> str:
    """Return the surface: the namespace of the request's URL."""
    match = request.resolver_match
    return (match.namespace if match else "") or Surface.CHAT


def surface_url(request: HttpRequest, name: str, slug: str, *args: object, conversation: object = None) -> str:
    """Return the URL of a page on the request's own surface; in the portal each conversation has its own.

    `args`: the further arguments of the URL's pattern.
    """
    named = [conversation.public_id] if conversation and surface_of(request) == Surface.PORTAL else []
    return reverse(f"chat:{name}", args=[slug, *named, *args], current_app=surface_of(request))

"""The views of a conversation: whole pages for a browser, fragments for htmx."""

import logging
import uuid

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from webchat import transcripts
from webchat.conversation import accept, answer, details, forms, heading_search, updates, visitor_page
from webchat.conversation.forms import MessageForm
from webchat.conversation.responses import (
    bot_of,
    conversation_page,
    fragment,
    full_page,
    own_turn,
    post_or_page,
    private,
    refuse,
    show,
    show_with_draft,
    shown_conversation,
    start_bot,
    store_reasons,
    surface_of,
)
from webchat.conversation.visitor_session import ensure_visitor, future_visitor, visitor_of
from webchat.limits import proof_of_work, rates
from webchat.models import Bot, Conversation, Surface, Turn
from webchat.models.conversations.turns import prefetch_files
from webchat.upstream import failure_rules

logger = logging.getLogger(__name__)

STOP = "stop"  # the visitor stopped waiting; the request that asks the bot continues and stores the reply


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    try:
        bot = bot_of(request, settings.DEFAULT_BOT)
    except Http404:
        if (start := start_bot()) is None:
            raise
        return HttpResponseRedirect(start.get_absolute_url())
    return conversation_page(request, bot, MessageForm())


@require_safe
def page(request: HttpRequest, slug: str, conversation: uuid.UUID | None = None) -> HttpResponse:
    """Show the page. `conversation` names one of several, in the portal."""
    bot = bot_of(request, slug)
    if visitor_page.HEADER in request.headers and (shown := shown_conversation(request, bot).first()):
        visitor_page.store_page(request, shown)
    return conversation_page(request, bot, MessageForm())


@post_or_page
def messages(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the message, ask the bot, and respond with the whole turn."""
    bot = bot_of(request, slug)
    form = MessageForm(request.POST)
    turn = _accept(request, bot, form)
    if turn is None:
        return refused(request, bot, form)
    if visitor_page.HEADER in request.headers:
        visitor_page.store_page(request, turn.conversation)
    if turn.conversation.is_new and form.cleaned_data["after"]:  # the conversation shown on the page has ended
        turn.mark_as_started_over()
    # Has another tab continued the conversation? Looked up before `_answer`, which closes the connection.
    has_gone_on = request.htmx and not form.draft and turn.key_before != form.cleaned_data["after"]
    if STOP not in request.POST:
        _answer(turn)
    if request.htmx:
        response = _sent(request, turn, form)
        # A person has joined, and only a new page has what they need; a frame has it already.
        lacks_people = turn.conversation.changes and "shown" not in request.POST
        if has_gone_on or (lacks_people and surface_of(request) != Surface.EMBED):
            response["HX-Refresh"] = "true"
        return response
    if form.draft:  # a redirect would lose it without JavaScript; reloading this page sends nothing twice
        named = turn.conversation.public_id
        return conversation_page(request, bot, MessageForm(initial={"message": form.draft}), named=named)
    return show(request, bot, turn)


@post_or_page
def search(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions that the search on the widget's home finds."""
    bot = bot_of(request, slug)
    try:
        request.webchat.search_results = heading_search.search(request, bot)
    except rates.TooManyMessages as error:
        refusal = forms.too_many_searches(error.wait)
        if request.htmx:
            context = {"bot": bot, "refusal": refusal}
            response = fragment(request, "webchat/_refusal.html", context, status=429)
        else:
            form = MessageForm()
            form.refused = refusal
            response = conversation_page(request, bot, form, status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response
    if request.htmx:
        return fragment(request, "webchat/_found.html", {"bot": bot})
    return conversation_page(request, bot, MessageForm())


@post_or_page
def save_details(request: HttpRequest, slug: str) -> HttpResponse:
    """Store what the visitor tells about themselves after the first reply; what is in the message box stays there."""
    bot = bot_of(request, slug)
    conversation, asked = shown_conversation(request, bot).first(), details.asked(request, bot)
    if conversation and asked and not asked.is_valid():
        if not request.htmx:
            return refuse(request, bot, asked.refusal)
        context = {"bot": bot, "refusal": asked.refusal, "alone": True}
        return fragment(request, "webchat/_details.html", context, status=422)
    if conversation and asked:
        conversation.store_details(asked.given)
    if not request.htmx:
        return show_with_draft(request, bot, conversation)
    return fragment(request, "webchat/_details.html", {"bot": bot, "is_told": True, "alone": True})


@post_or_page
def reply(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Respond with what became of a turn, for a reload, a second tab, or a "Try again" whose response was lost."""
    turn = own_turn(request, slug, key)
    return _turn(request, turn) if STOP in request.POST else _answered(request, turn)


@post_or_page
def again(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Ask again, on "Try again" and "Send again": like for a message, the response is the finished turn."""
    turn = own_turn(request, slug, key)
    try:
        # A button that is pressed twice doesn't ask again after a second failure.
        if request.POST.get("failures") == str(turn.failures):
            accept.ask_again(turn, limits=rates.shared_limits(request))
    except (OperationalError, InterfaceError) as error:
        logger.warning("a message couldn't be counted once more error=%s", type(error).__name__)
        turn.code = failure_rules.NOT_COUNTED  # only shown: the stored code stays, with its "Try again"
        return _turn(request, turn, status=503) if request.htmx else show(request, turn.conversation.bot, turn)
    return _answered(request, turn)


@require_http_methods(["GET", "HEAD", "POST"])
def transcript(request: HttpRequest, slug: str, format: str, conversation: uuid.UUID | None = None) -> HttpResponse:
    """Hand out the conversation as txt, html or json. POST is for a frame, whose session is a field of the form."""
    bot = bot_of(request, slug)
    shown = shown_conversation(request, bot).first()
    if conversation and shown is None:
        raise Http404
    turns = list(shown.turns.all()) if shown else []
    entries = list(shown.entries.for_visitors()) if shown else []
    prefetch_files(turns)
    if format == "html":
        context = {"bot": bot, "turns": turns, "entries": entries}
        response = TemplateResponse(request, "webchat/transcript.html", context)
    elif format == "json":
        text = transcripts.as_json(bot, shown, turns, entries)
        response = HttpResponse(text, content_type="application/json; charset=utf-8")
    else:
        response = HttpResponse(transcripts.as_text(bot, turns, entries), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{bot.slug}.{format}"'
    return private(response)


@require_safe
def picture(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Serve the bot's face or logo."""
    bot = get_object_or_404(Bot, slug=slug)
    file = bot.face if kind == "face" else bot.logo
    if not file:
        raise Http404
    response = FileResponse(file.open("rb"), content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"  # the URL changes with the file
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def new_conversation(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a new conversation, which gets the draft. Without JavaScript, a page asks for confirmation first.

    In the portal nothing is archived by this, so nothing has to be confirmed.
    """
    store_reasons(request, slug)
    bot = bot_of(request, slug)
    if surface_of(request) == Surface.PORTAL:
        return show_with_draft(request, bot, None)
    if request.method == "POST" and "ask" not in request.POST:
        conversation = Conversation.objects.open_for(visitor_of(request), slug, surface_of(request)).first()
        if conversation:
            conversation.archive()
        return show_with_draft(request, bot, None)
    draft = request.POST.get("message", "")
    context = {"bot": bot, "conversation": shown_conversation(request, bot).first(), "draft": draft}
    return full_page(request, bot, "webchat/new_conversation.html", context)


def _answered(request: HttpRequest, turn: Turn) -> HttpResponse:
    """Return the turn with its outcome, or with a waiting line."""
    has_waited = _answer(turn)
    if request.htmx:
        return _turn(request, turn, again=turn.is_waiting and not has_waited)
    return show(request, turn.conversation.bot, turn)


def _answer(turn: Turn) -> bool:
    """Answer the turn; return whether another request is still asking. Without a database, the waiting line asks again.

    A turn that was deleted in the meantime is treated like an unknown one.
    """
    try:
        return answer.answer_or_wait(turn)
    except (Turn.DoesNotExist, Conversation.DoesNotExist) as error:
        raise Http404 from error
    except (OperationalError, InterfaceError) as error:
        logger.warning("a reply waits for the database turn=%s error=%s", turn.key, type(error).__name__)
        return False


def _accept(request: HttpRequest, bot: Bot, form: MessageForm) -> Turn | None:
    """Store the message and return its turn; otherwise return None, and the form says why."""
    if not form.is_valid():
        return None
    try:
        is_proven = not bot.asks_for_proof or _is_proven(request, bot, form)
        known = visitor_of(request)
        accept.admit(known, bot, form.agreed_to)
        asked = details.asked(request, bot) if bot.asks_details else None
        if asked and not asked.is_valid():
            form.refused = asked.refusal
            return None
        # Otherwise one proof would do for any number of sessions.
        if known is None and bot.asks_for_proof and _belongs_to_other_visitor(request, form.cleaned_data["key"]):
            raise accept.KeyAlreadyUsed
        limits = rates.count_if_new(request, known)
        message = form.cleaned_data["message"]
        if bot.tells_page:
            message = visitor_page.message_with_page(request, bot, form.cleaned_data)
        return accept.accept(
            ensure_visitor(request),
            bot,
            surface_of(request),
            form.cleaned_data["key"],
            message,
            form.cleaned_data["conversation"],
            limits=limits,
            details=asked.given if asked else (),
            is_proven=is_proven,
        )
    except proof_of_work.NotProven as refusal:
        form.refused = forms.unproven(refusal.code)
    except accept.NotAdmitted as refusal:
        form.refused = forms.not_admitted(refusal.code)
    except Conversation.DoesNotExist as error:
        raise Http404 from error
    except accept.KeyAlreadyUsed:
        form.refused = forms.KEY_USED
    except rates.TooManyMessages as refusal:
        form.refused = forms.too_many_messages(refusal.wait, is_own=refusal.is_own)
    except rates.TooManyConversations as refusal:
        form.refused = forms.too_many_conversations(refusal.wait)
    except DatabaseError as error:
        logger.warning("a message couldn't be counted and stored error=%s", type(error).__name__)
        form.refused = forms.NOT_COUNTED
    return None


def _belongs_to_other_visitor(request: HttpRequest, key: uuid.UUID) -> bool:
    """Return whether another visitor has sent a message with this key.

    Reads the turn before the session: whoever stored it has a session by then.
    """
    owner = Turn.objects.filter(key=key).values_list("conversation__visitor", flat=True).first()
    return owner is not None and owner != future_visitor(request)


def _is_proven(request: HttpRequest, bot: Bot, form: MessageForm) -> bool:
    """Return whether there is a proof. Raises NotProven without one, unless people lead: then the bot isn't asked."""
    try:
        proof_of_work.check(bot.slug, form.cleaned_data["key"], form.proof)
        return True
    except proof_of_work.NotProven:
        conversation = shown_conversation(request, bot).first()
        if conversation is None or conversation.is_led_by_bot:
            raise
        return False


def refused(request: HttpRequest, bot: Bot, form: MessageForm, status: int = 422) -> HttpResponse:
    """Show the composer with the text that was typed and the reason why it wasn't sent."""
    refusal = form.refusal
    wait = refusal.wait or refusal.retry_after
    status = 503 if refusal.code == failure_rules.NOT_COUNTED else 429 if wait else status
    if request.htmx:
        context = {"bot": bot, "form": form, "after": request.POST.get("after", "")}
        response = fragment(request, "webchat/_composer.html", context, status, place=("#composer", "outerHTML"))
        if form.is_from_before_the_proof:
            response["HX-Refresh"] = "true"
    else:
        response = conversation_page(request, bot, form, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response


def _sent(request: HttpRequest, turn: Turn, form: MessageForm) -> HttpResponse:
    """Respond with the whole turn and with what the composer needs for the next message."""
    begun = surface_of(request) == Surface.PORTAL and not form.cleaned_data["conversation"]
    bot, conversation = turn.conversation.bot, turn.conversation
    context = {"turn": turn, "turns": [turn], "bot": bot, "form": form, "conversation": conversation, "begun": begun}
    if conversation.changes:
        shown = updates.read(request.POST.get("shown")) or updates.Shown(conversation.pk, turn=turn.pk - 1)
        context |= updates.since(conversation, shown)
    return fragment(request, "webchat/_sent.html", context)


def _turn(request: HttpRequest, turn: Turn, *, again: bool = False, status: int = 200) -> HttpResponse:
    context = {"turn": turn, "bot": turn.conversation.bot, "again": again, "conversation": turn.conversation}
    if not turn.conversation.is_led_by_bot:  # a person has taken over meanwhile: the page starts to poll
        context["shown"] = updates.read(request.POST.get("shown")) or updates.Shown(turn.conversation_id, turn=turn.pk)
    return fragment(request, "webchat/_turn_alone.html", context, status=status)

"""What the views for people respond with: the visitor's own conversation, and what is new in it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from webchat.conversation import updates
from webchat.conversation.responses import (
    IN_TRANSCRIPT,
    bot_of,
    fragment,
    show_with_draft,
    shown_conversation,
    surface_of,
)
from webchat.conversation.visitor_session import visitor_of
from webchat.models import Conversation


def own_conversation(request: HttpRequest, slug: str, pk: int | None = None) -> Conversation:
    """Return the visitor's conversation that the page shows; every look-up starts here. Raises Http404."""
    bot = bot_of(request, slug)
    if pk is None:
        return get_object_or_404(shown_conversation(request, bot))
    own = Conversation.objects.shown_on(surface_of(request), visitor_of(request), bot)
    return get_object_or_404(own, pk=pk)


def show_after_form(request: HttpRequest, conversation: Conversation, **more: object) -> HttpResponse:
    """Respond to a form: with htmx only what is new, else the whole page."""
    if not request.htmx:
        return show_with_draft(request, conversation.bot, conversation)
    conversation.refresh_from_db()
    last_turn = conversation.turns.order_by("pk").values_list("pk", flat=True).last() or 0
    shown = updates.read(request.POST.get("shown")) or updates.Shown(conversation.pk, turn=last_turn)
    response = fragments_since(request, conversation, shown, after_form=True, **more)
    if shown.conversation != conversation.pk:  # that one has ended, and nobody reads what the page shows of it
        response["HX-Refresh"] = "true"
    return response


def fragments_since(
    request: HttpRequest, conversation: Conversation, shown: updates.Shown, **more: object
) -> HttpResponse:
    return fragment(request, "webchat/_updates.html", updates.since(conversation, shown) | more, place=IN_TRANSCRIPT)

"""The conversation that is read beside the list, and what its own page shows of it, too."""

from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest

from desk import trained_bots
from desk.access.guard import is_id
from desk.conversations.listing import with_first
from desk.teaching.rights import may_teach
from webchat.models import Conversation

READ = "read"  # the parameter of the list's URL
MOST_TURNS = 500  # on one page; exports are complete


def taken_from(request: HttpRequest) -> str:
    """Return which conversation the URL names. The list doesn't get to see it: it would take it for a filter."""
    request.GET = request.GET.copy()
    return (request.GET.pop(READ, None) or [""])[-1]


def find(admin: ModelAdmin, request: HttpRequest, named: str) -> Conversation | None:
    """Return the conversation if it is still there and the account may see it."""
    if not is_id(named):
        return None
    rows = with_first(admin.get_queryset(request)).select_related("bot", "customer__user")
    return rows.filter(pk=named).first()


def context_of(request: HttpRequest, conversation: Conversation | None) -> dict[str, Any]:
    """Return what the templates show of a conversation."""
    if conversation is None:
        return {"conversation": None}
    turns = list(conversation.turns.order_by("-pk")[: MOST_TURNS + 1])[::-1]
    return {
        "conversation": conversation,
        "turns": turns[-MOST_TURNS:],
        "is_cut": len(turns) > MOST_TURNS,
        "may_teach": may_teach(request, trained_bots.answering_for(conversation.bot)),
    }


def mark_rows(listed: ChangeList, request: HttpRequest, conversation: Conversation | None) -> None:
    """Set for each row of the list the URL that opens it beside the list, and whether it is open."""
    for row in listed.result_list:
        query = request.GET.copy()
        query[READ] = row.pk
        row.reading_url, row.is_read = f"?{query.urlencode()}", row == conversation

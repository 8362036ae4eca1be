"""Streams conversations as CSV (one row a message) or JSON (one object a conversation)."""

import json
from collections.abc import Iterator
from itertools import groupby

from django.db.models import QuerySet
from django.http import StreamingHttpResponse

from desk.exports import spreadsheets
from webchat.models import Conversation, Turn

CHUNK = 1000  # rows in memory at once
HEAD = (
    *("conversation", "bot", "surface", "started", "sent", "message", "state", "code"),
    *("reply", "answered", "feedback", "reason"),
)


def as_csv(conversations: QuerySet[Conversation]) -> StreamingHttpResponse:
    return spreadsheets.csv_response("conversations.csv", HEAD, map(_row, _turns(conversations)))


def as_json(conversations: QuerySet[Conversation]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        json_lines(conversations),
        content_type="application/json; charset=utf-8",
        headers={
            "Content-Disposition": 'attachment; filename="conversations.json"',
            "Cache-Control": "no-store, private",
        },
    )


def json_lines(conversations: QuerySet[Conversation]) -> Iterator[str]:
    """Yield a JSON array with one conversation a line."""
    yield "["
    between = "\n"
    for _pk, turns in groupby(_turns(conversations), key=lambda turn: turn.conversation_id):
        yield between + json.dumps(_conversation(list(turns)), ensure_ascii=False)
        between = ",\n"
    yield "\n]\n"


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _turns(conversations: QuerySet[Conversation]) -> Iterator[Turn]:
    turns = Turn.objects.filter(conversation__in=conversations.order_by().values("pk"))
    return turns.select_related("conversation__bot").order_by("conversation", "pk").iterator(chunk_size=CHUNK)


def _row(turn: Turn) -> list[object]:
    of = turn.conversation
    columns = _turn(turn)
    return [
        *(str(of.public_id), of.bot.name, of.surface, _iso(of.started_at), columns["sent"], turn.message, turn.state),
        *(turn.code, turn.reply, columns["answered"], columns["feedback"], turn.feedback_reason),
    ]


def _conversation(turns: list[Turn]) -> dict[str, object]:
    of = turns[0].conversation
    return {
        "conversation": str(of.public_id),
        "bot": of.bot.slug,
        "surface": of.surface,
        "started": _iso(of.started_at),
        "ended": _iso(of.ended_at),
        "turns": [_turn(turn) for turn in turns],
    }


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "sent": _iso(turn.created_at),
        "message": turn.message,
        "state": turn.state,
        "code": turn.code,
        "reply": turn.reply,
        "answered": _iso(turn.ended_at) if turn.reply else None,
        "feedback": turn.get_feedback_display() if turn.feedback else None,
        "reason": turn.feedback_reason,
    }


def _iso(moment: object) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None

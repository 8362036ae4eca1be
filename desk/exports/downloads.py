"""Streams conversations as CSV (one row a message) or JSON (one object a conversation).

What team members wrote is included, and who joined and left, but not their notes.
"""

import heapq
import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from django.db.models import QuerySet
from django.http import StreamingHttpResponse

from desk.exports import spreadsheets
from webchat.models import Attachment, Conversation, Entry, Turn
from webchat.transcripts import FEEDBACK

CHUNK = 1000  # rows in memory at once
HEAD = (
    *("conversation", "bot", "surface", "started", "sent", "message", "state", "code"),
    *("reply", "outcome", "answered", "feedback", "reason", "team_member", "file", "details"),
)


def as_csv(conversations: QuerySet[Conversation]) -> StreamingHttpResponse:
    return spreadsheets.csv_response("conversations.csv", HEAD, map(_row, _items(conversations)))


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
    by_conversation = groupby(_items(conversations), key=lambda item: item.conversation_id)
    yield from json_array(_conversation(list(items)) for _pk, items in by_conversation)


def json_array(values: Iterable[object]) -> Iterator[str]:
    """Yield a JSON array with one value a line."""
    yield "["
    between = "\n"
    for value in values:
        yield between + json.dumps(value, ensure_ascii=False)
        between = ",\n"
    yield "\n]\n"


def _items(conversations: QuerySet[Conversation]) -> Iterator[Turn | Entry]:
    """Yield all turns and entries, conversation by conversation, in the order of the transcript, 1,000 at a time."""
    chosen = conversations.order_by().values("pk")
    turns = Turn.objects.filter(conversation__in=chosen).select_related("attachment").order_by("conversation", "pk")
    entries = Entry.objects.for_visitors().filter(conversation__in=chosen)
    entries = entries.order_by("conversation", "after_turn", "pk")
    both = (
        rows.select_related("conversation__bot").prefetch_related("conversation__details").iterator(chunk_size=CHUNK)
        for rows in (turns, entries)
    )
    return heapq.merge(*both, key=_place)


def _place(item: Turn | Entry) -> tuple[int, int, int, int]:
    if isinstance(item, Turn):
        return item.conversation_id, item.pk, 0, 0
    return item.conversation_id, item.after_turn, 1, item.pk


def _row(item: Turn | Entry) -> list[object]:
    of = item.conversation
    begin = [str(of.public_id), of.bot.name, of.surface, _iso(of.started_at)]
    if isinstance(item, Entry):
        written = _iso(item.created_at)
        said = ["", f"team: {item.kind}", "", item.text, "", written, None, "", item.name]
        return [*begin, written, *said, item.file.name if item.file else "", _details(of)]
    columns = _turn(item)
    return [
        *(*begin, columns["sent"], item.message, item.state),
        *(item.code, item.reply, item.outcome, columns["answered"], columns["feedback"], item.feedback_reason, ""),
        *(item.file.name if item.file else "", _details(of)),
    ]


def _conversation(items: list[Turn | Entry]) -> dict[str, object]:
    of = items[0].conversation
    return {
        "conversation": str(of.public_id),
        "bot": of.bot.slug,
        "surface": of.surface,
        "title": of.title or None,
        "page": of.page_url or None,
        "started": _iso(of.started_at),
        "ended": _iso(of.ended_at),
        "consent": _consent(of),
        "reply_email": of.reply_email or None,
        "details": [{"question": each.label, "answer": each.text} for each in of.details.all()],
        "turns": [_turn(item) for item in items if isinstance(item, Turn)],
        "team": [_entry(item) for item in items if isinstance(item, Entry)],
    }


def _consent(conversation: Conversation) -> dict[str, object] | None:
    """Return the text that the visitor agreed to, as it was then, and when."""
    if not conversation.consented_to:
        return None
    return {"agreed": _iso(conversation.consented_at), "text": conversation.consented_to}


def _details(conversation: Conversation) -> str:
    return "; ".join(str(detail) for detail in conversation.details.all())


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "written": _iso(entry.created_at),
        "kind": entry.kind,
        "team_member": entry.name,
        "text": entry.text,
        "file": _file(entry.file),
    }


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "sent": _iso(turn.created_at),
        "message": turn.message,
        "file": _file(turn.file),
        "state": turn.state,
        "code": turn.code,
        "reply": turn.reply,
        "outcome": turn.outcome or None,
        "answered": _iso(turn.ended_at) if turn.reply else None,
        "feedback": FEEDBACK.get(turn.feedback),
        "reason": turn.feedback_reason,
    }


def _file(attachment: Attachment | None) -> dict[str, object] | None:
    """Describe the file. `path`: within the folder `media`."""
    if attachment is None:
        return None
    return {
        "name": attachment.name,
        "type": attachment.content_type,
        "bytes": attachment.size,
        "path": attachment.file.name,
    }


def _iso(moment: object) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None

"""Fixture rows for a desk on a busy day, in `loaddata`'s format."""

import datetime

from tests.browser.owner import owner_row
from tests.browser.site import bot_row

REFERENCE = "0b9f2c1e-5a47-4c57-8a3b-6f1d2e3c4b5a"
LONG_AGO = "2026-01-02T03:04:05Z"
LONG_NAME = "Bundesverwaltungsgerichtsentscheidungssammlung für Rheinland-Pfalz und das Saarland"[:80]

HOURS = "Mon-Fri 9-12, 13-17"


def row(model: str, key: object, /, **fields: object) -> dict[str, object]:
    return {"model": model, "pk": key, "fields": fields}


def busy_rows() -> list[dict[str, object]]:
    """Return rows that fill each card of the overview and the figures of two days."""
    now = datetime.datetime.now(datetime.UTC)
    today = now.date()
    turn = {
        "conversation": 71,
        "message": "Is my parcel lost?",
        "reply": "I don’t know.",
        "state": "answered",
        "outcome": "not_known",
    }
    alarm = {"bot": 7, "cause": "key_refused", "number": 1, "raised_at": now.isoformat(), "held_back": 11}
    question = {"chat": 1, "reply": "–", "certainty": "unknown", "sources": [], "created_at": LONG_AGO}
    return [
        row(
            "webchat.conversation",
            71,
            bot=7,
            visitor="0" * 64,
            led_by="queue",
            led_since=LONG_AGO,
            started_at=LONG_AGO,
            visitor_seen_at="2099-01-02T03:04:05Z",
        ),
        {
            "model": "webchat.turn",
            "pk": 711,
            "fields": turn | {"created_at": now.isoformat(), "ended_at": now.isoformat()},
        },
        row("webchat.handover", 1, bot=7, surface="chat", visitor="0" * 64, email="jo@example.com", message="Call me"),
        {"model": "webchat.alarm", "pk": 1, "fields": alarm | {"facts": {"code": "INVALID_API_KEY"}}},
        row("webchat.allowance", "budget:7", window=today.toordinal(), used=430),
        row("docbot.trainedbot", 9, slug="shop-documents", name="Shop documents"),
        row("docbot.document", 91, trained_bot=9, kind="upload", location="/prices.xls", problem="Save it as XLSX."),
        row("docbot.chat", 1, chat_id="one", trained_bot=9),
        *(row("docbot.exchange", n, message=f"Do you rent out tents? {n}", **question) for n in range(1, 4)),
        *(
            row("desk.tally", 10 * days + n, bot=7, day=str(today - datetime.timedelta(days)), surface="chat", **fields)
            for days in (0, 7)
            for n, fields in enumerate(
                (
                    {"measure": "conversations", "number": 120 + days},
                    {"measure": "answered", "number": 480 - days},
                    {"measure": "failed", "name": "INVALID_API_KEY", "number": 12},
                    {"measure": "reply_time", "name": "80", "number": 480},
                ),
                start=1,
            )
        ),
    ]


def desk_rows() -> list[dict[str, object]]:
    """Return rows for an owner, a bot that docbot answers, a conversation with it, and a busy day."""
    conversation = {"bot": 7, "visitor": "1" * 64, "surface": "chat", "public_id": REFERENCE}
    turn = {"conversation": 73, "message": "When do you open?", "reply": "At **nine**.", "state": "answered"}
    return [
        owner_row(),
        bot_row(
            7,
            "shop",
            languages="de,ar,fr,es,it,pl",
            hours=HOURS,
            daily_budget=500,
            people_answer=True,
        ),
        bot_row(8, "long", name=LONG_NAME, daily_budget=10),
        row("webchat.teaserrule", 1, bot=7, text="Shall I compare the prices?", page="/prices", visitors="new"),
        row("webchat.teaserrule", 2, bot=7, text="Welcome back!", visitors="returning"),
        row("kiosk.device", 9, name="Lobby", bot=7, token_hash="0" * 64, languages="en,de,ar,fr,es,it,pl"),
        {"model": "webchat.conversation", "pk": 73, "fields": conversation},
        {"model": "webchat.turn", "pk": 731, "fields": turn | {"created_at": LONG_AGO, "ended_at": LONG_AGO}},
        *busy_rows(),
    ]

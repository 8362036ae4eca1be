"""A conversation to take along: as plain text and as data; as a page of its own it is a template."""

import json

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from webchat.models import Bot, Turn
from webchat.rendering import without_invisible


def as_text(bot: Bot, turns: list[Turn]) -> str:
    """Each message and what became of it, under its speaker and time."""
    blocks = [bot.name]
    for turn in turns:
        blocks.append(f"{_('You')}, {_when(turn)}\n{turn.message}")
        if turn.state == Turn.State.ANSWERED:
            blocks.append(f"{bot.name}\n{without_invisible(turn.reply)}")
        elif turn.state == Turn.State.FAILED:
            blocks.append(f"– {turn.rule.sentence}")
    return "\n\n".join(blocks) + "\n"


def as_json(bot: Bot, turns: list[Turn]) -> str:
    """`{"bot", "exported_at", "turns": [{"sent_at", "message", "state", "reply", "answered_at"}]}`; times: ISO 8601."""
    return json.dumps(
        {
            "bot": bot.name,
            "exported_at": timezone.now().isoformat(timespec="seconds"),
            "turns": [
                {
                    "sent_at": turn.created_at.isoformat(timespec="seconds"),
                    "message": turn.message,
                    "state": turn.state,
                    "reply": turn.reply or None,
                    "answered_at": turn.ended_at.isoformat(timespec="seconds") if turn.reply else None,
                }
                for turn in turns
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def _when(turn: Turn) -> str:
    """With its zone: the server's, while the page shows the visitor's own."""
    at = timezone.localtime(turn.created_at)
    return f"{date_format(at, 'DATETIME_FORMAT')} {at:%Z}"

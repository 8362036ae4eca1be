"""A conversation to take along: as plain text and as data; as a page of its own it is a template."""

import json

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from webchat.models import Attachment, Bot, Turn
from webchat.rendering import follow_ups
from webchat.rendering.bot_text import without_invisible


def as_text(bot: Bot, turns: list[Turn]) -> str:
    """Each message and what became of it, under its speaker and time."""
    blocks = [bot.name]
    for turn in turns:
        said = file_in_words(turn.file) if turn.file else turn.message
        blocks.append(f"{_('You')}, {_when(turn)}\n{said}")
        if turn.state == Turn.State.ANSWERED:
            blocks.append(f"{bot.name}\n{without_invisible(follow_ups.in_words(turn.reply))}")
        elif turn.state == Turn.State.FAILED:
            blocks.append(f"– {turn.rule.sentence}")
    return "\n\n".join(blocks) + "\n"


def as_json(bot: Bot, turns: list[Turn]) -> str:
    """`{"bot", "exported_at", "turns": [{"sent_at", "message", "file", "state", "reply", "answered_at"}]}`.

    Times are ISO 8601; `file` is a name.
    """
    return json.dumps(
        {
            "bot": bot.name,
            "exported_at": timezone.now().isoformat(timespec="seconds"),
            "turns": [
                {
                    "sent_at": turn.created_at.isoformat(timespec="seconds"),
                    "message": turn.message,
                    "file": turn.file.name if turn.file else None,
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


def file_in_words(attachment: Attachment, by: str = "") -> str:
    """Who has sent which file; without a name the visitor has."""
    if by:
        sentence = (
            _("%(name)s sent a picture: %(file)s") if attachment.is_picture else _("%(name)s sent a file: %(file)s")
        )
    else:
        sentence = _("You sent a picture: %(file)s") if attachment.is_picture else _("You sent a file: %(file)s")
    return sentence % {"name": by, "file": attachment.name}


def _when(turn: Turn) -> str:
    """With its zone: the server's, while the page shows the visitor's own."""
    at = timezone.localtime(turn.created_at)
    return f"{date_format(at, 'DATETIME_FORMAT')} {at:%Z}"

"""A conversation to save: as plain text and as data; as HTML it is a template."""

import json
from collections.abc import Iterable

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from webchat.models import Attachment, Bot, Conversation, Entry, Feedback, Turn
from webchat.rendering import plain_text
from webchat.rendering.bot_text import markdown

FEEDBACK = {Feedback.UP: "helpful", Feedback.DOWN: "not helpful"}


def in_order(turns: Iterable[Turn], entries: Iterable[Entry]) -> list[tuple[str, Turn | Entry]]:
    """Return both in order, each with its kind: an entry after the turn that was the last one when it was written."""
    items = [((turn.pk, 0, 0), "turn", turn) for turn in turns]
    items += [((entry.after_turn, 1, entry.pk), "entry", entry) for entry in entries]
    return [(kind, item) for _place, kind, item in sorted(items, key=lambda item: item[0])]


def as_text(bot: Bot, turns: Iterable[Turn], entries: Iterable[Entry], visitor: str = "") -> str:
    """Return each message and its outcome, under its speaker and time; and who joined and left.

    `visitor` is what others call the visitor; without it the visitor reads it.
    """
    blocks = [bot.name]
    for kind, item in in_order(turns, entries):
        blocks += _entry_in_words(bot, item, visitor) if kind == "entry" else _turn_in_words(bot, item, visitor)
    return "\n\n".join(blocks) + "\n"


def as_html(bot: Bot, turns: Iterable[Turn], entries: Iterable[Entry], visitor: str) -> SafeString:
    """Return it as a part of a page or a mail for somebody else than the visitor: the bot's Markdown as HTML."""
    context = {"bot": bot, "turns": turns, "entries": entries, "visitor": visitor}
    return render_to_string("webchat/_saved.html", context)


def as_json(bot: Bot, conversation: Conversation | None, turns: list[Turn], entries: Iterable[Entry]) -> str:
    """`{"bot", "title", "consent", …, "exported_at", "turns": […], "team": […]}`: what was agreed to and said by whom.

    Times are ISO 8601; `file` is a name; `after_turns` says how many of the turns stand before the entry.
    """
    number = {turn.pk: number for number, turn in enumerate(turns, 1)}
    data = {
        "bot": bot.name,
        **(_about(conversation) if conversation else {}),
        "exported_at": timezone.now().isoformat(timespec="seconds"),
        "turns": [_turn(turn) for turn in turns],
        "team": [_entry(entry) | {"after_turns": number.get(entry.after_turn, 0)} for entry in entries],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def event_in_words(bot: Bot, entry: Entry) -> str:
    """Return who joined or left, in the words of the page, without its markup around names."""
    is_back = _("<bdi>%(name)s</bdi> can’t answer right now. You are back in the queue.")
    sentences = {
        Entry.Kind.QUEUED: is_back if entry.name else _("You have asked for a person."),
        Entry.Kind.JOINED: _("<bdi>%(name)s</bdi> has joined."),
        Entry.Kind.HANDED_OVER: _("<bdi>%(name)s</bdi> has taken over."),
        Entry.Kind.HANDED_BACK: _("<bdi>%(name)s</bdi> has handed you back to <bdi>%(bot)s</bdi>."),
        Entry.Kind.CLOSED: _("<bdi>%(name)s</bdi> has left. <bdi>%(bot)s</bdi> is answering you again."),
        Entry.Kind.LEFT: _("<bdi>%(bot)s</bdi> is answering you again."),
    }
    sentence = sentences[Entry.Kind(entry.kind)].replace("<bdi>", "").replace("</bdi>", "")
    return sentence % {"name": entry.name, "bot": bot.name}


def event_for_team(bot: Bot, entry: Entry) -> str:
    """Return who joined or left, as the team reads it, at the desk and in mails."""
    is_back = _("%(name)s is away: the visitor is back in the queue")
    sentences = {
        Entry.Kind.QUEUED: is_back if entry.name else _("The visitor has asked for a person"),
        Entry.Kind.JOINED: _("%(name)s has joined"),
        Entry.Kind.HANDED_OVER: _("Handed over to %(name)s"),
        Entry.Kind.HANDED_BACK: _("%(name)s has handed back to %(bot)s"),
        Entry.Kind.CLOSED: _("%(name)s has closed the conversation"),
        Entry.Kind.LEFT: _("The visitor has stopped waiting"),
    }
    return sentences[Entry.Kind(entry.kind)] % {"name": entry.name, "bot": bot.name}


def file_in_words(attachment: Attachment, by: str = "") -> str:
    """Return who sent which file; without a name it was the visitor."""
    if by:
        sentence = (
            _("%(name)s sent a picture: %(file)s") if attachment.is_picture else _("%(name)s sent a file: %(file)s")
        )
    else:
        sentence = _("You sent a picture: %(file)s") if attachment.is_picture else _("You sent a file: %(file)s")
    return sentence % {"name": by, "file": attachment.name}


def _turn_in_words(bot: Bot, turn: Turn, visitor: str) -> Iterable[str]:
    said = file_in_words(turn.file, visitor) if turn.file else turn.message
    yield f"{visitor or _('You')}, {_when(turn)}\n{said}"
    if turn.state == Turn.State.ANSWERED:
        yield f"{bot.name}\n{plain_text.from_html(markdown(turn.reply))}"
    elif turn.state == Turn.State.FAILED:
        yield f"– {turn.rule.sentence}"


def _entry_in_words(bot: Bot, entry: Entry, visitor: str) -> Iterable[str]:
    if entry.kind != Entry.Kind.MESSAGE:
        yield f"– {event_for_team(bot, entry) if visitor else event_in_words(bot, entry)}"
        return
    said = [plain_text.from_html(markdown(entry.text))] if entry.text else []
    said += [file_in_words(entry.file, entry.name)] if entry.file else []
    yield "\n".join([f"{entry.name}, {_when(entry)}", *said])


def _about(conversation: Conversation) -> dict[str, object]:
    agreed_at = conversation.consented_at and conversation.consented_at.isoformat(timespec="seconds")
    return {
        "title": conversation.title or None,
        "consent": {"agreed_at": agreed_at, "text": conversation.consented_to} if agreed_at else None,
        "page": conversation.page_url or None,
        "reply_email": conversation.reply_email or None,
    }


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "sent_at": turn.created_at.isoformat(timespec="seconds"),
        "message": turn.message,
        "file": turn.file.name if turn.file else None,
        "state": turn.state,
        "reply": turn.reply or None,
        "answered_at": turn.ended_at.isoformat(timespec="seconds") if turn.reply else None,
        "feedback": FEEDBACK.get(turn.feedback),
        "reason": turn.feedback_reason or None,
    }


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "sent_at": entry.created_at.isoformat(timespec="seconds"),
        "kind": entry.kind,
        "team_member": entry.name or None,
        "message": entry.text or None,
        "file": entry.file.name if entry.file else None,
    }


def _when(item: Turn | Entry) -> str:
    """Return the time with its zone: the server's, while the page shows the visitor's own."""
    at = timezone.localtime(item.created_at)
    return f"{date_format(at, 'DATETIME_FORMAT')} {at:%Z}"

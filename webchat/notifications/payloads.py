"""Writes what owners are told of a request for a person, an alarm or a question to teach: e-mail and webhook."""

import json

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import NoReverseMatch, reverse
from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webchat import site, transcripts
from webchat.models import Alarm, Delivery, Handover
from webchat.notifications import mails, replies

# Read at the desk in its reader's language; in mails and webhooks in the site's. Facts are numbers and codes.
SENTENCES = {
    "key_refused": _("The bot’s service refuses its key or its address: visitors get no replies. Last code: {code}."),
    "bot_disabled": _("The bot is switched off at its service: visitors get no replies."),
    "budget_near": _("{used} of today’s {budget} messages have been used."),
    "budget_spent": _("Today’s messages are used up. The chat is closed until midnight."),
    "failures": _("{failed} of {all} messages failed in the last {minutes} minutes."),
    "undelivered": _(
        "A visitor’s request for a person could not be delivered in {tries} attempts. You can read it at the desk."
    ),
}


@translation.override(settings.LANGUAGE_CODE)
def email(delivery: Delivery, recipient: str) -> EmailMultiAlternatives:
    """Return the e-mail. It has the same id at each attempt, so that a duplicate is recognised."""
    host = site.sender().rpartition("@")[2].strip("> ")
    headers = {"Message-ID": f"<{delivery.key}@{host}>", "Auto-Submitted": "auto-generated"}
    if delivery.entry:
        return replies.email(delivery, recipient, headers)
    if delivery.handover:
        content, reply_to = _of_handover(delivery.handover), [delivery.handover.email]
    else:
        content, reply_to = _of_alarm(delivery.alarm), []
    subject = _("%(label)s: %(text)s") % {"label": content.name, "text": content.heading}
    return mails.make(subject, recipient, content, reply_to=reply_to, headers=headers)


@translation.override(settings.LANGUAGE_CODE)
def body(delivery: Delivery) -> bytes:
    """Return the JSON `{"type", "created_at", "bot", …}`, as docs/request-form.md describes it."""
    if delivery.turn:
        data = _question_data(delivery)
    else:
        data = _handover_data(delivery.handover) if delivery.handover else _alarm_data(delivery.alarm)
    return json.dumps({**data, "bot": delivery.bot.slug}, ensure_ascii=False).encode()


def sentence(alarm: Alarm) -> str:
    """Return the alarm as a sentence, with the number of repeats that were held back."""
    text = SENTENCES[alarm.cause].format_map(alarm.facts)
    if alarm.held_back_before:
        again = ngettext(
            "It has happened %(number)d more time since the last message about this.",
            "It has happened %(number)d more times since the last message about this.",
            alarm.held_back_before,
        )
        text = f"{text} {again % {'number': alarm.held_back_before}}"
    return text


def _of_handover(handover: Handover) -> mails.Content:
    turns = handover.transcript
    return mails.Content(
        name=handover.bot.name,
        heading="A visitor asks for a person",
        paragraphs=[
            f"{handover.email} wrote on the page of {handover.bot}:",
            *(str(detail) for detail in handover.details.all()),
        ],
        message=handover.message,
        transcript=transcripts.as_html(handover.bot, turns, handover.entries, handover.email) if turns else None,
        button="Open it at the desk",
        url=_desk_url("handover", handover.pk),
        note="Reply to this e-mail to answer.",
        accent=handover.bot.accent,
    )


def _of_alarm(alarm: Alarm) -> mails.Content:
    return mails.Content(
        name=alarm.bot.name,
        heading=capfirst(alarm.get_cause_display()),
        paragraphs=[sentence(alarm)],
        button="Open the bot at the desk",
        url=_desk_url("bot", alarm.bot_id),
        accent=alarm.bot.accent,
    )


def _handover_data(handover: Handover) -> dict[str, object]:
    return {
        "type": "handover.requested",
        "id": str(handover.key),
        "created_at": handover.created_at.isoformat(timespec="seconds"),
        "surface": handover.surface,
        "language": handover.language,
        "email": handover.email,
        "message": handover.message,
        "details": [{"question": each.label, "answer": each.text} for each in handover.details.all()],
        "transcript": _transcript(handover) or None,
    }


def _alarm_data(alarm: Alarm) -> dict[str, object]:
    return {
        "type": "alarm.raised",
        "id": f"{alarm.bot.slug}-{alarm.cause}-{alarm.number}",
        "created_at": alarm.raised_at.isoformat(timespec="seconds"),
        "cause": alarm.cause,
        "sentence": sentence(alarm),
        "facts": alarm.facts,
        "held_back": alarm.held_back_before,
    }


def _question_data(delivery: Delivery) -> dict[str, object]:
    turn = delivery.turn
    return {
        "type": "question.to_teach",
        "id": str(turn.key),
        "created_at": turn.created_at.isoformat(timespec="seconds"),
        **delivery.question,
    }


def _transcript(handover: Handover) -> str:
    turns = list(handover.transcript)
    with translation.override(settings.LANGUAGE_CODE):
        return transcripts.as_text(handover.bot, turns, handover.entries, handover.email) if turns else ""


def _desk_url(model: str, pk: int) -> str:
    """Return the URL; "" if the site doesn't know its own or has no desk."""
    try:
        path = reverse(f"admin:webchat_{model}_change", args=[pk])
    except NoReverseMatch:
        return ""
    return site.url() and site.url() + path

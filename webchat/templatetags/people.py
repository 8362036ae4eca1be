"""What templates call about people: whether one can be reached, how long it takes, and files that go to them."""

import uuid
from collections.abc import Iterable

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _

from webchat import site, transcripts
from webchat.attachments import content, serving, uploads
from webchat.attachments.forms import TOO_LARGE
from webchat.conversation import updates
from webchat.handover import phrases, push_subscriptions, queue
from webchat.handover.forms import HandoverForm
from webchat.models import Attachment, Bot, Conversation, Feedback, Leader, Surface, Turn
from webchat.models.conversations.turns import THUMBS_DOWN_FOR_A_PERSON
from webchat.notifications import web_push
from webchat.templatetags.webchat import surface

register = template.Library()
register.simple_tag(transcripts.file_in_words)
register.simple_tag(transcripts.event_in_words)
register.simple_tag(transcripts.event_for_team)
register.simple_tag(queue.usual_wait)
register.simple_tag(queue.has_waited_long)


@register.simple_tag
def offer_person_at(bot: Bot, turns: Iterable[Turn]) -> uuid.UUID | None:
    """Return the latest unhelpful reply if there have been so many that a person is offered."""
    down = [turn.key for turn in turns if turn.feedback == Feedback.DOWN]
    may_offer = bot.has_way_to_person and bot.offers_person_after_thumbs_down
    return down[-1] if may_offer and len(down) >= THUMBS_DOWN_FOR_A_PERSON else None


@register.simple_tag(takes_context=True)
def offers_person_beside(context: Context, bot: Bot, turn: Turn) -> bool:
    """Return whether to offer a person beside this reply: the bot didn't know, or the message asked for one."""
    if not bot.has_way_to_person or not turn.conversation.is_led_by_bot:
        return False
    is_unknown = bot.offers_person_when_not_known and turn.outcome == Turn.Outcome.NOT_KNOWN
    is_asked_for = bot.offers_person_when_asked_for and phrases.asks_for_person(turn.message)
    return (is_unknown or is_asked_for) and offers_person(context, bot)


@register.simple_tag(takes_context=True)
def send_file_url(context: Context) -> str:
    """Return where this page may send a file now; "" if it may not."""
    conversation, place = context.get("conversation"), surface(context)
    return uploads.upload_url(conversation, place) if place and uploads.takes_files(conversation, place) else ""


@register.simple_tag
def file_limits() -> dict[str, object]:
    """Return what the composer says about files."""
    return {"accept": content.ACCEPT, "bytes": content.MOST_BYTES, "too_large": TOO_LARGE}


@register.simple_tag
def picture_in_frame(bot: Bot, attachment: Attachment) -> str:
    """Return the URL of a picture for a frame, which has no cookie."""
    args = [bot.slug, attachment.key, serving.frame_token(attachment)]
    return reverse("chat:file-in-frame", args=args, current_app=Surface.EMBED)


@register.simple_tag
def has_files(bot: Bot, place: str) -> bool:
    """Return whether the composer has a button for files while a person answers."""
    return bot.people_answer and bot.takes_files and place != Surface.KIOSK


@register.simple_tag(takes_context=True)
def has_people(context: Context, bot: Bot) -> bool:
    """Return whether a team member is there to answer in the transcript; looked up once for each request."""
    known = context["request"].webchat
    if known.has_people is None:
        known.has_people = queue.has_people(bot)
    return known.has_people


@register.simple_tag(takes_context=True)
def offers_person(context: Context, bot: Bot) -> bool:
    """Return whether the visitor can reach a person at all, by the queue or by the form."""
    return bot.handover or has_people(context, bot)


@register.simple_tag(takes_context=True)
def may_be_mailed(context: Context) -> bool:
    """Return whether an e-mail can reach a visitor who has left; what is said at a kiosk ends with the visit."""
    return bool(site.has_mail_server() and site.url()) and surface(context) != Surface.KIOSK


@register.simple_tag(takes_context=True)
def push_key(context: Context, bot: Bot) -> str:
    """Return what a browser needs to ask for notifications; "" where there are none."""
    place = surface(context) or (Surface.CHAT if context["request"].resolver_match.url_name == "home" else "")
    return web_push.public_key() if push_subscriptions.may_notify(bot, place) else ""


@register.simple_tag(takes_context=True)
def is_notified(context: Context, conversation: Conversation) -> bool:
    """Return whether this browser gets a notification when a person answers."""
    return push_subscriptions.own_subscriptions(context["request"], conversation).exists()


@register.simple_tag(takes_context=True)
def composer_placeholder(context: Context, bot: Bot) -> str:
    """Return the message box's placeholder, which says who will read the message."""
    conversation = context.get("conversation")
    if conversation and conversation.led_by == Leader.QUEUE:
        return _("Message our team")
    member = conversation.team_member if conversation else None
    return _("Message %(name)s") % {"name": member.name if member else bot.name}


@register.simple_tag(takes_context=True)
def updates_token(context: Context) -> str:
    """Return the token of what this page shows, for its next poll."""
    shown = context.get("shown") or updates.shown_in(
        context["conversation"], context.get("turns") or [], context.get("entries") or []
    )
    return shown.token


@register.simple_tag
def request_form() -> HandoverForm:
    """Return an empty form for a person, for a page that has it in place of a chat."""
    return HandoverForm()

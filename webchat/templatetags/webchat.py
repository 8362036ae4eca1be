"""What templates ask for: the rendering, where they stand, and the colours that the visitor has chosen."""

import datetime
import functools
import math
import uuid
from collections.abc import Iterable, Iterator

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from webchat import transcripts
from webchat.appearance import styles
from webchat.attachments import content, serving, uploads
from webchat.attachments.forms import TOO_LARGE
from webchat.conversation import accept, responses, updates
from webchat.conversation.visitor_session import visitor_of
from webchat.embed.embed_session import in_frame
from webchat.handover import phrases, queue
from webchat.limits import proof_of_work
from webchat.models import Attachment, Bot, Conversation, Entry, Feedback, Handover, Surface, Turn
from webchat.models.turns import DISAPPOINTED_AFTER, prefetch_files
from webchat.rendering import bot_text, follow_ups

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """The bot's Markdown as safe HTML."""
    return bot_text.markdown(text)


@register.simple_tag(takes_context=True, name="markdown")
def markdown_here(context: Context, text: str) -> SafeString:
    """The bot's Markdown as the surface shows it: nothing leads away from a kiosk, so its links are QR codes."""
    if surface(context) == Surface.KIOSK:
        return bot_text.markdown_with_codes(text, _("QR code: #"))
    return bot_text.markdown(text)


@register.filter
def with_questions(reply: str) -> follow_ups.Reply:
    """The reply's text, and the questions that it offers."""
    return follow_ups.split(reply)


@register.simple_tag(takes_context=True)
def guard(context: Context) -> SafeString:
    """What each form that changes something carries against foreign sites; in a frame, the session's token."""
    request = context["request"]
    if request.webchat.frame_token:
        return format_html(
            '<input type="hidden" name="session" value="{}" data-session autocomplete="off">'
            '<input type="hidden" name="lang" value="{}">',
            request.webchat.frame_token,
            request.LANGUAGE_CODE,
        )
    # What came with this request, and was found to be right, does for the next one; a new one takes as long as a page.
    sent = request.POST.get("csrfmiddlewaretoken") if getattr(request, "csrf_processing_done", False) else None
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', sent or context["csrf_token"])


@register.simple_tag
def moment(at: datetime.datetime) -> SafeString:
    """In the site's time zone; the page's script puts it into the visitor's."""
    local = timezone.localtime(at)
    words = _in_words(local.replace(second=0, microsecond=0), get_language())
    return format_html('<time class="small" datetime="{}">{}</time>', local.isoformat(), words)


@register.simple_tag
def try_again_at(at: datetime.datetime) -> dict[str, str]:
    """The sentence in the site's time zone, and both forms of it for the page's script, which knows the visitor's."""
    local = timezone.localtime(at + datetime.timedelta(seconds=59)).replace(second=0, microsecond=0)
    today = _("Try again at %(time)s.")
    another_day = _("Try again on %(day)s at %(time)s.")
    sentence = today if local.date() == timezone.localdate() else another_day
    day, time = date_format(local, "MONTH_DAY_FORMAT"), f"{date_format(local, 'TIME_FORMAT')} {local.tzname()}"
    return {
        "iso": local.isoformat(),
        "sentence": sentence % {"day": day, "time": time},
        "today": today % {"time": "{time}"},
        "another_day": another_day % {"day": "{day}", "time": "{time}"},
    }


@register.simple_tag
def wait_in_minutes(seconds: int) -> list[str]:
    """What to say with one minute left, with two, and so on: in some languages more changes than the number."""
    minutes = range(1, math.ceil(seconds / 60) + 1)
    return [ngettext("Wait %(minutes)d minute.", "Wait %(minutes)d minutes.", n) % {"minutes": n} for n in minutes]


@functools.lru_cache(maxsize=256)
def _in_words(minute: datetime.datetime, language: str | None) -> str:
    """The language is the active one: here for the cache."""
    return date_format(minute, "SHORT_DATETIME_FORMAT")


@register.simple_tag
def qr_code(url: str) -> SafeString:
    """An address for the visitor's own phone."""
    return bot_text.qr_code(url, _("QR code: #"))


@register.simple_tag
def offer_person_at(bot: Bot, turns: Iterable[Turn]) -> uuid.UUID | None:
    """The latest of the replies that were no help, when there have been so many that a person is offered."""
    down = [turn.key for turn in turns if turn.feedback == Feedback.DOWN]
    may_offer = bot.has_way_to_person and bot.offers_person_after_thumbs_down
    return down[-1] if may_offer and len(down) >= DISAPPOINTED_AFTER else None


@register.simple_tag
def offers_person_beside(bot: Bot, turn: Turn) -> bool:
    """Is a person offered beside this reply: because the bot didn't know, or because the message asked for one?"""
    if not bot.has_way_to_person or not turn.conversation.is_bots:
        return False
    is_unknown = bot.offers_person_when_not_known and turn.outcome == Turn.Outcome.NOT_KNOWN
    return is_unknown or (bot.offers_person_when_asked_for and phrases.asks_for_person(turn.message))


@register.simple_tag(takes_context=True)
def timeline(context: Context, turns: Iterable[Turn]) -> list[tuple[str, Turn | Entry | Handover]]:
    """All that stands in the transcript, in its order; each with what it is."""
    turns = list(turns)
    prefetch_files(turns)
    items = transcripts.in_order(turns, context.get("entries", ()))
    shown: list[tuple[str, Turn | Entry | Handover]] = [
        ("entry" if isinstance(item, Entry) else "turn", item) for item in items
    ]
    last = next((n for n, (kind, _) in reversed([*enumerate(shown)]) if kind == "turn"), None)
    last_turn = shown[last][1] if last is not None else None
    if last_turn and last_turn.state == Turn.State.PERSON and last_turn.conversation.is_bots and not last_turn.file:
        answers = (item for _, item in shown[last:] if isinstance(item, Entry) and item.kind == Entry.Kind.MESSAGE)
        last_turn.may_go_to_bot = next(answers, None) is None
    for request in context.get("handovers", ()):  # has its time only
        later = (n for n, (_, item) in enumerate(shown) if item.created_at > request.created_at)
        shown.insert(next(later, len(shown)), ("request", request))
    return shown


@register.filter
def with_days(items: Iterable[tuple[str, Turn | Entry | Handover]]) -> Iterator[tuple[str, object]]:
    """The items, and before the first one of each day that day, in the site's time zone. A talk of today needs none."""
    before = timezone.localdate()
    for kind, item in items:
        day = timezone.localdate(item.created_at)
        if day != before:
            yield "day", _day_in_words(day)
        before = day
        yield kind, item


def _day_in_words(day: datetime.date) -> str:
    days_ago = (timezone.localdate() - day).days
    if days_ago in (0, 1):
        return _("Yesterday") if days_ago else _("Today")
    return date_format(day, "DATE_FORMAT")


@register.simple_tag(takes_context=True)
def send_file_url(context: Context) -> str:
    """Where this page may send a file now; "" where it may not."""
    conversation, place = context.get("conversation"), surface(context)
    return uploads.upload_url(conversation, place) if place and uploads.takes_files(conversation, place) else ""


@register.simple_tag
def file_in_words(attachment: Attachment, by: str) -> str:
    """What screen readers are told; without `by` the visitor has sent it."""
    return transcripts.file_in_words(attachment, by)


@register.simple_tag
def event_in_words(bot: Bot, entry: Entry) -> str:
    """Who came or went, as a saved conversation has it."""
    return transcripts.event_in_words(bot, entry)


@register.simple_tag
def file_limits() -> dict[str, object]:
    """What the composer says of files."""
    return {"accept": content.ACCEPT, "bytes": content.MOST_BYTES, "too_large": TOO_LARGE}


@register.simple_tag
def fresh_key() -> uuid.UUID:
    """Makes sending a file twice the same as sending it once."""
    return uuid.uuid4()


@register.simple_tag
def picture_in_frame(bot: Bot, attachment: Attachment) -> str:
    """The address of a picture for a frame, which has no cookie to ask with."""
    args = [bot.slug, attachment.key, serving.frame_token(attachment)]
    return reverse("chat:file-in-frame", args=args, current_app=Surface.EMBED)


@register.simple_tag
def has_files(bot: Bot, place: str) -> bool:
    """Whether the composer has a button for files while a person answers."""
    return bot.people_answer and bot.takes_files and place != Surface.KIOSK


@register.simple_tag(takes_context=True)
def has_people(context: Context, bot: Bot) -> bool:
    """Is a team member there who answers in the transcript? Looked up once for each request."""
    known = context["request"].webchat
    if known.has_people is None:
        known.has_people = queue.has_people(bot)
    return known.has_people


@register.simple_tag(takes_context=True)
def offers_person(context: Context, bot: Bot) -> bool:
    """Can the visitor get to a person at all, by the queue or by the form?"""
    return bot.handover or has_people(context, bot)


@register.simple_tag
def may_be_mailed() -> bool:
    """Does the site have a mail server, and a URL for the link in a mail?"""
    return bool(settings.EMAIL_HOST and settings.SITE_URL)


@register.simple_tag
def usual_wait(bot: Bot) -> int | None:
    """Minutes, out of real waits; None when there were too few."""
    return queue.usual_wait(bot)


@register.simple_tag
def has_waited_long(conversation: Conversation) -> bool:
    """Longer than the owner lets visitors wait before the form is offered."""
    return queue.has_waited_long(conversation)


@register.simple_tag(takes_context=True)
def updates_token(context: Context) -> str:
    """What this page will show, for its next question about what is new."""
    shown = context.get("shown") or updates.shown_in(
        context["conversation"], context.get("turns") or [], context.get("entries") or []
    )
    return shown.token


@register.simple_tag(takes_context=True)
def has_to_agree(context: Context, bot: Bot) -> bool:
    """Is the visitor to be asked for consent before the first message?"""
    return bool(bot.words.consent) and accept.has_to_agree(visitor_of(context["request"]), bot)


@register.simple_tag
def challenge(bot: Bot, key: uuid.UUID) -> str:
    """What the visitor's device has to solve for the message of that key."""
    return proof_of_work.challenge(bot.slug, key)


@register.simple_tag(takes_context=True)
def surface(context: Context) -> str:
    """Where the page stands; "" where it stands on none."""
    request = context.get("request")
    match = request.resolver_match if request else None
    return match.namespace if match and match.namespace in Surface.values else ""


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The visitor's choice, "light" or "dark", else "" for the system's own: on every page, so that none flashes.

    A frame has no cookies: the launcher asks for what suits the website.
    """
    request = context["request"]
    chosen = context.get("theme") or (request.GET if in_frame(request) else request.COOKIES).get("theme")
    return chosen if chosen in ("light", "dark") else ""


@register.simple_tag(takes_context=True)
def page_style(context: Context) -> SafeString:
    """The style sheet of every page."""
    return styles.page_style(context.get("request"))


@register.simple_tag
def saved_style() -> SafeString:
    """The style sheet of a saved conversation."""
    return styles.saved_style()


@register.simple_tag
def mail_style(accent: str) -> SafeString:
    """The style sheet of a mail."""
    return styles.mail_style(accent)


@register.simple_tag(takes_context=True)
def color_style(context: Context, bot: Bot, *, alone: bool = True) -> SafeString:
    """The accent colour of the bot; not `alone`: on the elements that name the bot, on a page with others."""
    return styles.color_style(context["request"], bot.accent, ":root" if alone else f".bot-{bot.slug}")


@register.simple_tag
def integrity(name: str) -> str:
    """The fingerprint of a static file, if the site's storage knows it: a browser runs no other in its place."""
    known = getattr(staticfiles_storage, "integrity", None)
    return known(name) if known else ""


@register.simple_tag(takes_context=True)
def surface_url(context: Context, name: str, slug: str, *args: object) -> str:
    """Of one of the surface's pages; where there are several conversations, of the one that the page shows."""
    return responses.surface_url(context["request"], name, slug, *args, conversation=context.get("conversation"))

"""What templates ask for: the rendering, where they stand, and the colours that the visitor has chosen."""

import datetime
import functools
import uuid
from collections.abc import Iterable

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from webchat import rendering
from webchat.appearance import styles
from webchat.conversation import accept, responses
from webchat.conversation.visitor_session import visitor_of
from webchat.embed.embed_session import in_frame
from webchat.limits import proof_of_work
from webchat.models import Bot, Feedback, Handover, Surface, Turn
from webchat.models.turns import DISAPPOINTED_AFTER

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """The bot's Markdown as safe HTML."""
    return rendering.markdown(text)


@register.simple_tag(takes_context=True, name="markdown")
def markdown_here(context: Context, text: str) -> SafeString:
    """The bot's Markdown as the surface shows it: nothing leads away from a kiosk, so its links are QR codes."""
    if surface(context) == Surface.KIOSK:
        return rendering.markdown_with_codes(text, _("QR code: #"))
    return rendering.markdown(text)


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
def moment_to_come(at: datetime.datetime) -> SafeString:
    """Rounded up to the minute, as a date when it isn't today; the page's script puts it into the visitor's clock."""
    local = timezone.localtime(at + datetime.timedelta(seconds=59)).replace(second=0, microsecond=0)
    words = date_format(local, "TIME_FORMAT" if local.date() == timezone.localdate() else "SHORT_DATETIME_FORMAT")
    return format_html('<time datetime="{}">{} {}</time>', local.isoformat(), words, local.tzname())


@functools.lru_cache(maxsize=256)
def _in_words(minute: datetime.datetime, language: str | None) -> str:
    """The language is the active one: here for the cache."""
    return date_format(minute, "SHORT_DATETIME_FORMAT")


@register.simple_tag
def qr_code(address: str) -> SafeString:
    """An address for the visitor's own phone."""
    return rendering.qr_code(address, _("QR code: #"))


@register.simple_tag
def offer_person_at(bot: Bot, turns: Iterable[Turn]) -> uuid.UUID | None:
    """The latest of the replies that were no help, when there have been so many that a person is offered."""
    down = [turn.key for turn in turns if turn.feedback == Feedback.DOWN]
    return down[-1] if bot.handover and len(down) >= DISAPPOINTED_AFTER else None


@register.simple_tag(takes_context=True)
def timeline(context: Context, turns: Iterable[Turn]) -> list[tuple[str, Turn | Handover]]:
    """The turns and the requests for a person, in the order of their times; each with what it is."""
    entries = [("turn", turn) for turn in turns] + [("request", each) for each in context.get("handovers", ())]
    return sorted(entries, key=lambda entry: entry[1].created_at)


@register.simple_tag(takes_context=True)
def has_to_agree(context: Context, bot: Bot) -> bool:
    """Is the visitor to be asked for consent before the first message?"""
    return bool(bot.consent) and accept.has_to_agree(visitor_of(context["request"]), bot)


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

    A frame has no cookies, and follows the system.
    """
    request = context["request"]
    chosen = context.get("theme") or ("" if in_frame(request) else request.COOKIES.get("theme"))
    return chosen if chosen in ("light", "dark") else ""


@register.simple_tag(takes_context=True)
def page_style(context: Context) -> SafeString:
    """The style sheet of every page."""
    return styles.page_style(context.get("request"))


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
def address(context: Context, name: str, slug: str, *args: object) -> str:
    """Of one of the surface's pages; where there are several conversations, of the one that the page shows."""
    return responses.address_of(context["request"], name, slug, *args, conversation=context.get("conversation"))

"""What every page calls: rendering, where the page is shown, its styles, the colours that the visitor has chosen."""

import base64
import datetime
import functools
import math
import uuid
from collections.abc import Iterable, Iterator

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import SuspiciousOperation
from django.db.models import Q
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
from webchat.conversation import accept, details, heading_search, responses
from webchat.conversation.visitor_session import visitor_mark, visitor_of
from webchat.embed.embed_session import in_frame
from webchat.limits import proof_of_work
from webchat.models import Bot, Entry, Handover, Surface, Turn
from webchat.models.conversations.conversation import split_page, title_made_of
from webchat.models.conversations.turns import prefetch_files
from webchat.rendering import bot_text, follow_ups, plain_text, script_language
from webchat.upstream import failure_rules
from webchat.web_app import app_files

MOST_NEXT_QUESTIONS = 3

register = template.Library()
register.filter(split_page)
register.filter(title_made_of)
register.filter(bot_text.markdown)
register.filter("plain_text", plain_text.from_html)
register.filter("with_questions", follow_ups.split)
register.simple_tag(uuid.uuid4, name="fresh_key")  # makes sending a file twice the same as sending it once
register.simple_tag(visitor_mark, name="visitor_mark")
register.simple_tag(heading_search.is_possible, name="has_search")
register.simple_tag(styles.saved_style)
register.simple_tag(styles.mail_style)


@register.simple_tag(takes_context=True, name="markdown")
def markdown_here(context: Context, text: str) -> SafeString:
    """Return the bot's Markdown for this surface: nothing leads away from a kiosk, so its links are QR codes."""
    if surface(context) == Surface.KIOSK:
        return bot_text.markdown_with_codes(text, _("QR code: #"), _("Open on your phone"))
    return bot_text.markdown(text)


@register.simple_tag
def lang_of(text: str) -> str:
    """Return the attribute that names the text's language, where its script tells that it isn't the page's."""
    return _lang(script_language.language_of(text))


@register.simple_tag
def lang_of_words(bot: Bot, name: str) -> str:
    """Return the attribute for one of the owner's texts, where it isn't written in the page's language."""
    text = getattr(bot.words, name)
    return _lang(bot.language_of(name) or script_language.language_of(text)) if text else ""


@register.simple_tag
def picture_inside(bot: Bot) -> str:
    """Return the profile picture, or else the logo, as a data: URL for a page that is a single file."""
    picture = bot.face or bot.logo
    if not picture or not picture.storage.exists(picture.name):
        return ""
    with picture.open("rb") as file:
        return f"data:image/webp;base64,{base64.b64encode(file.read()).decode()}"


@register.simple_tag
def sentence_gap() -> str:
    """Return what stands between two sentences of the interface: in Japanese and Chinese nothing."""
    return "" if (get_language() or "").startswith(("ja", "zh")) else " "


def _lang(language: str) -> str:
    if not language or language.partition("-")[0] == (get_language() or "").partition("-")[0]:
        return ""
    return format_html(' lang="{}"', language)


@register.simple_tag(takes_context=True)
def guard(context: Context) -> SafeString:
    """Return the hidden fields that protect a form against other sites; in a frame, the session's token."""
    request = context["request"]
    if request.webchat.frame_token:
        return format_html(
            '<input type="hidden" name="session" value="{}" data-session autocomplete="off">'
            '<input type="hidden" name="lang" value="{}">',
            request.webchat.frame_token,
            request.LANGUAGE_CODE,
        )
    # The token that came with this request was valid, so it is used again: making a new one takes as long as a page.
    sent = request.POST.get("csrfmiddlewaretoken") if getattr(request, "csrf_processing_done", False) else None
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', sent or context["csrf_token"])


@register.simple_tag
def moment(at: datetime.datetime, format: str = "") -> SafeString:
    """Return the moment in the site's time zone; the page's script shows it in the visitor's. Default: day and time."""
    local = timezone.localtime(at)
    words = date_format(local, format) if format else _in_words(local.replace(second=0, microsecond=0), get_language())
    return format_html('<time class="small" datetime="{}">{}</time>', local.isoformat(), words)


@register.simple_tag
def try_again_at(at: datetime.datetime) -> dict[str, str]:
    """Return the sentence in the site's time zone, and both its forms for the script, which knows the visitor's."""
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
    """Return the sentence for each number of minutes left: in some languages more than the number changes."""
    minutes = range(1, math.ceil(seconds / 60) + 1)
    return [
        ngettext("Try again in %(minutes)d minute.", "Try again in %(minutes)d minutes.", n) % {"minutes": n}
        for n in minutes
    ]


@functools.lru_cache(maxsize=256)
def _in_words(minute: datetime.datetime, language: str | None) -> str:
    """Format the minute; the active language is a parameter for the cache."""
    return date_format(minute, "DATETIME_FORMAT")


@register.simple_tag
def qr_code(url: str) -> SafeString:
    """Return a QR code of a URL, for the visitor's own phone; what it leads to stands beside it."""
    return bot_text.qr_code(url, _("QR code"))


@register.simple_tag(takes_context=True)
def timeline(context: Context, turns: Iterable[Turn]) -> list[tuple[str, Turn | Entry | Handover]]:
    """Return everything in the transcript in order, each with its kind."""
    turns = list(turns)
    prefetch_files(turns)
    shown: list[tuple[str, Turn | Entry | Handover]] = transcripts.in_order(turns, context.get("entries", ()))
    if turns:
        turns[-1].offers_bot = turns[-1].can_go_to_bot
    for request in context.get("handovers", ()):  # which only have a time
        later = (n for n, (_, item) in enumerate(shown) if item.created_at > request.created_at)
        shown.insert(next(later, len(shown)), ("request", request))
    return shown


@register.simple_tag
def next_questions(bot: Bot, turn: Turn) -> list[str]:
    """Return the owner's questions for below the newest reply: the first that the visitor hasn't asked yet."""
    written = bot.words.questions_to_ask_next
    if not written:
        return []
    # The URL of the widget's page may stand above its first message.
    may_be_asked = Q(message__in=written) | Q(message__startswith="http")
    earlier = Turn.objects.filter(may_be_asked, conversation=turn.conversation_id).values_list("message", flat=True)
    asked = {split_page(message)[1] for message in [turn.message, *earlier]}
    return [question for question in dict.fromkeys(written) if question not in asked][:MOST_NEXT_QUESTIONS]


@register.filter
def with_days(items: Iterable[tuple[str, Turn | Entry | Handover]]) -> Iterator[tuple[str, object]]:
    """Return the items, each day before its first one, in the site's time zone; without days if all is of today."""
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
def has_to_agree(context: Context, bot: Bot) -> bool:
    """Return whether to ask the visitor for consent before the first message."""
    return bool(bot.words.consent) and accept.has_to_agree(visitor_of(context["request"]), bot)


@register.simple_tag(takes_context=True)
def asked_details(context: Context, bot: Bot) -> details.DetailsForm | None:
    """Return the fields that stand above the message box now, with what is wrong if that is why it was refused."""
    refusal = context.get("refusal")
    is_refused = refusal is not None and refusal.code == failure_rules.DETAILS_MISSING
    return details.asked(context["request"], bot, checks=is_refused)


@register.simple_tag(takes_context=True)
def details_with_request(context: Context, bot: Bot) -> details.DetailsForm | None:
    """Return the fields about the visitor that the form for a person has."""
    return details.asked_with_request(context["request"], bot, checks=context["form"].is_bound)


@register.simple_tag
def challenge(bot: Bot, key: uuid.UUID) -> str:
    """Return what the visitor's device has to solve for the message with that key."""
    return proof_of_work.challenge(bot.slug, key)


@register.simple_tag(takes_context=True)
def surface(context: Context) -> str:
    """Return the page's surface; "" if it has none."""
    request = context.get("request")
    match = request.resolver_match if request else None
    return match.namespace if match and match.namespace in Surface.values else ""


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """Return the visitor's choice, "light" or "dark"; "" for the system's. It is on every page, so that none flashes.

    A frame has no cookies: the launcher asks for what suits the website.
    """
    request = context["request"]
    try:
        chosen = context.get("theme") or (request.GET if in_frame(request) else request.COOKIES).get("theme")
    except SuspiciousOperation:  # the page says that the query can't be read, and can't read it either
        return ""
    return chosen if chosen in ("light", "dark") else ""


@register.simple_tag(takes_context=True)
def page_style(context: Context, name: str = "webchat/chat.css") -> SafeString:
    """Return the page's style sheet."""
    return styles.page_style(context.get("request"), name)


@register.simple_tag(takes_context=True)
def color_style(context: Context, bot: Bot, *, alone: bool = True) -> SafeString:
    """Return the bot's accent colour; if not `alone`, for the elements that name the bot, on a page with others."""
    return styles.color_style(context["request"], bot.accent, ":root" if alone else f".bot-{bot.slug}")


@register.simple_tag(takes_context=True)
def web_app(context: Context, bot: Bot) -> dict[str, str] | None:
    """Return the URLs of the page as an app; None where it is none: in a widget, at a kiosk and in a preview."""
    request = context["request"]
    if surface(context) != Surface.CHAT and request.resolver_match.url_name not in ("home", "app-share"):
        return None
    return app_files.urls(
        request, bot, manifest=reverse("app-manifest", args=[bot.slug]), worker=reverse("app-worker", args=[bot.slug])
    )


@register.simple_tag
def integrity(name: str) -> str:
    """Return the hash of a static file, if the site's storage knows it: browsers then run no other in its place."""
    known = getattr(staticfiles_storage, "integrity", None)
    return known(name) if known else ""


@register.simple_tag(takes_context=True)
def surface_url(context: Context, name: str, slug: str, *args: object) -> str:
    """Return the URL of one of the surface's pages; where there are several conversations, of the one shown."""
    return responses.surface_url(context["request"], name, slug, *args, conversation=context.get("conversation"))

"""Replies to visitors who have left: mailed to the address they gave, or told by a notification in their browser."""

import datetime
import json

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import F, Max, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from webchat import site, transcripts
from webchat.models import Channel, Conversation, Delivery, Entry, PushSubscription, ResumeLink, Surface
from webchat.notifications import mails

GONE_AFTER = datetime.timedelta(seconds=45)  # since the visitor's page last polled
READS_WITHIN = datetime.timedelta(seconds=5)  # a page that is looked at has shown it by then
LATER = datetime.timedelta(minutes=1)  # after the last message, so that several go into one mail


def mail_replies() -> None:
    """Periodic task: queue the replies that have to be mailed, each of them once."""
    now = timezone.now()
    gone = Q(conversation__visitor_seen_at=None) | Q(conversation__visitor_seen_at__lt=now - GONE_AFTER)
    unread = Entry.objects.filter(gone, kind=Entry.Kind.MESSAGE, pk__gt=F("conversation__visitor_read_to"))
    unread = unread.exclude(conversation__reply_email="").filter(conversation__ended_at=None)
    last = unread.order_by().values("conversation").annotate(pk=Max("pk"), at=Max("created_at"))
    for each in last.filter(at__lt=now - LATER).values("pk"):
        Delivery.objects.get_or_create(entry_id=each["pk"], defaults={"channel": Channel.EMAIL})


def email(delivery: Delivery, recipient: str, headers: dict[str, str]) -> EmailMultiAlternatives:
    """Return the mail in the visitor's language. The subject says who has answered, never what."""
    conversation = delivery.entry.conversation
    bot = conversation.bot
    with translation.override(conversation.language or bot.language or settings.LANGUAGE_CODE):
        heading = _("%(name)s from %(bot)s has answered you") % {"name": delivery.entry.name, "bot": bot.name}
        once = _("Answer here. The link works once, for seven days:")
        content = mails.Content(
            name=bot.name,
            heading=heading,
            quotes=[_said(entry) for entry in delivery.replies.select_related("attachment")],
            before_url=_("Answer here, after you have signed in:") if _is_in_portal(conversation) else once,
            button=_("Continue here"),
            url=link_to(conversation),
            accent=bot.accent,
        )
        return mails.make(heading, recipient, content, headers=headers)


def push_replies() -> None:
    """Periodic task: queue a notification for each browser that asked for one, once for all that is unread."""
    for browser in PushSubscription.objects.to_notify(timezone.now() - READS_WITHIN):
        browser.queue(browser.last)


def notification(browser: PushSubscription) -> bytes:
    """Return what the browser shows: the bot's name and that there is a reply, never what it says."""
    conversation = browser.conversation
    with translation.override(conversation.language or conversation.bot.language or settings.LANGUAGE_CODE):
        shown = {
            "title": conversation.bot.name,
            "body": _("You have a reply"),
            "lang": translation.get_language(),
            "dir": "rtl" if translation.get_language_bidi() else "ltr",
            "url": reverse("home") if browser.is_home else _page_of(conversation),
        }
    return json.dumps(shown).encode()


def _is_in_portal(conversation: Conversation) -> bool:
    """Return whether the visitor finds it after signing in, also if it began elsewhere, before that."""
    customer = conversation.customer
    return conversation.bot.in_portal and customer is not None and customer.user_id is not None


def _page_of(conversation: Conversation) -> str:
    is_portal = _is_in_portal(conversation)
    named, surface = ([conversation.public_id], Surface.PORTAL) if is_portal else ([], conversation.surface)
    return reverse("chat:page", args=[conversation.bot.slug, *named], current_app=surface)


def _said(entry: Entry) -> str:
    """Return what was said; a file is only named, and waits on the page."""
    parts = [entry.text, transcripts.file_in_words(entry.file, entry.name) if entry.file else ""]
    return "\n\n".join(part for part in parts if part)


def link_to(conversation: Conversation) -> str:
    """Return the portal's own page, where the visitor signs in; elsewhere a link that opens the conversation once."""
    if _is_in_portal(conversation):
        path = _page_of(conversation)
    else:
        path = reverse("resume", args=[ResumeLink.make(conversation)])
    return site.url() + path

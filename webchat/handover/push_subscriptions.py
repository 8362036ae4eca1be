"""Which browsers want a notification when somebody answers: stored at the visitor's request, and deleted again."""

import secrets

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from webchat.conversation.forms import Refusal
from webchat.conversation.responses import post_or_page, refuse, surface_of
from webchat.handover.forms import SubscriptionForm
from webchat.handover.responses import own_conversation, show_after_form
from webchat.models import Bot, Conversation, PushSubscription, Surface
from webchat.origins import parts_of

BROWSER = "browser"  # in the session: which of the visitor's browsers it is, once it has asked for notifications


def may_notify(bot: Bot, surface: str) -> bool:
    """Return whether a browser can ask for it here: a widget's frame and a kiosk can't."""
    return bot.people_answer and bot.notifies_visitors and surface in (Surface.CHAT, Surface.PORTAL)


@post_or_page
def subscribe(request: HttpRequest, slug: str) -> HttpResponse:
    conversation = own_conversation(request, slug)
    if not may_notify(conversation.bot, surface_of(request)):  # any more: without the form
        return show_after_form(request, conversation)
    if "stop" in request.POST:
        own_subscriptions(request, conversation).delete()
        return show_after_form(request, conversation)
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        sentence = _("Your browser blocks notifications from this page.")
        return refuse(request, conversation.bot, Refusal(sentence, "NOT_NOTIFIED"))
    browser = request.session.setdefault(BROWSER, secrets.token_hex(16))
    is_home = parts_of(request.htmx.current_url or "").path == reverse("home")
    PushSubscription.objects.keep(conversation, **form.cleaned_data, browser=browser, is_home=is_home)
    return show_after_form(request, conversation)


def delete_own(request: HttpRequest) -> None:
    """Delete this browser's subscriptions: after signing out, replies aren't announced here."""
    if browser := request.session.get(BROWSER):
        PushSubscription.objects.filter(browser=browser).delete()


def own_subscriptions(request: HttpRequest, conversation: Conversation) -> QuerySet[PushSubscription]:
    """Return this browser's subscriptions; each of a visitor's browsers has its own."""
    browser = request.session.get(BROWSER)
    return conversation.push_subscriptions.filter(browser=browser) if browser else PushSubscription.objects.none()

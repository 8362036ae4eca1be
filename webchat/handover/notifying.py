""" "Tell me when somebody answers": keeps the browsers that want a notification, and forgets them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from webchat.conversation.forms import Refusal
from webchat.conversation.responses import post_or_page, surface_of
from webchat.handover.forms import SubscriptionForm
from webchat.handover.responses import own_conversation, refuse, show_news
from webchat.models import Bot, PushSubscription, Surface


def may_notify(bot: Bot, surface: str) -> bool:
    """Return whether a browser can ask for it here: a widget's frame and a kiosk can't."""
    return bot.people_answer and bot.notifies_visitors and surface in (Surface.CHAT, Surface.PORTAL)


@post_or_page
def notify(request: HttpRequest, slug: str) -> HttpResponse:
    conversation = own_conversation(request, slug)
    if not may_notify(conversation.bot, surface_of(request)):
        raise Http404
    if "stop" in request.POST:
        conversation.push_subscriptions.all().delete()
        return show_news(request, conversation)
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        sentence = _("Your browser shows no notifications from this page.")
        return refuse(request, conversation.bot, Refusal(sentence, "NOT_NOTIFIED"))
    PushSubscription.objects.keep(conversation, **form.cleaned_data)
    return show_news(request, conversation)

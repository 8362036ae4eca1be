"""Stores what a visitor thinks of a reply."""

import uuid

from django import forms
from django.http import Http404, HttpRequest, HttpResponse

from webchat.conversation.forms import ReasonField
from webchat.conversation.responses import fragment, own_turn, post_or_page, show, show_with_draft
from webchat.models import Feedback, Turn


class FeedbackForm(forms.Form):
    feedback = forms.ChoiceField(choices=[(name, name) for name in ("up", "down")], required=False)
    reason = ReasonField(required=False)


@post_or_page
def feedback(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Store a thumb up or down, or take it back; a thumb down may come with a reason."""
    turn = own_turn(request, slug, key)
    sent = {"feedback": request.POST.get("feedback"), "reason": request.POST.get(f"reason-{key}")}
    form = FeedbackForm(sent)
    if turn.state != Turn.State.ANSWERED or not form.is_valid():
        raise Http404
    chosen = form.cleaned_data["feedback"]
    turn.rate(Feedback[chosen.upper()] if chosen else None, form.cleaned_data["reason"])
    bot = turn.conversation.bot
    if not request.htmx:
        # The text in the message box comes along. Nothing typed: a redirect, which can be reloaded.
        has_draft = bool(request.POST.get("message"))
        return show_with_draft(request, bot, turn.conversation) if has_draft else show(request, bot, turn)
    may_offer = bot.has_way_to_person and bot.offers_person_after_thumbs_down
    offer = may_offer and turn.feedback == Feedback.DOWN and turn.conversation.turns.has_enough_thumbs_down()
    context = {"turn": turn, "bot": bot, "is_fresh": True, "offer_person_at": turn.key if offer else None}
    return fragment(request, "webchat/_rated.html", context)

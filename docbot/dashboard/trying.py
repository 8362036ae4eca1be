"""The page "Try it": the bot's reply and the passages it found. Nothing is stored, and no reply is taken off."""

import time
from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from docbot.answering.answers import PastExchange
from docbot.dashboard.forms import TryForm
from docbot.dashboard.pages import context
from docbot.endpoint import exchanges
from docbot.endpoint.errors import ChatError
from docbot.models import Exchange, TrainedBot

MOST_EARLIER = 5


def try_out(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    form = TryForm(request.POST) if request.method == "POST" else TryForm()
    earlier = request.POST.getlist("earlier")[-MOST_EARLIER:] if "follow_up" in request.POST else []
    tried = _try(bot, form.cleaned_data["message"], earlier) if form.is_bound and form.is_valid() else {}
    page = context(admin, request, bot, "try", form=form, earlier=earlier, model=exchanges.model_of(bot), **tried)
    if getattr(request, "htmx", False):
        return TemplateResponse(request, "docbot/admin/_tried.html", page)
    return TemplateResponse(request, "docbot/admin/try.html", page, status=422 if form.errors else 200)


def _try(bot: TrainedBot, message: str, earlier: list[str]) -> dict[str, Any]:
    """Return the context of a tried message; earlier ones are answered again, without the model, for their sources."""
    history: list[PastExchange] = []
    try:
        for past in earlier:
            quoted = exchanges.quote(bot, past, history)
            history.append(PastExchange(past, quoted.sources, quoted.text))
        began = time.perf_counter()
        tried = exchanges.compose_reply(bot, message, history)
    except ChatError:
        return {"message": message, "is_unavailable": True}
    found = tried.answer
    best = max((hit.score for hit in found.hits), default=0)
    return {
        "message": message,
        "found": found,
        "certainty": Exchange.Certainty(found.certainty).label,
        "via": tried.via.label,
        "failure": tried.failure,
        "milliseconds": (time.perf_counter() - began) * 1000,
        "best": best,
        "following": [*earlier, message],
    }

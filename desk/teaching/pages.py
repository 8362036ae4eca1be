"""What the pages for teaching share: their frame, and the trial that each of their forms asks for."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from desk import pages
from desk.statistics.counting import normalize
from desk.teaching import questions, trying
from desk.teaching.forms import TeachForm
from desk.teaching.rights import may_teach
from docbot.retrieval.index import IndexMissing
from webchat.models import Bot


def page(request: HttpRequest, template: str, title: str, status: int = 200, **context: object) -> HttpResponse:
    may = may_teach(request, context.get("trained_bot"))
    return pages.page(request, template, title, status, **{"may_teach": may, "result": None} | context)


def redirect_to_list(bot: Bot, name: str = "teach") -> HttpResponse:
    return HttpResponseRedirect(f"{reverse(f'admin:{name}')}?bot={bot.slug}", status=303)


def try_answer(bot: Bot, form: TeachForm, asked: Iterable[str], turns: set[int]) -> tuple[int, dict[str, object]]:
    """Try the form's answer; return the page's status, and what the page shows of the trial.

    These turns, and those with a wording of the answer, are left out: they are meant to change.
    """
    asked = dict.fromkeys([*form.instance.phrasings, *asked])
    try:
        result = trying.run(form.instance, asked, questions.others(bot, turns | open_turns(bot, asked)))
    except IndexMissing:
        return 409, {"form": form, "sentence": _("This bot is not trained yet: train it first.")}
    form.data = form.data.copy()
    form.data["tried"] = form.proof
    form.data["covered"] = "\n".join(" ".join(one.question.split()) for one in result.changed if one.is_taught)
    return 200, {"form": form, "result": result}


def open_turns(bot: Bot, wordings: Iterable[str]) -> set[int]:
    """Return the turns with one of these wordings that are to be taught, in whatever cluster."""
    asked = set(map(normalize, wordings))
    return {one.turn for one in questions.to_teach(questions.turns_of(bot)) if normalize(one.text) in asked}

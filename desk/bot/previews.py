"""Previews of a bot on each surface from its unsaved form; nothing is stored."""

import base64
import copy
import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.forms import modelform_factory
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from desk.bot.form import BotForm
from desk.bot.pages import bot_for
from desk.bot.tabs import FACE_CUT, OVERVIEW, WITH_FIELDS
from webchat.appearance.color_palette import DARK_GROUND, HEX, LIGHT_GROUND, READABLE, contrast, palettes
from webchat.conversation.forms import MessageForm
from webchat.conversation.responses import allow_frames, private
from webchat.limits.rates import today_and_midnight
from webchat.models import WORDS, Bot, Conversation, Surface, Turn
from webchat.upstream.failure_rules import BUDGET_SPENT

# Of each surface: its template, and its style sheets besides the chat page's.
PREVIEWS: dict[str, tuple[str, tuple[str, ...]]] = {
    Surface.CHAT: ("webchat/conversation.html", ()),
    Surface.EMBED: ("webchat/conversation.html", ("desk/widget.css",)),
    Surface.KIOSK: ("kiosk/screen.html", ("kiosk/screen.css",)),
    Surface.PORTAL: ("portal/conversation.html", ()),
}
KIOSK_VISIT = ("kiosk/conversation.html", ("kiosk/visit.css",))  # after a touch on its screen
# Translators: a reply in the preview of a bot, in Markdown.
REPLY = _(
    "Of course. In short:\n\n1. Choose what you like\n2. Write to us, or come by\n\n"
    "It takes **two days**; see [how it works](https://example.com)."
)


def preview(request: HttpRequest, pk: int, surface: str) -> HttpResponse:
    """Show the stored bot (GET) or a tab's posted form (POST); invalid fields keep their stored values."""
    if surface not in PREVIEWS:
        raise Http404
    bot = bot_for(request, pk)
    if (language := request.GET.get("words")) in bot.more_languages:
        _show_in(language, bot, request)
    else:
        if request.method == "POST":
            _fill_in(bot, request)
        bot.languages = ""  # in the bot's language, whatever the desk's is
    return show(request, bot, surface)


def shades(request: HttpRequest) -> HttpResponse:
    """Show the shades derived from a colour, for the picker."""
    if not admin.site.get_model_admin(Bot).has_view_permission(request):
        raise PermissionDenied
    return TemplateResponse(request, "desk/_shades.html", shades_of(request.GET.get("accent", "")))


def shades_of(accent: str) -> dict[str, Any]:
    """Return the accent as entered and, if it is a colour, its shades on light and dark backgrounds."""
    if not HEX.fullmatch(accent):
        return {"accent": accent}
    light, dark = palettes(accent)
    shown = [
        {
            "colour": light.accent,
            "on": LIGHT_GROUND,
            "words": _("on a light background"),
            "changed": _("on a light background, darkened"),
        },
        {
            "colour": dark.accent,
            "on": DARK_GROUND,
            "words": _("on a dark background"),
            "changed": _("on a dark background, lightened"),
        },
    ]
    for shade in shown:
        shade["contrast"] = number_format(round(contrast(shade["colour"], shade["on"]), 1), 1)
    changed = [shade for shade in shown if shade["colour"] != accent.lower()]
    for shade in changed:
        shade["words"] = shade["changed"]
    shades = {"accent": accent.lower(), "shown": shown, "changed": changed, "contrast": READABLE}
    return {"accent": accent, "shades": shades}


def show(request: HttpRequest, bot: Bot, surface: str) -> HttpResponse:
    """Show the bot as it is now, stored or not, at the moment that was chosen."""
    moment = request.POST.get("preview_moment")
    bot.closed = bot.closed or moment == "closed"
    bot.slug = bot.slug or "preview"
    template, styles = KIOSK_VISIT if surface == Surface.KIOSK and moment else PREVIEWS[surface]
    if surface == Surface.EMBED:
        request.webchat.frame_token = "preview"  # noqa: S105 - renders the page as in a frame
    context = {
        "parent": template,
        "surface": surface,
        "styles": styles,
        "bot": bot,
        "turns": _example(bot, moment),
        "form": MessageForm(),
        "theme": request.POST.get("preview_theme", ""),
    }
    response = private(TemplateResponse(request, "desk/preview.html", context))
    request.webchat.policy = {"img-src": "'self' data:"}  # a picture that is not stored yet
    return allow_frames(request, response, ["'self'"])


def _fill_in(bot: Bot, request: HttpRequest) -> None:
    """Copy the form's valid values onto the bot without saving it."""
    tab = WITH_FIELDS.get(request.GET.get("tab", ""), OVERVIEW)
    before = copy.copy(bot)
    form_class = modelform_factory(Bot, BotForm, fields=[*tab.model_fields, *FACE_CUT])
    form = form_class(request.POST, request.FILES, instance=bot)
    for wrong in form.errors:
        if wrong in form.fields and wrong not in FACE_CUT:
            setattr(bot, wrong, getattr(before, wrong))
    for kind in ("face", "logo"):
        picture = form.cleaned_data.get(kind)
        if isinstance(picture, ContentFile):
            picture.seek(0)
            url = f"data:image/webp;base64,{base64.b64encode(picture.read()).decode()}"
            setattr(bot, f"{kind}_url", url)


def _show_in(language: str, bot: Bot, request: HttpRequest) -> None:
    """Show the page in one of the bot's further languages, with the words that are being written."""
    defaults = {name: getattr(bot, name) for name in WORDS}
    translation.activate(language)
    written = bot.words
    for name, default in defaults.items():
        posted = request.POST.get(name)
        setattr(bot, name, getattr(written, name) if posted is None else posted.strip() or default)
    bot.languages = ""


def _example(bot: Bot, moment: str | None) -> list[Turn]:
    """Return the turns of that moment: of a conversation, one failed and one answered; or one after the budget's last.

    The one that is answered may offer the next questions.
    """
    if moment not in ("talking", "spent"):
        return []
    conversation = Conversation(bot=bot)
    ended: dict[str, Any] = {"conversation": conversation, "ended_at": timezone.now()}
    question = (bot.words.suggested_questions or [str(_("What do I have to do?"))])[0]
    begun = timezone.now() - datetime.timedelta(minutes=2)
    if moment == "spent":
        spent = ended | {"code": BUDGET_SPENT, "not_before": today_and_midnight()[1]}
        return [Turn(message=question, state=Turn.State.FAILED, failures=1, **spent)] if bot.daily_budget else []
    return [
        Turn(message=question, code="BOT_UNAVAILABLE", state=Turn.State.FAILED, failures=2, created_at=begun, **ended),
        Turn(message=question, reply=str(REPLY), state=Turn.State.ANSWERED, **ended),
    ]

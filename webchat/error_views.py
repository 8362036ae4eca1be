"""What a visitor reads when a request fails (400, 403, 404, 405): on an error page, or on the open chat page."""

import re

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from webchat import languages
from webchat.attachments import uploads
from webchat.attachments import views as attachment_views
from webchat.attachments.forms import TOO_LARGE
from webchat.conversation import views
from webchat.conversation.forms import PAGE_EXPIRED, TOO_LONG_TO_READ, MessageForm, Refusal
from webchat.conversation.responses import (
    ABOVE_MESSAGE_BOX,
    allow_frames,
    bot_of,
    fragment,
    full_page,
    private,
    start_bot,
    surface_of,
    surface_url,
)
from webchat.conversation.visitor_session import visitor_of
from webchat.handover import views as handover_views
from webchat.models import Bot, Surface, Turn
from webchat.upstream import failure_rules

# Names of URLs: of forms that send the composer's text, too, and of requests for the reply to a turn.
_WITH_TEXT = ("messages", "feedback", "join", "leave", "reply-email", "back", "send-file")
_FOR_A_REPLY = ("reply", "again")
_BELOW_A_PAGE = re.compile(r"/chat/([-\w]+)/", re.ASCII)  # where the rest of the path leads nowhere


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer the same for a stranger's, an unknown and an expired turn; the transcript of an open page stays."""
    response = _without_bot(request) or _on_open_page(request, "webchat/_ended.html", 404) or _keep_text(request)
    return response or _error_page(request, "404.html", 404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_page(request, "403.html", 403)


def wrong_method(request: HttpRequest) -> HttpResponse:
    """Tell whoever opens a form's URL that only its button leads there."""
    return _error_page(request, "405.html", 405)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that is too large to read; with JavaScript the message is still in the composer."""
    name, is_too_large = _name_of(request), isinstance(exception, RequestDataTooBig)
    if not is_too_large or name not in ("messages", uploads.URL_NAME):
        return _error_page(request, "400.html", 413 if is_too_large else 400)
    refusal = TOO_LONG_TO_READ if name == "messages" else Refusal(TOO_LARGE, "TOO_LARGE")
    context = {"refusal": refusal, "slug": request.resolver_match.kwargs["slug"]}
    if not request.htmx:
        return private(_error_page(request, "webchat/too_long.html", 413, context))
    return fragment(request, "webchat/_refusal.html", context, 413, ABOVE_MESSAGE_BOX).render()


def csrf_failure(request: HttpRequest) -> HttpResponse:
    """Keep the message of an expired page in the composer, with a new token."""
    name = _name_of(request)
    if name == "messages":
        form = MessageForm(request.POST)
        form.refused = PAGE_EXPIRED
        return views.refused(request, bot_of(request, request.resolver_match.kwargs["slug"]), form, status=403)
    if name in handover_views.KEEPS_WHAT_WAS_TYPED:
        return handover_views.refuse_expired(request, request.resolver_match.kwargs["slug"]).render()
    if name == uploads.URL_NAME:
        return attachment_views.refuse_expired(request).render()
    response = _on_open_page(request, "webchat/_expired.html", 403)
    return response or _error_page(request, "403_csrf.html", 403)


def desk_of(request: HttpRequest) -> str:
    """Return the URL of the desk if the request was for one of its pages; "" otherwise."""
    desk = reverse("admin:index")
    return desk if request.path.startswith(desk) else ""


def _error_page(request: HttpRequest, template: str, status: int, context: dict | None = None) -> HttpResponse:
    """Return the page in the colours of the bot that the URL names, with the way back to it; else of the first bot."""
    languages.activate_language(request, reads_form=False)
    bot = start_bot()
    context = {"status": status, "bot": bot, "has_chat": bot is not None, "desk": desk_of(request)} | (context or {})
    if request.path.startswith(portal := reverse("portal")):
        context |= {"back": portal}
    match = request.resolver_match
    framed_by = []
    if match and match.namespace in Surface.values and "slug" in match.kwargs:
        named = Bot.at(match.kwargs["slug"])
        if named and named.is_on(match.namespace):
            context |= {"bot": named, "back": surface_url(request, "page", named.slug)}
        if match.namespace == Surface.EMBED:  # without a bot the page has nothing that another site could misuse
            framed_by = named.allowed_origins if named else ["*"]
            context |= {} if named else {"bot": None, "has_chat": False}
    elif not match and (below := _BELOW_A_PAGE.match(request.path_info)):
        named = Bot.at(below[1])
        if named and named.is_on(Surface.CHAT):
            languages.activate_language(request, named, reads_form=False)
            context |= {"bot": named, "back": reverse("chat:page", args=[named.slug])}
    response = TemplateResponse(request, template, context, status=status).render()
    return allow_frames(request, response, framed_by)


def _without_bot(request: HttpRequest) -> HttpResponse | None:
    """Return an alert for an open page whose bot has another address now; with 404 it would load again and be gone."""
    if not request.htmx or not _name_of(request) or surface_of(request) == Surface.KIOSK:
        return None
    if Bot.objects.filter(slug=request.resolver_match.kwargs["slug"]).exists():
        return None
    languages.activate_language(request)
    context = {"refusal": Refusal(failure_rules.NOT_AVAILABLE.sentence, "BOT_GONE")}
    return _alert(request, "webchat/_bot_gone.html", context, 410)


def _on_open_page(request: HttpRequest, template: str, status: int) -> HttpResponse | None:
    """Return an alert for an open page."""
    if not request.htmx or request.method != "POST" or _name_of(request) in ("", "typing"):
        return None  # nobody waits for the response to "typing"
    named = request.resolver_match.kwargs
    slug, key = named["slug"], named.get("key")
    bot = Bot.objects.filter(slug=slug).first()
    if bot:
        languages.activate_language(request, bot)
    turn = Turn.objects.own(visitor_of(request), slug, surface_of(request), key) if key else None
    context = {"slug": slug, "conversation": turn.conversation if turn else None}
    return _alert(request, template, context, status)


def _alert(request: HttpRequest, template: str, context: dict, status: int) -> HttpResponse:
    """Return it in place of the reply that the page asks for, else above the message box."""
    match = request.resolver_match
    of_reply = (f"#turn-{match.kwargs.get('key')} :is([data-waiting], [data-alert])", "outerHTML")
    place = of_reply if match.url_name in _FOR_A_REPLY else ABOVE_MESSAGE_BOX
    return fragment(request, template, context, status, place).render()


def _keep_text(request: HttpRequest) -> HttpResponse | None:
    """Return a page with the text that was sent, without JavaScript, to a conversation that is gone."""
    if request.htmx or _name_of(request) not in _WITH_TEXT:
        return None
    text = request.POST.get("message")  # only here: elsewhere nobody may have been able to read the form
    if not text:
        return None
    try:
        bot = bot_of(request, request.resolver_match.kwargs["slug"])
    except Http404:
        return None
    return full_page(request, bot, "webchat/ended.html", {"bot": bot, "text": text}, status=404).render()


def _name_of(request: HttpRequest) -> str:
    """Return the name of the URL if it belongs to a conversation, on whatever surface; else ""."""
    match = request.resolver_match
    return match.url_name if match and match.app_name == "chat" else ""

"""The widget from outside: the launcher's script and settings, and pages that check an embedding."""

import logging

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from webchat import languages, origins
from webchat.appearance import color_palette
from webchat.conversation import responses
from webchat.conversation.visitor_session import start_session_as, visitor_of
from webchat.embed import embed_session, identities
from webchat.models import Bot, Conversation, Customer, Surface
from webchat.models.conversations.conversation import title_made_of
from webchat.site import url_for

logger = logging.getLogger(__name__)


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """Serve embed.js to any site; its URL never changes, so browsers check it again each hour."""
    return _for_every_site("webchat/embed.js", "text/javascript")


@require_safe
def types(request: HttpRequest) -> HttpResponse:
    """Serve embed.d.ts: the types of window.Webchat, for websites written in TypeScript."""
    return _for_every_site("webchat/embed/embed.d.ts", "text/plain")


def _for_every_site(name: str, content_type: str) -> HttpResponse:
    with staticfiles_storage.open(name) as file:
        response = HttpResponse(file.read(), content_type=f"{content_type}; charset=utf-8")
    response["Cache-Control"] = "public, max-age=3600, stale-while-revalidate=86400"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"  # for hosts that pin it with an integrity attribute
    return response


@require_safe
def launcher(request: HttpRequest, slug: str) -> HttpResponse:
    """Return what the launcher needs before it is opened; other sites' pages read it, so nothing in it is secret.

    Of a bot that doesn't exist it learns that it may not be shown: it can't read an error page.
    """
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None:
        return _readable_by_every_site({"allowed": False})
    languages.activate_language(request, bot)
    words = bot.words
    light, dark = color_palette.palettes(bot.accent)
    rules = [
        {name: getattr(rule, name) for name in ("id", "page", "visitors", "seconds", "scrolled")} | {"text": rule.words}
        for rule in bot.teaser_rules.all()
    ]
    return _readable_by_every_site(
        {
            "name": bot.name,
            "allowed": origins.allows(bot.allowed_origins, request.headers.get("Origin", "")),
            "texts": {
                "open": _("Open the chat"),
                "close": _("Close the chat"),
                "dismiss": _("Dismiss"),
                "size": _("Size of the chat"),
                "unread": _("New messages: #"),
            },
            "window": static("webchat/embed/window.js"),
            **({"rules": rules, "watch": static("webchat/embed/rules.js")} if rules else {}),
            "label": words.launcher_label,
            "icon": bot.launcher_icon,
            "position": bot.launcher_position,
            "theme": bot.widget_theme,
            "teaser": words.teaser,
            "teaserAfter": bot.teaser_after,
            "accent": [light.accent, dark.accent],
            "onAccent": [light.on_accent, dark.on_accent],
        }
    )


def _readable_by_every_site(settings: dict[str, object]) -> HttpResponse:
    response = JsonResponse(settings)
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Cache-Control"] = "public, max-age=300"
    response["Vary"] = "Origin, Accept-Language"
    return response


@require_POST
def identify(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign the frame's visitor in as the customer whom the website names: later messages are the customer's.

    The frame gets the customer's own session, in which a used token is accepted again. If something was said in this
    frame before, anonymously (`before`: that session's token), respond with the question whether to keep it.
    """
    bot = get_object_or_404(Bot, slug=slug)
    languages.activate_language(request, bot)
    try:
        identity = identities.read(bot, request.POST.get("token", ""))
        if not identity.belongs_to(visitor_of(request)):
            embed_session.use_session(request, start_session_as(identity.use().visitor))
    except identities.Refused as refusal:
        logger.warning("identity refused bot=%s cause=%s", bot.slug, refusal.cause)
        return HttpResponse(status=403)
    anonymous = _said_before(request, bot)
    first = anonymous.turns.first() if anonymous else None
    if first is None:
        return HttpResponse(status=204)
    context = {"bot": bot, "title": title_made_of(first.message), "before": request.POST["before"]}
    return responses.fragment(request, "webchat/_question.html", context)


@require_POST
def keep_conversation(request: HttpRequest, slug: str) -> HttpResponse:
    """Handle the answer to that question: after a yes, the widget resumes the conversation as the customer's."""
    bot = get_object_or_404(Bot, slug=slug)
    customer = Customer.objects.filter(visitor=visitor_of(request)).first()
    anonymous = _said_before(request, bot)
    if customer is None or anonymous is None:
        raise Http404
    response = responses.private(HttpResponse(headers={"Webchat-Fragment": "1"}))
    if request.POST.get("answer") == "yes":
        anonymous.give_to_and_show(customer)
        response["HX-Refresh"] = "true"
    return response


def _said_before(request: HttpRequest, bot: Bot) -> Conversation | None:
    visitor = embed_session.visitor_behind_token(request.POST.get("before", ""))
    return Conversation.objects.open_for(visitor, bot.slug, Surface.EMBED).filter(customer=None).first()


@require_safe
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the owner what to put into a page, and what is wrong with the embedding on a given site."""
    languages.activate_language(request)
    bot = get_object_or_404(Bot, slug=slug)
    site = request.GET.get("site", "").strip().rstrip("/")
    here = url_for(request)
    context = {
        "bot": bot,
        "site": site,
        "here": here,
        "findings": _findings(bot, site, here) if site else [],
        "origins": bot.allowed_origins,
        "script": request.build_absolute_uri(reverse("embed-script")),
    }
    return TemplateResponse(request, "webchat/embed_check.html", context)


@require_safe
def demo(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a host page to try the widget on (DEBUG only)."""
    bot = get_object_or_404(Bot, slug=slug)
    return TemplateResponse(request, "webchat/embed_demo.html", {"bot": bot})


def _findings(bot: Bot, site: str, here: str) -> list[str]:
    """Return the names of the problems, for the template's sentences."""
    try:
        [origin] = origins.parse(site)
    except ValueError:
        return ["not-an-origin"]
    findings = []
    if not bot.allowed_origins:
        findings.append("nobody-listed")
    elif not origins.allows(bot.allowed_origins, origin):
        findings.append("not-listed")
    if origin.startswith("https://") and here.startswith("http://"):
        findings.append("mixed-content")
    return findings

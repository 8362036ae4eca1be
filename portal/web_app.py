"""The portal as an app: one for all its bots, with the name and the looks that the portal's own pages have."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.appearance import portal_bot
from webchat import languages
from webchat.conversation.responses import private
from webchat.models import Bot
from webchat.web_app import app_files


@login_not_required  # browsers ask for it without cookies
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    return app_files.manifest(_bot(request), reverse("portal"))


@login_not_required
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    languages.activate_language(request)
    return app_files.worker(request, portal_bot())


@login_not_required
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return private(TemplateResponse(request, "webchat/offline.html", {"bot": _bot(request)}))


def _bot(request: HttpRequest) -> Bot:
    bot = portal_bot()
    if bot is None:
        raise Http404
    languages.activate_language(request, bot)
    return bot

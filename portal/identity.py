"""Signing in with a signed identity: a form on the owner's own website brings it, and no address ever holds it."""

import datetime
import logging
import secrets

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from portal import signing_in
from webchat import languages, origins
from webchat.conversation.responses import private
from webchat.embed import identities
from webchat.models import Bot, Person, SpentToken, Surface

logger = logging.getLogger(__name__)

ARRIVAL = f"{settings.COOKIE_PREFIX}arrival"
_SALT = "portal arrival"
_SECONDS = 60  # between the form and the page


@login_not_required
@csrf_exempt  # it comes from another site, which Origin names and the token proves
@require_POST
def arrive(request: HttpRequest, slug: str) -> HttpResponse:
    """A form of another site's comes without this one's cookies (SameSite=Lax): what the browser has here isn't known.

    So a cookie of a minute, good for one use, carries the person to the next request, which brings all of them.
    """
    bot = get_object_or_404(Bot.objects.on(Surface.PORTAL), slug=slug)
    languages.activate_language(request, bot)
    try:
        if not _is_from_allowed_site(request, bot):
            raise identities.Refused("origin")
        person = identities.read(bot, request.POST.get("token", "")).use()
    except identities.Refused as refusal:
        logger.warning("identity refused bot=%s cause=%s", bot.slug, refusal.cause)
        return private(TemplateResponse(request, "portal/refused.html", status=403))
    response = private(HttpResponseRedirect(reverse("portal-arrived"), status=303))
    response.set_signed_cookie(
        ARRIVAL,
        f"{person.pk}:{secrets.token_hex(16)}",
        salt=_SALT,
        max_age=_SECONDS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


@login_not_required
@require_safe
def arrived(request: HttpRequest) -> HttpResponse:
    arrival = request.get_signed_cookie(ARRIVAL, default="", salt=_SALT, max_age=_SECONDS)
    number, _, nonce = arrival.partition(":")
    person = Person.objects.filter(pk=number, user=None).first() if nonce else None
    expires_at = timezone.now() + datetime.timedelta(seconds=_SECONDS)
    if person and SpentToken.objects.spend(person.bot, f"arrival {nonce}", expires_at):
        signing_in.sign_in(request, person)
    response = private(HttpResponseRedirect(reverse("portal"), status=303))
    response.delete_cookie(ARRIVAL, samesite="Lax")
    return response


def _is_from_allowed_site(request: HttpRequest, bot: Bot) -> bool:
    """Else any page could sign its reader in as somebody else, and read what they write."""
    origin = request.headers.get("Origin", "")
    here = settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
    return origin == here or origins.allows(bot.allowed_origins, origin)

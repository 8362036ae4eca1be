"""Signs in with a signed identity, posted by a form on the owner's website and never put into a URL."""

import datetime
import logging
import secrets

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from portal import signing_in
from webchat import languages, origins
from webchat.conversation.responses import private, see_other
from webchat.embed import identities
from webchat.models import Bot, Customer, SpentToken, Surface

logger = logging.getLogger(__name__)

ARRIVAL = f"{settings.COOKIE_PREFIX}arrival"
_SALT = "portal arrival"
_SECONDS = 60  # between the form and the page


@login_not_required
@csrf_exempt  # posted from another site; Origin and token are checked
@require_POST
def arrive(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept the form from the owner's website.

    A cross-site POST carries none of our cookies (SameSite=Lax), so the session isn't known here: a single-use cookie,
    valid for a minute, takes the customer to the next request, which has them.
    """
    bot = get_object_or_404(Bot.objects.on(Surface.PORTAL), slug=slug)
    languages.activate_language(request, bot)
    try:
        if not _is_from_allowed_site(request, bot):
            raise identities.Refused("origin")
        customer = identities.read(bot, request.POST.get("token", "")).use()
    except identities.Refused as refusal:
        logger.warning("identity refused bot=%s cause=%s", bot.slug, refusal.cause)
        return private(TemplateResponse(request, "portal/refused.html", status=403))
    response = see_other("portal-arrived")
    response.set_signed_cookie(
        ARRIVAL,
        f"{customer.pk}:{secrets.token_hex(16)}",
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
    pk, _, nonce = arrival.partition(":")
    customer = Customer.objects.filter(pk=pk, user=None).first() if nonce else None
    expires_at = timezone.now() + datetime.timedelta(seconds=_SECONDS)
    if customer and SpentToken.objects.spend(customer.bot, f"arrival {nonce}", expires_at):
        signing_in.sign_in(request, customer)
    response = see_other("portal")
    response.delete_cookie(ARRIVAL, samesite="Lax")
    return response


def _is_from_allowed_site(request: HttpRequest, bot: Bot) -> bool:
    """Check the Origin: otherwise any page could sign its readers in as its author and read what they write."""
    origin = request.headers.get("Origin", "")
    here = settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
    return origin == here or origins.allows(bot.allowed_origins, origin)

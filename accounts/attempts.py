"""Limits how often somebody may try to sign in or ask for a new password.

Sign-ins are limited per IP address, and with a growing delay per account; mails per IP address and e-mail address.
Counted in the database, so that all processes share the counts, and before any password is hashed: a hash takes a
quarter of a second of processor time.
"""

import datetime
import hashlib
import secrets
import time

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import ngettext

from webchat.limits import rates
from webchat.limits.client_ip import origin_of
from webchat.models import Allowance

WINDOW = 15 * 60  # seconds
ATTEMPTS_PER_IP = 30  # within the window, without successful ones; as many mails for new passwords
MAILS_PER_EMAIL = 3  # for a new password to one e-mail address within the window
ATTEMPTS_WITHOUT_DELAY = 5  # for one account
LONGEST_DELAY = 60  # seconds
CODE_SECONDS = 2 * 60  # longer than an authenticator app shows one
KNOWN_BROWSER = f"{settings.COOKIE_PREFIX}known"
_SALT = "known browser"
_YEAR = 365 * 24 * 60 * 60


def count_sign_in(request: HttpRequest, account: str) -> None:
    """Count an attempt for the account of that name; raise ValidationError when it comes too early."""
    _refuse_during(_count_from_ip(request, "sign-in") or _count_with_delay(_allowance_name(request, account)))


def count_reset_mail(request: HttpRequest, email: str) -> None:
    """Count an e-mail with a link to a new password; raise ValidationError if it is one too many."""
    per_email = f"reset:{_digest(email)}"
    _refuse_during(_count_from_ip(request, "reset") or rates.count_attempt(per_email, MAILS_PER_EMAIL, WINDOW))


def count_passkey(request: HttpRequest) -> None:
    """Count a challenge for a passkey, which stores a session; raise ValidationError if it is one too many."""
    _refuse_during(_count_from_ip(request, "passkey"))


def count_code(account: str) -> None:
    """Count an attempt for a code of a second factor, which comes after the password."""
    _refuse_during(_count_with_delay(f"code:{_digest(account)}"))


def sign_in_succeeded(request: HttpRequest, account: str) -> None:
    """Reset the account's count after a successful sign-in, and don't count the attempt against the IP address."""
    Allowance.objects.filter(name=_allowance_name(request, account)).delete()
    _uncount_from_ip(request, "sign-in")


def passkey_succeeded(request: HttpRequest) -> None:
    _uncount_from_ip(request, "passkey")


def code_succeeded(account: str) -> None:
    Allowance.objects.filter(name=f"code:{_digest(account)}").delete()


def use_once(account: str, code: str) -> bool:
    """Return whether this code is used for the first time, so that nobody can use one they saw on a screen."""
    return rates.count_attempt(f"code used:{_digest(f'{account} {code}')}", 1, CODE_SECONDS) == 0


def remember_browser(response: HttpResponse, account: str) -> None:
    """Give this browser a delay of its own, so that a stranger's attempts can't lock the account's owner out."""
    response.set_signed_cookie(
        KNOWN_BROWSER,
        f"{_digest(account)}:{secrets.token_hex(8)}",
        salt=_SALT,
        max_age=_YEAR,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def _refuse_during(seconds: int) -> None:
    """Raise ValidationError if there are seconds to wait."""
    if not seconds:
        return
    if seconds <= LONGEST_DELAY:
        sentence = ngettext(
            "Too many attempts. Try again in %(number)d second.",
            "Too many attempts. Try again in %(number)d seconds.",
            seconds,
        )
        raise ValidationError(sentence, code="too_many", params={"number": seconds})
    minutes = -(-seconds // 60)
    sentence = ngettext(
        "Too many attempts. Try again in %(minutes)d minute.",
        "Too many attempts. Try again in %(minutes)d minutes.",
        minutes,
    )
    raise ValidationError(sentence, code="too_many", params={"minutes": minutes})


def _count_from_ip(request: HttpRequest, what: str) -> int:
    """Count an attempt from the request's IP address; return 0, or the seconds left if there were too many."""
    origin = origin_of(request)
    return rates.count_attempt(f"{what} from:{origin}", ATTEMPTS_PER_IP, WINDOW) if origin else 0


def _uncount_from_ip(request: HttpRequest, what: str) -> None:
    if origin := origin_of(request):
        Allowance.objects.filter(name=f"{what} from:{origin}", used__gt=0).update(used=F("used") - 1)


def _allowance_name(request: HttpRequest, account: str) -> str:
    cookie = request.get_signed_cookie(KNOWN_BROWSER, default="", salt=_SALT, max_age=_YEAR)
    is_known = cookie.partition(":")[0] == _digest(account)
    return f"sign-in known:{_digest(cookie)}" if is_known else f"sign-in:{_digest(account)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.casefold().encode()).hexdigest()


def _count_with_delay(name: str) -> int:
    """Count an attempt; return 0, or the seconds until the next one is allowed, which `window` stores."""
    now = int(time.time())
    ends_at = timezone.now() + datetime.timedelta(seconds=WINDOW)
    Allowance.objects.filter(name=name, ends_at__lt=timezone.now()).delete()
    row, _ = Allowance.objects.get_or_create(name=name, defaults={"window": 0, "ends_at": ends_at})
    if row.window > now:
        return row.window - now
    used = row.used + 1
    delay = 0 if used < ATTEMPTS_WITHOUT_DELAY else min(2 ** (used - ATTEMPTS_WITHOUT_DELAY + 1), LONGEST_DELAY)
    # Of several attempts at once, one is allowed.
    untouched = Allowance.objects.filter(name=name, used=row.used, window=row.window)
    return 0 if untouched.update(used=used, window=now + delay, ends_at=ends_at) else 1

"""The link to the set-up of a new site, which makes the first login. It works until somebody has one."""

from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

VALID = 24 * 60 * 60  # seconds; each start of the site prints a new one
_SALT = "desk.setup"


def is_needed() -> bool:
    """Return whether nobody can log in to the desk yet."""
    return not User.objects.filter(is_staff=True, is_active=True).exists()


def path() -> str:
    return reverse("admin:setup_login", args=[signing.dumps("login", salt=_SALT)])


def is_valid(token: str) -> bool:
    try:
        signing.loads(token, salt=_SALT, max_age=VALID)
    except signing.BadSignature:
        return False
    return is_needed()

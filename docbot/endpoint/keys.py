"""Issues and finds API keys; only their hashes are stored."""

import hashlib
import secrets
from collections.abc import Iterable

from docbot.models import ApiKey, TrainedBot

PREFIX = "dbk_"  # recognisable to people and secret scanners
SHOWN_LENGTH = len(PREFIX) + 4  # characters shown in the dashboard; 232 of the 256 bits stay secret


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def issue(trained_bot: TrainedBot, name: str) -> tuple[ApiKey, str]:
    """Create a key; return it with its plain text, which can't be read again."""
    plain = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(trained_bot=trained_bot, name=name, digest=_digest(plain), prefix=plain[:SHOWN_LENGTH])
    return key, plain


def register(trained_bot: TrainedBot, name: str, plain: str) -> ApiKey:
    """Accept a key of 256 random bits from elsewhere; idempotent. Raises ValueError if it belongs to another bot."""
    key, made = ApiKey.objects.get_or_create(
        digest=_digest(plain), defaults={"trained_bot": trained_bot, "name": name, "prefix": plain[:SHOWN_LENGTH]}
    )
    if key.trained_bot_id != trained_bot.pk:
        raise ValueError(f"The key {key.prefix}… belongs to another bot. Each bot needs a key of its own.")
    if not made and key.revoked_at is not None:
        key.revoked_at = None
        key.save(update_fields=["revoked_at"])
    return key


def find(plain: str) -> ApiKey | None:
    # An index look-up by a hash takes time that reveals nothing useful.
    return ApiKey.objects.valid().select_related("trained_bot").filter(digest=_digest(plain)).first()


def bots_of(plain_keys: Iterable[str]) -> dict[str, int]:
    """Return the primary key of the bot of each key that is known and valid, in one statement."""
    by_digest = {_digest(plain): plain for plain in plain_keys}
    found = ApiKey.objects.valid().filter(digest__in=by_digest).values_list("digest", "trained_bot")
    return {by_digest[digest]: trained_bot for digest, trained_bot in found}

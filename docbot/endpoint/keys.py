"""API keys: made, shown once, rotated and found again; only their hashes are stored."""

import hashlib
import hmac
import secrets

from django.db import transaction

from docbot.models import ApiKey, TrainedBot

PREFIX = "dbk_"  # lets people and secret scanners tell what they have found
SHOWN_LENGTH = (
    len(PREFIX) + 4
)  # what of a key stays readable: enough to tell keys apart, 232 of its 256 bits remain unknown


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def issue(trained_bot: TrainedBot, name: str) -> tuple[ApiKey, str]:
    """A new key and its plain text, which nobody can read again afterwards."""
    plain = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey.objects.create(trained_bot=trained_bot, name=name, digest=_digest(plain), prefix=plain[:SHOWN_LENGTH])
    return key, plain


def register(trained_bot: TrainedBot, name: str, plain: str) -> ApiKey:
    """Makes sure that `plain` is accepted for the bot, however often it is called.

    For keys that are made elsewhere, with 256 bits of their own. Raises ValueError if it is another bot's.
    """
    key, made = ApiKey.objects.get_or_create(
        digest=_digest(plain), defaults={"trained_bot": trained_bot, "name": name, "prefix": plain[:SHOWN_LENGTH]}
    )
    if key.trained_bot_id != trained_bot.pk:
        raise ValueError(f"The key {key.prefix}… belongs to another bot. Each bot needs a key of its own.")
    if not made and key.revoked_at is not None:
        key.revoked_at = None
        key.save(update_fields=["revoked_at"])
    return key


def rotate(key: ApiKey) -> tuple[ApiKey, str]:
    """A new key in place of this one, which is refused from now on."""
    with transaction.atomic():
        key.revoke()
        return issue(key.trained_bot, key.name)


def find(plain: str) -> ApiKey | None:
    """The key with its bot, or None when it is unknown or revoked."""
    digest = _digest(plain)
    key = ApiKey.objects.valid().select_related("trained_bot").filter(digest=digest).first()
    # The index is searched for a hash of 256 unknown bits, so its timing tells nothing of use; the last word is
    # a comparison whose time doesn't depend on where the two differ.
    return key if key is not None and hmac.compare_digest(key.digest, digest) else None

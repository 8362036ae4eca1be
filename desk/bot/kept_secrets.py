"""Keeps a key that was typed into a refused form: encrypted, for an hour, for that person and field only."""

import json
import time

from webchat import encryption

KEPT_FOR = 60 * 60  # seconds


def keep(plain: str, owner: str) -> str:
    """Return what the page may carry in place of the key."""
    return encryption.seal(json.dumps([owner, int(time.time()), plain]))


def kept(sealed: str, owner: str) -> str:
    """Return the key that was kept; "" if there is none, or it isn't theirs, or too old.

    A key from the database is encrypted without an owner, so nobody can submit one that they can't read.
    """
    try:
        whose, since, plain = json.loads(encryption.unseal(sealed))
    except (encryption.CannotUnseal, ValueError, TypeError):
        return ""
    return plain if whose == owner and time.time() - since < KEPT_FOR else ""

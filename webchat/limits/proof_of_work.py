"""Proof of work (Altcha): what a visitor's device computes for each message while the owner's bot asks for it.

Nothing of it is stored. A challenge is signed and belongs to the key of one form; the same key is the same turn, so a
proof is good for one message, however often it is sent.
"""

import hashlib
import hmac
import json
import secrets
import time
import uuid

import altcha
from django.conf import settings

from webchat.upstream.failure_rules import PROOF_EXPIRED, PROOF_MISSING

LIFE = 2 * 60 * 60  # seconds in which a challenge has to be solved and sent
LONGEST = 2000  # characters of a proof; ours have about 700


class NotProven(Exception):
    """The proof is missing or wrong. `code`: PROOF_EXPIRED if a new challenge helps, else PROOF_MISSING."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def challenge(slug: str, key: uuid.UUID) -> str:
    """Return a challenge for the message with that key to the bot with that slug: Altcha's version 2, as JSON.

    Finding the number takes settings.PROOF_EFFORT hashes at most, half of them on average; checking it takes one.
    """
    made = altcha.create_challenge(
        "SHA-256",
        cost=1,
        counter=secrets.randbelow(settings.PROOF_EFFORT),
        expires_at=int(time.time()) + LIFE,
        data=_message(slug, key),
        hmac_secret=_secrets()[0],
    )
    return json.dumps(made.to_dict(), separators=(",", ":"))


def check(slug: str, key: uuid.UUID, proof: str | None) -> None:
    """`proof`: the challenge with its solution, JSON in base64. Raises NotProven."""
    if not proof or len(proof) > LONGEST:
        raise NotProven(PROOF_MISSING)
    try:
        payload = altcha.Payload.from_base64(proof)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotProven(PROOF_MISSING) from error
    if payload.challenge.parameters.data != _message(slug, key):
        raise NotProven(PROOF_EXPIRED)
    results = [altcha.verify_solution(payload, secret) for secret in _secrets()]
    if not any(result.verified for result in results):
        is_wrong = any(result.invalid_solution for result in results)
        raise NotProven(PROOF_MISSING if is_wrong else PROOF_EXPIRED)


def _message(slug: str, key: uuid.UUID) -> dict[str, str]:
    return {"bot": slug, "key": str(key)}


def _secrets() -> list[bytes]:
    return [
        hmac.new(secret.encode(), b"webchat proof of work", hashlib.sha256).digest()
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]

"""Posts events to the owner's own URL: signed, once, within a deadline, and never anywhere else.

The signature is that of Standard Webhooks (standardwebhooks.com); docs/request-form.md shows how a receiver checks it.
"""

import base64
import hmac
import re
import time

from outbound.deadline import Deadline
from outbound.http import OutboundError, Session
from webchat.upstream.causes import Cause, connection_cause
from webchat.upstream.wire import is_allowed_url

TOTAL_SECONDS = 10
_PREFIX = "whsec_"  # before a secret in base64; a secret without it is taken as it is
_QUERY = re.compile(r"[!$-;=?-Z_a-z~%]*")


def post(url: str, secret: str, name: str, body: bytes) -> str:
    """Post it; return "" if it has arrived, else why not, in our own words. `name` is the same at each attempt.

    A 2xx means arrived; redirects aren't followed, and the answer's body isn't read.
    """
    if not is_allowed(url):
        return "not an https address"
    if not secret:
        return "no secret to sign with"
    try:
        headers = _headers(secret, name, body)
    except ValueError:
        return "the secret after whsec_ is not base64"
    return send(url, body, headers, TOTAL_SECONDS)


def send(url: str, body: bytes, headers: dict[str, str], seconds: float, **limits: int | bool) -> str:
    """Post it; return "" if it was taken, else why not, in our own words. `limits` are those of `Session`."""
    deadline = Deadline(seconds)
    try:
        with Session(deadline, **limits).post(
            url, data=body, headers=headers | {"User-Agent": "webchat"}, stream=True, allow_redirects=False
        ) as response:
            return "" if 200 <= response.status_code < 300 else f"status {response.status_code}"
    except OutboundError as error:
        if not error.sent:
            return str(connection_cause(error.__cause__))
        return str(Cause.CUT if deadline.seconds_left() else Cause.LATE)


def is_allowed(url: str) -> bool:
    """Allow https, without anything that two parsers read differently; a query may hold the receiver's token."""
    place, _, query = url.partition("?")
    return place.startswith("https://") and is_allowed_url(place) and bool(_QUERY.fullmatch(query))


def sign(secret: str, name: str, timestamp: str, body: bytes) -> str:
    """Return the signature. Raises ValueError for a secret that can't be read."""
    key = base64.b64decode(secret.removeprefix(_PREFIX) + "==") if secret.startswith(_PREFIX) else secret.encode()
    if not key:
        raise ValueError("an empty key signs nothing")
    signature = hmac.digest(key, f"{name}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(signature).decode()}"


def _headers(secret: str, name: str, body: bytes) -> dict[str, str]:
    timestamp = str(int(time.time()))
    return {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(secret, name, timestamp, body),
    }

"""A signed identity: who the visitor is, as the owner's own website says (a JWT, RFC 7519)."""

import datetime
import time
from dataclasses import dataclass
from typing import Any

import jwt
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone

from webchat.models import Bot, Customer, IdentityKey, SpentToken
from webchat.rendering.bot_text import without_invisible

LONGEST_TOKEN = 8192  # characters
LONGEST_LIFE = 60 * 60  # seconds from now until `exp`
LEEWAY = 30  # seconds that two clocks may differ
_LONGEST = {"sub": 255, "jti": 255, "name": 200, "email": 254}  # characters


class Refused(Exception):
    """Not a valid identity. `cause` is one word for the owner's log; the visitor isn't told."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True)
class Identity:
    """What a token says, checked but not used yet."""

    bot: Bot
    subject: str
    name: str
    email: str
    token_id: str
    expires_at: datetime.datetime

    def belongs_to(self, visitor: str | None) -> bool:
        return Customer.objects.filter(bot=self.bot, subject=self.subject, visitor=visitor).exists()

    def use(self) -> Customer:
        """Use it up and return the customer. Raises Refused."""
        if not SpentToken.objects.spend(self.bot, self.token_id, self.expires_at):
            raise Refused("replayed")
        return Customer.objects.vouched_for(self.bot, self.subject, self.name, self.email)


def read(bot: Bot, token: str) -> Identity:
    """Check the token and return its identity. Raises Refused."""
    if len(token) > LONGEST_TOKEN:
        raise Refused("huge")
    if not token.isascii():
        raise Refused("malformed")
    claims = _claims(bot, token)
    expires = int(claims["exp"])
    if expires > time.time() + LONGEST_LIFE + LEEWAY:
        raise Refused("too-long-lived")
    texts = {name: _text(claims, name) for name in _LONGEST}
    if not texts["sub"] or not texts["jti"]:
        raise Refused("incomplete")
    return Identity(
        bot=bot,
        subject=texts["sub"],
        name=" ".join(without_invisible(texts["name"]).split()),
        email=_valid_or_empty(texts["email"]),
        token_id=texts["jti"],
        expires_at=datetime.datetime.fromtimestamp(expires + LEEWAY, tz=datetime.UTC),
    )


def _claims(bot: Bot, token: str) -> dict[str, Any]:
    """Return the claims, checked with the first key that signed them. The key's algorithm counts, not the token's."""
    try:
        algorithm = jwt.get_unverified_header(token).get("alg")
    except jwt.PyJWTError as error:
        raise Refused("malformed") from error
    keys = [key for key in bot.identity_keys.all() if key.algorithm == algorithm]
    if not keys:
        raise Refused("algorithm")
    for key in keys:
        claims = _signed_with(key, token)
        if claims is not None:
            return claims
    raise Refused("signature")


def _signed_with(key: IdentityKey, token: str) -> dict[str, Any] | None:
    material = key.material()
    if material is None:
        return None
    try:
        return jwt.decode(
            token,
            material,
            algorithms=[key.algorithm],
            audience=[key.bot.slug, *([settings.SITE_URL] if settings.SITE_URL else [])],
            leeway=LEEWAY,
            options={"require": ["sub", "exp", "jti", "aud"]},
        )
    except jwt.InvalidSignatureError:
        return None
    except jwt.ExpiredSignatureError as error:
        raise Refused("expired") from error
    except jwt.InvalidAudienceError as error:
        raise Refused("audience") from error
    except jwt.MissingRequiredClaimError as error:
        raise Refused("incomplete") from error
    except jwt.PyJWTError as error:
        raise Refused("malformed") from error


def _text(claims: dict[str, Any], name: str) -> str:
    value = claims.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > _LONGEST[name] or "\x00" in value:
        raise Refused("malformed")
    try:
        value.encode()
    except UnicodeEncodeError as error:  # a lone surrogate, which no database stores
        raise Refused("malformed") from error
    return value.strip()


def _valid_or_empty(email: str) -> str:
    try:
        validate_email(email)
    except ValidationError:
        return ""
    return email


def delete_spent_tokens() -> None:
    """Periodic task: delete tokens that are too old to be accepted anyway."""
    SpentToken.objects.filter(expires_at__lt=timezone.now()).delete()

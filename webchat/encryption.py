"""Encrypts keys and passwords in the database, with a key derived from SECRET_KEY; of tokens only a hash is stored."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class CannotUnseal(Exception):
    """The text was encrypted with a SECRET_KEY that is neither the present one nor in SECRET_KEY_FALLBACKS."""


def _fernet(secret: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"webchat bot key\0" + secret.encode()).digest()))


def _sealer() -> MultiFernet:
    return MultiFernet([_fernet(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def seal(plain: str) -> str:
    return _sealer().encrypt(plain.encode()).decode()


def unseal(sealed: str) -> str:
    """Return the plain text. Raises CannotUnseal."""
    try:
        return _sealer().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise CannotUnseal from error


def unseal_or_empty(sealed: str) -> str:
    """Return "" when there is nothing, or when it can't be unsealed."""
    try:
        return unseal(sealed) if sealed else ""
    except CannotUnseal:
        return ""


def hash_of(token: str) -> str:
    """Return what is stored of a link's token or a code, so that the database alone opens nothing."""
    return hashlib.sha256(token.encode()).hexdigest()

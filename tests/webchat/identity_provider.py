"""The owner's website as an identity provider: it signs valid tokens and forged ones."""

import base64
import json
import time
import uuid
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from webchat.models import Bot, IdentityKey

SECRET = "a shared secret of forty characters, or so"


@cache  # generating one is slow
def rsa_key() -> RSAPrivateKey:
    return generate_private_key(public_exponent=65537, key_size=2048)


def pem(private: Any) -> str:
    return private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


class Website:
    """A website with the private key or the secret; the bot has the other half."""

    def __init__(self, bot: Bot, algorithm: str = "HS256") -> None:
        self.bot, self.algorithm = bot, algorithm
        self.key = IdentityKey(bot=bot, name="shop", algorithm=algorithm)
        if algorithm == "HS256":
            self.private: Any = SECRET
            self.key.set_secret(SECRET)
        else:
            self.private = rsa_key() if algorithm == "RS256" else Ed25519PrivateKey.generate()
            self.key.public_key = pem(self.private)
        self.key.full_clean()
        self.key.save()

    def claims(self, **changes: object) -> dict[str, object]:
        """Return the claims about Rosa; a value of None leaves a claim out."""
        usual = {
            "sub": "42",
            "name": "Rosa Meier",
            "email": "rosa@example.com",
            "aud": self.bot.slug,
            "exp": int(time.time()) + 300,
            "jti": uuid.uuid4().hex,
        }
        return {name: value for name, value in (usual | changes).items() if value is not None}

    def sign(self, **changes: object) -> str:
        return jwt.encode(self.claims(**changes), self.private, algorithm=self.algorithm)


def assemble(header: object, claims: object, signature: bytes = b"") -> str:
    """Build a token by hand, as no library would."""
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)

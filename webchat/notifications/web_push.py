"""Web push: a notification, encrypted for one browser (RFC 8291), signed by the site (RFC 8292), given to its service.

The address of the service comes from a stranger's browser: https only, the public internet only, bounded.
"""

import base64
import os
import time
from email.utils import parseaddr
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from webchat import site
from webchat.models import PushKey
from webchat.notifications import webhooks

GONE = "the browser takes no more"
KEEP_FOR = 24 * 60 * 60  # seconds that the service keeps it for a device that is off
_CURVE = ec.SECP256R1()
_RECORD = 4096  # bytes; ours are shorter, and make one record
_SECONDS = 5  # in all: others wait behind it
_ANSWER = 16 * 1024  # bytes; it isn't read
_ENDED = ("status 404", "status 410")  # the subscription


def public_key() -> str:
    """Return what browsers subscribe with: the site's public key."""
    return encode(_point(_signing_key().public_key()))


def check(url: str, receiver: str, secret: str) -> None:
    """Check a browser's subscription. Raises ValueError."""
    if not webhooks.is_allowed(url):
        raise ValueError("not an https address")
    ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, decode(receiver))
    if len(decode(secret)) != 16:
        raise ValueError("not 16 bytes")


def post(url: str, receiver: str, secret: str, payload: bytes) -> str:
    """Give it to the browser's service; return "" if it has taken it, else why not, in our own words."""
    body = encrypt(payload, decode(receiver), decode(secret), ec.generate_private_key(_CURVE), os.urandom(16))
    headers = {
        "Authorization": _authorization(url),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEEP_FOR),
    }
    only_public = not settings.PUSH_ALLOW_PRIVATE
    problem = webhooks.send(url, body, headers, _SECONDS, most_bytes=_ANSWER, only_public=only_public)
    return GONE if problem in _ENDED else problem


def encrypt(payload: bytes, receiver: bytes, secret: bytes, sender: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Return the body of the request. `sender` and `salt` are new ones for each."""
    own = _point(sender.public_key())
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, receiver))
    key = _derive(shared, secret, b"WebPush: info\0" + receiver + own, 32)
    content_key = _derive(key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(key, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD.to_bytes(4) + bytes([len(own)]) + own
    return header + AESGCM(content_key).encrypt(nonce, payload + b"\2", None)  # 2: the last record


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _authorization(url: str) -> str:
    parts = urlsplit(url)
    claims = {
        "aud": f"https://{parts.netloc}",
        "exp": int(time.time()) + 12 * 60 * 60,
        "sub": settings.SITE_URL if settings.HTTPS else f"mailto:{parseaddr(site.sender())[1]}",
    }
    return f"vapid t={jwt.encode(claims, _signing_key(), algorithm='ES256')}, k={public_key()}"


def _signing_key() -> ec.EllipticCurvePrivateKey:
    return serialization.load_pem_private_key(PushKey.pem(_new_pem).encode(), password=None)


def _new_pem() -> str:
    kept = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return ec.generate_private_key(_CURVE).private_bytes(*kept).decode()


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)

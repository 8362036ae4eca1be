"""A browser and its push service on loopback, which decrypts the site's messages as RFC 8291 requires."""

import json
import re
import ssl
from typing import Any, Self
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.webchat.upstream_server import SeenRequest, UpstreamServer, http_answer
from webchat.notifications.web_push import decode, encode

SECRET = b"0123456789abcdef"


class PushService:
    def __init__(self, tls: ssl.SSLContext) -> None:
        self.status = 201  # of each answer
        self._server = UpstreamServer(tls=tls)
        self._server.will(lambda connection, _: connection.sendall(http_answer(self.status, "")), times=100)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.url = f"{self._server.base_url}/push/of-one-browser?token=hidden"

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(*error)

    @property
    def subscription(self) -> dict[str, str]:
        """Return what the page's script posts."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"url": self.url, "public_key": encode(point), "auth_secret": encode(SECRET)}

    @property
    def requests(self) -> list[SeenRequest]:
        return self._server.requests

    def shown_notifications(self, site_key: str) -> list[dict[str, Any]]:
        """Return what the browser shows for each request that the site has signed."""
        return [self._decrypted(request, site_key) for request in self.requests]

    def _decrypted(self, request: SeenRequest, site_key: str) -> dict[str, Any]:
        token, key = re.fullmatch(r"vapid t=(\S+), k=(\S+)", request.headers["authorization"]).groups()
        assert key == site_key
        signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
        claims = jwt.decode(token, signer, algorithms=["ES256"], audience=f"https://{urlsplit(self.url).netloc}")
        assert claims["sub"].startswith(("mailto:", "https://"))
        assert request.headers["content-encoding"] == "aes128gcm"
        salt, size, length = request.body[:16], int.from_bytes(request.body[16:20]), request.body[20]
        sender, sealed = request.body[21 : 21 + length], request.body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + decode(self.subscription["public_key"]) + sender
        secret = _hkdf(shared, SECRET, info, 32)
        content_key = _hkdf(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _hkdf(secret, salt, b"Content-Encoding: nonce\0", 12)
        return json.loads(AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0").removesuffix(b"\2"))


def _hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

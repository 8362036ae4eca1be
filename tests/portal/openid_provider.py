"""A small OpenID Connect provider on loopback: discovery, authorization code with PKCE, signed ID tokens, JWKS."""

import base64
import hashlib
import json
import secrets
import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from jwt.algorithms import RSAAlgorithm

from tests.http_server import HttpServer, Request
from tests.webchat.identity_provider import rsa_key

CLIENT, SECRET = "webchat", "the client's secret"


class OpenIDProvider(HttpServer):
    """Signs in every visitor as `person`, without asking; `will_refuse` sends the next one back with an error."""

    def __init__(self) -> None:
        super().__init__()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.person: dict[str, Any] = {"sub": "248289761001", "name": "Rosa Meier", "email": "rosa@example.com"}
        self.id_token_changes: dict[str, Any] = {}
        self.refusal = ""
        self.signed_in_at = int(time.time())  # at the provider
        self.asks_again = True  # with `prompt=login`, as a provider must
        self.raw: dict[str, str] = {}  # path -> its answer instead of the usual one
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._tokens: set[str] = set()

    def will_refuse(self, error: str) -> None:
        self.refusal = error

    def answer(self, request: Request) -> None:
        url = urlsplit(request.path)
        self.asked.append(url.path)
        if url.path in self.raw:
            _send_text(request, self.raw.pop(url.path))
        elif request.command == "POST":
            self._give_token(request, _first_values(request.body().decode()))
        elif url.path == "/.well-known/openid-configuration":
            _send(request, self._configuration())
        elif url.path == "/authorize":
            self._authorize(request, _first_values(url.query))
        elif url.path == "/jwks":
            key = json.loads(RSAAlgorithm.to_jwk(rsa_key().public_key()))
            _send(request, {"keys": [key | {"kid": "1", "use": "sig", "alg": "RS256"}]})
        elif url.path == "/userinfo" and request.headers["Authorization"].removeprefix("Bearer ") in self._tokens:
            _send(request, self.person)
        else:
            _send(request, {"error": "not_found"}, 404)

    def _configuration(self) -> dict[str, object]:
        ends = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **{f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in ends.items()},
        }

    def _authorize(self, request: Request, query: dict[str, str]) -> None:
        answer = {"state": query["state"]}
        if self.refusal:
            answer["error"] = self.refusal
        else:
            assert (query["client_id"], query["response_type"]) == (CLIENT, "code")
            assert "openid" in query["scope"].split()
            assert query["code_challenge_method"] == "S256"
            if query.get("prompt") == "login" and self.asks_again:
                self.signed_in_at = int(time.time())
            answer["code"] = secrets.token_urlsafe()
            self._codes[answer["code"]] = query
        request.respond(302, Location=f"{query['redirect_uri']}?{urlencode(answer)}")

    def _give_token(self, request: Request, form: dict[str, str]) -> None:
        grant = self._codes.pop(form.get("code", ""), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            grant is None
            or (form["client_id"], form["client_secret"]) != (CLIENT, SECRET)
            or form["redirect_uri"] != grant["redirect_uri"]
            or base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() != grant["code_challenge"]
        ):
            return _send(request, {"error": "invalid_grant"}, 400)
        token = secrets.token_urlsafe()
        self._tokens.add(token)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            **({"auth_time": self.signed_in_at} if "max_age" in grant else {}),
            **self.person,
            **self.id_token_changes,
        }
        signed = jwt.encode(claims, rsa_key(), algorithm="RS256", headers={"kid": "1"})
        return _send(request, {"access_token": token, "token_type": "Bearer", "expires_in": 300, "id_token": signed})


def _first_values(encoded: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(encoded).items()}


def _send(request: Request, content: object, status: int = 200) -> None:
    _send_text(request, json.dumps(content), status)


def _send_text(request: Request, text: str, status: int = 200) -> None:
    request.respond(status, text.encode(), **{"Content-Type": "application/json"})

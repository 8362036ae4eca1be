"""Signed identities: what a website may say about its visitor, and every way to forge it."""

import base64
import datetime
import hashlib
import hmac
import time
from collections.abc import Callable

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.webchat.concurrency import run_concurrently
from tests.webchat.identity_provider import SECRET, Website, assemble, pem, rsa_key
from webchat.embed import identities
from webchat.embed.identities import Refused
from webchat.models import Bot, Customer, IdentityKey, SpentToken


@pytest.fixture
def website(bot: Bot) -> Website:
    return Website(bot)


@pytest.mark.parametrize("algorithm", ["HS256", "RS256", "EdDSA"])
def test_a_website_says_who_its_visitor_is(algorithm, bot):
    person = identities.read(bot, Website(bot, algorithm).sign()).use()
    assert (person.subject, person.name, person.email) == ("42", "Rosa Meier", "rosa@example.com")
    assert (person.bot, person.user) == (bot, None)


@pytest.mark.parametrize("audience", ["help", "https://chat.example.com", ["another", "help"]])
def test_a_token_may_be_made_for_the_bot_or_the_site(audience, website, bot, settings):
    settings.SITE_URL = "https://chat.example.com"
    assert identities.read(bot, website.sign(aud=audience)).subject == "42"


@pytest.mark.parametrize(
    ("claims", "name", "email"),
    [
        ({"name": None, "email": None}, "", ""),
        ({"name": "  Zoë\u202e\n Łukasz 山田 "}, "Zoë Łukasz 山田", "rosa@example.com"),
        ({"admin": True, "is_staff": True}, "Rosa Meier", "rosa@example.com"),
    ],
)
def test_name_and_email_are_optional_and_kept_as_text(claims, name, email, website, bot):
    person = identities.read(bot, website.sign(**claims)).use()
    assert (str(person.name), person.email) == (name, email)


def test_a_new_key_works_beside_the_one_that_it_replaces(website, bot):
    other = IdentityKey(bot=bot, name="new", algorithm="HS256")
    other.set_secret("another secret, for the time after this one")
    other.save()
    assert identities.read(bot, website.sign()).subject == "42"
    website.key.delete()
    with pytest.raises(Refused, match="signature"):
        identities.read(bot, website.sign())


def test_a_secret_is_encrypted_and_survives_a_new_secret_key(website, bot, settings):
    assert SECRET not in str(vars(website.key))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key that nobody has ever seen before"
    assert identities.read(bot, website.sign()).subject == "42"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(Refused):
        identities.read(bot, website.sign())


def hs256(header: dict, claims: dict, secret: bytes) -> str:
    """Sign by hand: PyJWT refuses to use a public key as a secret."""
    unsigned = assemble(header, claims).rpartition(".")[0]
    signature = base64.urlsafe_b64encode(hmac.digest(secret, unsigned.encode(), hashlib.sha256)).rstrip(b"=").decode()
    return f"{unsigned}.{signature}"


def with_claims(token: str, claims: dict) -> str:
    header, _old, signature = token.split(".")
    return f"{header}.{assemble({}, claims).split('.')[1]}.{signature}"


ABUSE: dict[str, tuple[str, Callable[[Website], str]]] = {
    "alg none": ("algorithm", lambda site: assemble({"alg": "none"}, site.claims())),
    "no signature": ("signature", lambda site: assemble({"alg": "HS256"}, site.claims())),
    "wrong key": ("signature", lambda site: jwt.encode(site.claims(), "x" * 40, algorithm="HS256")),
    "claims changed afterwards": ("signature", lambda site: with_claims(site.sign(), site.claims(sub="1"))),
    "expired": ("expired", lambda site: site.sign(exp=int(time.time()) - 60)),
    "exp too far": ("too-long-lived", lambda site: site.sign(exp=int(time.time()) + 2 * 60 * 60)),
    "for another bot": ("audience", lambda site: site.sign(aud="other")),
    "for nobody": ("audience|incomplete", lambda site: site.sign(aud="")),
    "no exp": ("incomplete", lambda site: site.sign(exp=None)),
    "no jti": ("incomplete", lambda site: site.sign(jti=None)),
    "no sub": ("incomplete", lambda site: site.sign(sub=None)),
    "empty jti": ("incomplete", lambda site: site.sign(jti="")),
    "sub with half a character": ("malformed", lambda site: sign(site, sub="\ud800")),
    "letters of other scripts and half a character": ("malformed", lambda site: "é.山.\ud800"),
    "empty sub": ("incomplete", lambda site: site.sign(sub="  ")),
    "sub too long": ("malformed", lambda site: site.sign(sub="x" * 256)),
    "sub with a zero": ("malformed", lambda site: site.sign(sub="4\x002")),
    "huge": ("huge", lambda site: site.sign(more="x" * 10_000)),
    "a header nested deeply": (
        "malformed",
        lambda site: base64.urlsafe_b64encode(b"[" * 3000).rstrip(b"=").decode() + ".e30.x",
    ),
    "claims that are a list": ("malformed", lambda site: hs256({"alg": "HS256"}, [1], SECRET.encode())),
}


def sign(site: Website, **changes: object) -> str:
    return hs256({"alg": "HS256"}, site.claims(**changes), SECRET.encode())


@pytest.mark.parametrize("attempt", ABUSE)
def test_a_forged_or_invalid_identity_is_refused(attempt, website, bot):
    cause, token = ABUSE[attempt]
    with pytest.raises(Refused, match=f"^({cause})$"):
        identities.read(bot, token(website))
    assert not Customer.objects.exists()


@pytest.mark.parametrize("algorithm", ["RS256", "EdDSA"])
@pytest.mark.parametrize(
    "change", [str, str.strip, lambda text: text.replace("\n", "\r\n")], ids=["pem", "bare", "crlf"]
)
def test_a_public_key_is_never_used_as_a_secret(algorithm, change, bot):
    """Everybody knows it, so anybody could sign with it (RFC 8725, section 2.1)."""
    site = Website(bot, algorithm)
    forged = hs256({"alg": "HS256"}, site.claims(), change(pem(site.private)).encode())
    with pytest.raises(Refused, match="algorithm"):
        identities.read(bot, forged)
    with pytest.raises(Refused, match=r"signature|malformed"):
        identities.read(bot, forged.replace(forged.split(".")[0], assemble({"alg": algorithm}, {}).split(".")[0]))


def test_a_token_signed_with_the_key_of_another_bot_is_refused(website, bot):
    other = Bot.objects.create(slug="other", name="Eve")
    with pytest.raises(Refused):
        identities.read(other, website.sign(aud="other"))


def test_a_token_works_once_and_so_does_its_id(website, bot):
    token = website.sign(jti="1")
    identities.read(bot, token).use()
    for again in (token, website.sign(jti="1", sub="43")):
        with pytest.raises(Refused, match="replayed"):
            identities.read(bot, again).use()


def test_a_token_used_many_times_at_once_works_once(bot_on_disk):
    token = Website(bot_on_disk).sign()

    def use() -> str:
        try:
            return identities.read(bot_on_disk, token).use().subject
        except Refused as refusal:
            return refusal.cause

    assert sorted(run_concurrently(*[use] * 6)) == ["42", *["replayed"] * 5]


def test_used_tokens_are_remembered_until_they_expire(website, bot):
    exp = int(time.time()) + 300
    identities.read(bot, website.sign(exp=exp)).use()
    identities.delete_spent_tokens()
    assert SpentToken.objects.get().expires_at.timestamp() >= exp + identities.LEEWAY
    SpentToken.objects.update(expires_at=timezone.now() - datetime.timedelta(seconds=1))
    identities.delete_spent_tokens()
    assert not SpentToken.objects.exists()


@pytest.mark.parametrize(
    ("algorithm", "key"),
    [
        ("RS256", lambda: "not a key"),
        ("RS256", lambda: pem(Ed25519PrivateKey.generate())),
        ("EdDSA", lambda: pem(rsa_key())),
        ("RS256", lambda: pem(generate_private_key(65537, 1024))),
    ],
    ids=["a word", "Ed25519 for RSA", "RSA for Ed25519", "too short"],
)
def test_a_key_of_the_wrong_kind_is_refused_when_it_is_entered(algorithm, key, bot):
    with pytest.raises(ValidationError) as refusal:
        IdentityKey(bot=bot, name="shop", algorithm=algorithm, public_key=key()).full_clean()
    assert "public_key" in refusal.value.message_dict

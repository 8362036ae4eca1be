"""A website's keys for signed identities, and which of its tokens have been used."""

import datetime
import hashlib

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat import encryption
from webchat.models.bots import Bot

SMALLEST_RSA = 2048  # bits, RFC 7518, section 3.3


class IdentityKey(models.Model):
    """One of the keys with which the owner's own website signs who its visitor is.

    The algorithm belongs to the key and is never taken from a token, so no public key is ever used as a secret.
    """

    class Algorithm(models.TextChoices):
        HS256 = "HS256", _("HS256: a shared secret")
        RS256 = "RS256", _("RS256: the website’s RSA key")
        EDDSA = "EdDSA", _("EdDSA: the website’s Ed25519 key")

    bot = models.ForeignKey(Bot, verbose_name=_("bot"), on_delete=models.CASCADE, related_name="identity_keys")
    name = models.CharField(_("name"), max_length=80, help_text=_("What you know it by, such as “shop, 2027”."))
    algorithm = models.CharField(_("algorithm"), max_length=5, choices=Algorithm, default=Algorithm.HS256)
    sealed_secret = models.TextField(blank=True, editable=False)
    public_key = models.TextField(
        _("public key"), blank=True, help_text=_("For RS256 and EdDSA: -----BEGIN PUBLIC KEY----- …")
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("website key")
        verbose_name_plural = _("website keys")
        ordering = ["bot", "-created_at"]

    def __str__(self) -> str:
        return self.name

    def set_secret(self, plain: str) -> None:
        self.sealed_secret = encryption.seal(plain)

    def material(self) -> str | None:
        """Return the key that signatures are checked with; None if it can't be decrypted any more."""
        if self.algorithm != self.Algorithm.HS256:
            return self.public_key
        try:
            return encryption.unseal(self.sealed_secret)
        except encryption.CannotUnseal:
            return None

    def clean(self) -> None:
        if self.algorithm == self.Algorithm.HS256:
            self.public_key = ""
        else:
            self.sealed_secret = ""
            _refuse_unfit(self.algorithm, self.public_key)


def _refuse_unfit(algorithm: str, pem: str) -> None:
    try:
        key = load_pem_public_key(pem.strip().encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        sentence = _("This is not a public key. Paste the lines from BEGIN PUBLIC KEY to END PUBLIC KEY.")
        raise ValidationError({"public_key": sentence}) from error
    kind = RSAPublicKey if algorithm == IdentityKey.Algorithm.RS256 else Ed25519PublicKey
    if not isinstance(key, kind):
        raise ValidationError({"public_key": _("This key belongs to another algorithm.")})
    if isinstance(key, RSAPublicKey) and key.key_size < SMALLEST_RSA:
        raise ValidationError({"public_key": _("An RSA key needs at least 2048 bits.")})


class SpentTokenQuerySet(models.QuerySet):
    def spend(self, bot: Bot, token_id: str, expires_at: datetime.datetime) -> bool:
        """Record that the token is used; return True for one caller only."""
        digest = hashlib.sha256(f"{bot.pk}\0{token_id}".encode()).hexdigest()
        try:
            with transaction.atomic():
                self.create(digest=digest, expires_at=expires_at)
        except IntegrityError:
            return False
        return True


class SpentToken(models.Model):
    """A signed identity that was used; kept until it would be refused as too old anyway."""

    digest = models.CharField(max_length=64, primary_key=True)
    expires_at = models.DateTimeField(db_index=True)

    objects = SpentTokenQuerySet.as_manager()

    def __str__(self) -> str:
        return self.digest

"""`manage.py reseal`: encrypts stored secrets again after SECRET_KEY has changed."""

from collections.abc import Iterator

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import models
from django.utils.translation import gettext_noop

from desk.access import audit
from webchat import encryption
from webchat.models import Bot


class Command(BaseCommand):
    help = (
        "Encrypts the bots' keys and other secrets again with the current SECRET_KEY. Put the old one into "
        "SECRET_KEY_FALLBACKS while this runs; the secrets don't need it afterwards."
    )

    def handle(self, *args: object, **options: object) -> None:
        resealed, lost = 0, []
        for row, field in _sealed():
            sealed = getattr(row, field)
            try:
                plain = encryption.unseal(sealed)
            except encryption.CannotUnseal:
                lost.append(f"{row._meta.verbose_name} “{row}”: {field.removeprefix('sealed_')}")
                continue
            # Never overwrite a secret that was entered in the meantime.
            row_as_read = type(row)._base_manager.filter(pk=row.pk, **{field: sealed})
            resealed += row_as_read.update(**{field: encryption.seal(plain)})
        for factor in Authenticator.objects.select_related("user"):
            secrets = {name: factor.data[name] for name in ("secret", "seed") if name in factor.data}
            try:
                anew = {name: encryption.seal(encryption.unseal(sealed)) for name, sealed in secrets.items()}
            except encryption.CannotUnseal:
                lost.append(f"second factor of “{factor.user}”")
                continue
            if anew:
                as_read = Authenticator.objects.filter(pk=factor.pk, data=factor.data)
                resealed += as_read.update(data=factor.data | anew)
        audit.record(audit.command_line(), Bot, gettext_noop("Encrypted stored secrets again: {}."), resealed)
        self.stdout.write(f"Encrypted again: {resealed}.")
        for name in lost:
            self.stderr.write(f"Can’t be decrypted with any known key, enter it again: {name}.")
        if lost:
            raise SystemExit(1)


def _sealed() -> Iterator[tuple[models.Model, str]]:
    """Yield every encrypted field in the database: their names start with `sealed_`."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.name.startswith("sealed_"):
                for row in model._base_manager.exclude(**{field.name: ""}):
                    yield row, field.name

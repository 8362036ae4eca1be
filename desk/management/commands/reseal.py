"""`manage.py reseal`: after a change of SECRET_KEY, seals anew what was sealed with a former one."""

from collections.abc import Iterator

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import models

from webchat import encryption


class Command(BaseCommand):
    help = (
        "Seals the bots' keys and other secrets anew with the present SECRET_KEY. Name the former one in "
        "SECRET_KEY_FALLBACKS while this runs; afterwards it is needed no longer for them."
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
            # Only over what was read: a secret that was entered meanwhile is a newer one.
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
        self.stdout.write(f"Sealed anew: {resealed}.")
        for name in lost:
            self.stderr.write(f"Can’t be unsealed by any key that is known, so it has to be entered again: {name}.")
        if lost:
            raise SystemExit(1)


def _sealed() -> Iterator[tuple[models.Model, str]]:
    """Every secret in the database: what is sealed says so by its name."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.name.startswith("sealed_"):
                for row in model._base_manager.exclude(**{field.name: ""}):
                    yield row, field.name

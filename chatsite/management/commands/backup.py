"""`manage.py backup FILE`: writes everything that can't be rebuilt into one archive."""

import io
import os
import tarfile
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext_noop

from chatsite.management import dumps
from desk.access import audit
from webchat.models import Conversation


class Command(BaseCommand):
    help = "Writes the database, the uploaded files and the secret key into one archive. The site may keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive to write, such as /backups/monday.tar.gz")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        if file.exists():
            raise CommandError(f"{file} already exists. Choose another name.")
        partial = file.with_name(f"{file.name}.{os.getpid()}")  # so that an interrupted backup doesn't look complete
        try:
            # Readable by its owner only: it holds conversations and the key that decrypts the bots' keys.
            with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:
                with tarfile.open(fileobj=raw, mode="w:gz") as archive:
                    self._add_all(archive)
                raw.flush()
                os.fsync(raw.fileno())
            partial.rename(file)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from error
        finally:
            partial.unlink(missing_ok=True)
        audit.record(audit.command_line(), Conversation, gettext_noop("Made a backup."))
        self.stdout.write(f"Wrote {file}. It holds all conversations and keys: keep it safe.")

    def _add_all(self, archive: tarfile.TarFile) -> None:
        """Add the database first: a file that is uploaded meanwhile is then in excess, not missing."""
        with tempfile.TemporaryDirectory() as folder:
            dump = dumps.write(connection, Path(folder))
            archive.add(dump, dump.name)
        if Path(settings.MEDIA_ROOT).exists():
            archive.add(settings.MEDIA_ROOT, "media")
        _add_text(archive, "secret_key", settings.SECRET_KEY)


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(text.encode()), 0o600
    archive.addfile(member, io.BytesIO(text.encode()))

"""`manage.py restore FILE`: restores a backup into an empty installation."""

import shutil
import tarfile
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext_noop

from chatsite.management import dumps
from desk.access import audit
from webchat.models import Conversation


class Command(BaseCommand):
    help = "Restores the database, the uploaded files and the secret key from a backup. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive written by `manage.py backup`")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        if dumps.has_tables(connection):
            raise CommandError("The database is not empty. Restore into an empty DATA_DIR and an empty database.")
        try:
            with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder, tarfile.open(file) as archive:
                _unpack(archive, Path(folder).resolve())
                self._restore(Path(folder))
        except (OSError, tarfile.TarError) as error:
            raise CommandError(f"{file} can't be read as a backup: {error}.") from error
        call_command("migrate", verbosity=0)  # the backup may be older than the code
        audit.record(audit.command_line(), Conversation, gettext_noop("Restored a backup."))
        self.stdout.write("Restored. Start the site now: it rebuilds indexes and statistics by itself.")

    def _restore(self, folder: Path) -> None:
        try:
            dumps.read(connection, folder)
        except FileNotFoundError as error:
            raise CommandError(
                f"The backup holds no {error.filename}: it was made with another kind of database."
            ) from error
        if (folder / "media").exists():
            shutil.copytree(folder / "media", settings.MEDIA_ROOT, dirs_exist_ok=True)
        key = Path(settings.DATA_DIR) / "secret_key"
        shutil.copyfile(folder / "secret_key", key)
        key.chmod(0o600)


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack plain files inside the folder only; tarfile's filter for that is missing in Debian 12's Python."""
    for member in archive:
        path = (folder / member.name).resolve()
        if not path.is_relative_to(folder) or not (member.isdir() or member.isfile()):
            raise tarfile.TarError(f"{member.name} doesn't belong in a backup")
        if member.isdir():
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.extractfile(member) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)

"""`manage.py restore FILE`: puts a backup back where nothing is yet."""

import shutil
import tarfile
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from chatsite import dumps


class Command(BaseCommand):
    help = "Puts a backup back: the database, the uploaded files and the secret key. Only while the site is stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive that `manage.py backup` has written")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        if dumps.has_tables(connection):
            raise CommandError("There is a site here already. Restore into an empty DATA_DIR and an empty database.")
        try:
            with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder, tarfile.open(file) as archive:
                _unpack(archive, Path(folder).resolve())
                self._put_back(Path(folder))
        except (OSError, tarfile.TarError) as error:
            raise CommandError(f"{file} can't be read as a backup: {error}.") from error
        call_command("migrate", verbosity=0)  # a backup may be older than the program
        self.stdout.write("Restored. Now start the site: what is worked out from these data is worked out anew.")

    def _put_back(self, folder: Path) -> None:
        try:
            dumps.read(connection, folder)
        except FileNotFoundError as error:
            raise CommandError(
                f"The backup holds no {error.filename}: it is one of another kind of database."
            ) from error
        if (folder / "media").exists():
            shutil.copytree(folder / "media", settings.MEDIA_ROOT, dirs_exist_ok=True)
        key = Path(settings.DATA_DIR) / "secret_key"
        shutil.copyfile(folder / "secret_key", key)
        key.chmod(0o600)


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Plain files, none outside of the folder; tarfile's own filter for that is too new for Debian 12's Python."""
    for member in archive:
        path = (folder / member.name).resolve()
        if not path.is_relative_to(folder) or not (member.isdir() or member.isfile()):
            raise tarfile.TarError(f"{member.name} is no file of a backup")
        if member.isdir():
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.extractfile(member) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)

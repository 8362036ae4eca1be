"""`manage.py prepare`: sets up everything that the site needs to run; safe to repeat."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from chatsite import staticfiles
from chatsite.default_bot import initial_texts, update_texts
from desk.setup.steps import FIRST_NAME
from docbot.endpoint import keys
from docbot.models import Document, TrainedBot
from docbot.reading import folders
from docbot.training import indexing
from docbot.training.document_store import fingerprint_of
from webchat.models import Bot


class Command(BaseCommand):
    help = "Migrates the database, collects static files, creates the default bot and trains it on the manual."

    def handle(self, *args: object, **options: object) -> None:
        self._migrate()
        self.collect_static_files()
        self._make_default_bot()
        self._train_default_bot()
        self._build_outdated_indexes()

    def _migrate(self) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Preparing the database …")
            call_command("migrate", verbosity=0)

    def collect_static_files(self) -> None:
        folder = Path(settings.STATIC_ROOT)
        stamp = folder / ".collected"
        present = _fingerprint_of_static_files()
        with _locked(folder):
            if not stamp.exists() or stamp.read_text() != present:
                self.stdout.write("Collecting the static files …")
                call_command("collectstatic", interactive=False, verbosity=0)
                stamp.write_text(present)

    def _make_default_bot(self) -> None:
        """Create it on a site without bots; one that its owner has deleted or renamed is not created again."""
        if Bot.objects.exists():
            update_texts()
        else:
            bot = Bot.objects.create(slug=settings.DEFAULT_BOT, name=FIRST_NAME, **initial_texts())
            if settings.CHAT_BASE_URL == settings.IN_PROCESS_URL:
                TrainedBot.objects.get_or_create(slug=bot.slug, defaults={"name": bot.name})
            self.stdout.write(f"Created the bot “{settings.DEFAULT_BOT}”.")

    def _train_default_bot(self) -> None:
        """Train its trained bot on the manual, unless its owner deleted it, and register this site's key.

        The key is derived from SECRET_KEY.
        """
        if settings.CHAT_BASE_URL != settings.IN_PROCESS_URL:
            return
        trained = TrainedBot.objects.filter(slug=settings.DEFAULT_BOT).first()
        if trained is None:
            return
        if Bot.objects.filter(slug=trained.slug).exists() and _manual_has_changed():
            call_command("train", trained.slug, str(settings.MANUAL), words_only=True)
        for key in settings.IN_PROCESS_KEYS:
            keys.register(trained, "this site", key)

    def _build_outdated_indexes(self) -> None:
        """Rebuild indexes after an update that changes their format."""
        for trained in TrainedBot.objects.exclude(documents=None):
            if indexing.build(trained):
                self.stdout.write(f"Built the index of “{trained.slug}”.")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder, for concurrent runs in the same checkout: the second waits and finds the work done."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # releases the lock


def _manual_has_changed() -> bool:
    """Return whether the default bot knows no documents or an older manual; False if its owner removed the manual."""
    documents = Document.objects.filter(trained_bot__slug=settings.DEFAULT_BOT)
    known = dict(documents.filter(origin=folders.location_of(settings.MANUAL)).values_list("location", "fingerprint"))
    if not known and documents.exists():
        return False
    pages = folders.files(settings.MANUAL)
    return known != {folders.location_of(page): fingerprint_of(page.read_bytes()) for page in pages}


def _fingerprint_of_static_files() -> str:
    """Return a hash of the static files' names, sizes and times, and of the code that processes them."""
    digest = hashlib.sha256(Path(staticfiles.__file__).read_bytes())
    for finder in get_finders():
        for path, storage in finder.list(None):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()

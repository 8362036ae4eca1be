"""`manage.py prepare`: all between an empty machine and a page that answers; a second time it changes nothing."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from chatsite import staticfiles
from docbot import keys
from docbot.models import TrainedBot
from webchat.models import Bot

GREETING = (
    "Hello! I answer questions about this chat site from its own manual.\n\n"
    "Train me on your documents, or put this page before a bot of your own."
)
SUGGESTIONS = (
    "How do I train the bot on my own documents?",
    "How do I set my bot’s key?",
    "How do I put this page before my own bot?",
)


class Command(BaseCommand):
    help = "Migrates the database, collects the static files, makes the default bot and trains it on the manual."

    def handle(self, *args: object, **options: object) -> None:
        self._migrate()
        self._collect_static_files()
        self._make_default_bot()
        self._train_default_bot()

    def _migrate(self) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Preparing the database …")
            call_command("migrate", verbosity=0)

    def _collect_static_files(self) -> None:
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        present = _fingerprint_of_static_files()
        if not stamp.exists() or stamp.read_text() != present:
            self.stdout.write("Collecting the static files …")
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)
            stamp.write_text(present)

    def _make_default_bot(self) -> None:
        _bot, made = Bot.objects.get_or_create(
            slug=settings.DEFAULT_BOT,
            defaults={"name": "Help", "greeting": GREETING, "suggestions": "\n".join(SUGGESTIONS)},
        )
        if made:
            self.stdout.write(f"Made the bot “{settings.DEFAULT_BOT}”.")

    def _train_default_bot(self) -> None:
        """docbot knows this site by a key that is derived from SECRET_KEY, so nobody has to copy one."""
        if settings.CHAT_BASE_URL != settings.IN_PROCESS_URL:
            return
        call_command("train", settings.DEFAULT_BOT, str(settings.BASE_DIR / "docs"))
        trained = TrainedBot.objects.get(slug=settings.DEFAULT_BOT)
        keys.register(trained, "this site", settings.IN_PROCESS_KEY)


def _fingerprint_of_static_files() -> str:
    """Changes whenever a static file does (names, sizes and times, without reading them), or what is made of them."""
    digest = hashlib.sha256(Path(staticfiles.__file__).read_bytes())
    for finder in get_finders():
        for path, storage in finder.list(None):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()

"""Builds a bot's index from all its passages, unless the current one is up to date."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone

from docbot.answering.certainty import calibration
from docbot.models import Document, TrainedBot
from docbot.retrieval import atomic_directory, index
from docbot.training.file_lock import alone_with

LONG_DOCUMENT = 4  # passages; titles of longer documents weigh less
BUILT_FROM = "built_from"  # the file that says which documents an index was built from
_LOT = 100  # documents per query


def build(trained_bot: TrainedBot, progress: Callable[[int], None] = lambda done: None) -> bool:
    """Build the index; return False if it was up to date. `progress` gets the number of indexed passages."""
    folder, stamp = trained_bot.index_folder, _stamp(trained_bot)
    if atomic_directory.current(folder) and content_of(folder / BUILT_FROM) == stamp:
        return False
    index.build(folder, passages(trained_bot), progress=progress)
    calibration.calibrate(folder, documents_of(stamp), "words")
    (folder / BUILT_FROM).write_text(stamp)
    return True


def build_outdated() -> None:
    """Periodic task on each machine: build the indexes of bots that were trained on another machine."""
    with alone_with(Path(settings.DATA_DIR) / "docbot" / "building.lock") as is_alone:
        if not is_alone:
            return
        ended = Q(runs__finished_at__isnull=False)
        for trained_bot in TrainedBot.objects.annotate(latest_run=Max("runs__pk", filter=ended)):
            looked_at, run = trained_bot.index_folder / "looked_at", trained_bot.latest_run
            if run and content_of(looked_at) != str(run):  # a training has ended since the last check
                trained_bot.index_folder.mkdir(parents=True, exist_ok=True)
                build(trained_bot)
                looked_at.write_text(str(run))


def _stamp(trained_bot: TrainedBot) -> str:
    """Return hashes of everything the index depends on: of all documents, and of all but the taught answers."""
    whole, untaught = (hashlib.sha256(f"{index.FORMAT} {trained_bot.language}".encode()) for _ in range(2))
    rows = trained_bot.documents.order_by("pk").values_list("pk", "fingerprint", "trained_at", "url", "kind")
    for row in rows.iterator():
        whole.update(repr(row).encode())
        if row[-1] != Document.Kind.TAUGHT:
            untaught.update(repr(row).encode())
    return f"{whole.hexdigest()} {untaught.hexdigest()}"


def content_of(file: Path) -> str:
    """Return what a training has noted in the file; empty if there is none."""
    return file.read_text() if file.exists() else ""


def documents_of(stamp: str) -> str:
    """Return the part of a stamp that taught answers leave as it is."""
    return stamp.rpartition(" ")[2]


def passages(trained_bot: TrainedBot) -> Iterator[index.IndexedPassage]:
    """Yield all passages of a bot for the index, in batches with no read transaction open in between (SQLite)."""
    known = trained_bot.documents.exclude(language="").order_by().values_list("language")
    by_number = known.annotate(count=Count("pk")).order_by("-count")
    usual = next((language for language, _count in by_number), "")  # of documents too short for detection
    keys = list(trained_bot.documents.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _LOT):
        lot = Document.objects.filter(pk__in=keys[start : start + _LOT]).order_by("pk")
        for document in lot.select_related("taught_answer").prefetch_related("passages"):
            yield from _passages_of(document, trained_bot.language or document.language or usual)


def _passages_of(document: Document, language: str) -> Iterator[index.IndexedPassage]:
    taught, passages = document.taught_answer, document.passages.all()
    for passage in passages:
        yield index.IndexedPassage(
            id=passage.pk,
            document_id=document.pk,
            # Each way to ask a taught question counts as much as a title.
            title=passage.heading if taught else document.title,
            heading="" if taught else passage.heading,
            text=passage.text,
            url=document.url,
            language=language,
            in_long_document=len(passages) > LONG_DOCUMENT and not taught,
            taught_on=timezone.localdate(taught.taught_at).isoformat() if taught else "",
        )

"""Stores a bot's documents and passages in the database."""

from __future__ import annotations

import hashlib
import time

from django.db import transaction
from django.utils import timezone

from docbot.content import ReadDocument, Section
from docbot.models import Document, Passage, TrainedBot
from docbot.reading import Unreadable
from docbot.retrieval import languages
from docbot.training.passages import cut
from docbot.training.sources import Source

READ_AS = 6  # increase when reading or splitting changes: all documents are then read again
FEW_WORDS = 20
AT_ONCE = 500  # rows per statement
WRITE_EVERY = 1.0  # seconds: as much is lost when a training is killed
_REPLACED = "kind origin taught_answer title url language fingerprint word_count trained_at problem"
REPLACED = _REPLACED.split()


def fingerprint_of(content: bytes) -> str:
    """Return a hash of the content and of the version of the reading code."""
    return f"{READ_AS}-{hashlib.sha256(content).hexdigest()}"[:64]


def is_same_content(one: str, other: str) -> bool:
    """Compare fingerprints without the version of the reading code."""
    return one.partition("-")[2] == other.partition("-")[2]


class DocumentStore:
    """The documents of one bot. Documents are written in batches: one transaction each would be slow."""

    def __init__(self, trained_bot: TrainedBot) -> None:
        self.trained_bot = trained_bot
        self.known = {document.location: document for document in trained_bot.documents.all()}
        self._waiting: list[tuple[Document, list[Section]]] = []
        self._written = time.monotonic()

    def put(self, row: Document, document: ReadDocument) -> None:
        """Add or replace a document; `row` says where it is from. Raises Unreadable if it has no text."""
        passages = cut(document)
        if not passages:
            raise Unreadable("there is no text in it")
        text = "\n".join(section.text for section in document.sections)
        row.trained_bot, row.trained_at = self.trained_bot, timezone.now()
        row.title, row.url, row.word_count = document.title, document.url, len(text.split())
        # Of few words a guess is worse than what a page says of itself; of many, templates often say another's.
        says = document.language if row.word_count < FEW_WORDS else ""
        row.language = says or languages.detect(text) or document.language
        self._waiting.append((row, passages))
        if time.monotonic() - self._written > WRITE_EVERY:
            self.write()

    def write(self) -> None:
        waiting, self._waiting = self._waiting, []
        self._written = time.monotonic()
        if not waiting:
            return
        with transaction.atomic():
            Document.objects.bulk_create(
                (row for row, _passages in waiting),
                update_conflicts=True,
                unique_fields=("trained_bot", "location"),
                update_fields=REPLACED,
            )
            Passage.objects.filter(document__in=[row.pk for row, _ in waiting if row.location in self.known]).delete()
            Passage.objects.bulk_create(
                (
                    Passage(document_id=row.pk, position=position, heading=passage.heading, text=passage.text)
                    for row, passages in waiting
                    for position, passage in enumerate(passages)
                ),
                batch_size=AT_ONCE,
            )

    def note_problem(self, location: str, source: Source, reason: str) -> None:
        """Store why a document could not be read; its earlier text stays, and the next training tries again."""
        problem = {"problem": reason, "fingerprint": ""}
        Document.objects.update_or_create(
            trained_bot=self.trained_bot,
            location=location,
            defaults=problem,
            create_defaults=problem | {"kind": source.kind, "origin": source.origin},
        )

"""Trains a bot: reads what has changed in its content, cuts it into passages, and builds the index from all of them."""

from __future__ import annotations

import fcntl
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from docbot import folders, generations, index, languages
from docbot.content import ReadDocument
from docbot.models import AlreadyTraining, Document, Passage, TrainedBot, TrainingRun
from docbot.passages import cut
from docbot.reading import Unreadable
from docbot.reading.apart import Reader

READ_AS = 1  # raise it when documents are read or cut in another way: every document is read again then
LONG_DOCUMENT = 4  # passages; of a longer one the title counts less in the index
REPORT_EVERY = 0.5  # seconds


class NothingGiven(Exception):
    """There is no such file or folder, or nothing is known of which the bot could be trained again."""


@dataclass(frozen=True)
class Progress:
    """How far a training has come; `total` is None while it isn't known."""

    phase: Literal["reading", "indexing"]
    done: int
    total: int | None
    current: str = ""


@dataclass
class TrainingReport:
    """What a training did; `problems` are locations, each with the reason why it couldn't be read."""

    read: int = 0
    unchanged: int = 0
    forgotten: int = 0
    documents: int = 0  # that the bot knows now
    passages: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)  # suffix -> files that are no documents
    indexed: bool = False  # was there a reason to build the index?
    seconds: float = 0.0


def train(
    trained_bot: TrainedBot,
    given: Sequence[str | Path] = (),
    *,
    only: bool = False,
    afresh: bool = False,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> TrainingReport:
    """Trains the bot on files, folders and websites; without any, on all those that it was trained on before.

    Documents from elsewhere stay as they are; with `only` they are forgotten, but for those that were uploaded. With
    `afresh` also what hasn't changed is read again. When it is interrupted, what was read stays, the old index goes on
    answering, and the next training continues. Raises NothingGiven, and AlreadyTraining when another process is at it.
    """
    begun = time.monotonic()
    with _alone(trained_bot):
        sources = _sources(trained_bot, given)
        run = TrainingRun.objects.begin(trained_bot, [source.given for source in sources])
        try:
            with Reader(seconds=settings.DOCBOT_FILE_SECONDS, megabytes=settings.DOCBOT_FILE_MEMORY_MB) as reader:
                training = _Training(trained_bot, reader, _telling(run, progress), afresh=afresh)
                training.take(sources)
                training.forget(sources, only=only)
                training.build_index()
        except BaseException as error:
            run.fail(_("It was interrupted.") if isinstance(error, KeyboardInterrupt) else type(error).__name__)
            raise
        run.finish(training.report.problems)
    training.report.seconds = time.monotonic() - begun
    return training.report


@contextmanager
def _alone(trained_bot: TrainedBot) -> Iterator[None]:
    """Holds the bot's lock, which the system takes back from a process that is killed."""
    trained_bot.index_folder.mkdir(parents=True, exist_ok=True)
    with open(trained_bot.index_folder / "training.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyTraining from None
        # Whoever holds the lock knows that no other process trains, however lately one gave a sign of life.
        for run in trained_bot.runs.filter(finished_at__isnull=True):
            run.fail(_("The process that trained has gone."))
        yield


def _telling(run: TrainingRun, progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Tells the caller of every step, and the run (which the dashboard shows) now and then."""
    told = 0.0

    def tell(step: Progress) -> None:
        nonlocal told
        progress(step)
        if time.monotonic() - told >= REPORT_EVERY:
            told = time.monotonic()
            if step.phase == "reading":
                run.report(step.done, step.total, step.current)
            else:
                run.report(run.done, run.total)

    return tell


@dataclass(frozen=True)
class _Source:
    """A file or folder to be trained on; `is_below` also says whose documents are forgotten when they are gone."""

    given: str
    path: Path
    kind: Document.Kind

    def is_below(self, document: _Known) -> bool:
        return document.kind == self.kind and Path(document.location).is_relative_to(self.path)


def _sources(trained_bot: TrainedBot, given: Sequence[str | Path]) -> list[_Source]:
    if not given:
        known = trained_bot.documents.filter(kind=Document.Kind.FOLDER).values_list("origin", flat=True)
        given = [*known.distinct().order_by("origin"), trained_bot.upload_folder]
        given = [path for path in given if Path(path).exists()]
        if not given:
            raise NothingGiven(_("This bot has not been trained on anything yet: name a file, a folder or a website."))
    sources = []
    for one in given:
        path = Path(one).expanduser().absolute()
        if not path.exists():
            raise NothingGiven(_("There is no file or folder %(path)s.") % {"path": one})
        is_upload = path.is_relative_to(trained_bot.upload_folder.absolute())
        kind = Document.Kind.UPLOAD if is_upload else Document.Kind.FOLDER
        sources.append(_Source(folders.location_of(path), path, kind))
    return sources


@dataclass(frozen=True, slots=True)
class _Known:
    """What the database says of a document before the training."""

    pk: int
    kind: str
    location: str
    fingerprint: str
    problem: str


class _Training:
    """One training of one bot."""

    def __init__(
        self, trained_bot: TrainedBot, reader: Reader, tell: Callable[[Progress], None], *, afresh: bool
    ) -> None:
        self.trained_bot, self.reader, self.tell, self.afresh = trained_bot, reader, tell, afresh
        self.report = TrainingReport()
        fields = ("pk", "kind", "location", "fingerprint", "problem")
        self.known = {row[2]: _Known(*row) for row in trained_bot.documents.values_list(*fields).iterator()}
        self.seen: set[str] = set()
        self.fresh: set[str] = set()  # fingerprints of what was read

    def take(self, sources: Sequence[_Source]) -> None:
        found = [(path, source) for source in sources for path in folders.files(source.path, self.report.passed_over)]
        for done, (path, source) in enumerate(found):
            location = folders.location_of(path)
            self.tell(Progress("reading", done, len(found), location))
            if location not in self.seen:
                self.seen.add(location)
                self.take_file(path, location, source)
        self.tell(Progress("reading", len(found), len(found)))

    def take_file(self, path: Path, location: str, source: _Source) -> None:
        known = self.known.get(location)
        fingerprint = ""
        try:
            content = folders.content_of(path)
            fingerprint = hashlib.sha256(f"{READ_AS}\n".encode() + content).hexdigest()
            if known and known.fingerprint == fingerprint and not self.afresh:
                self.report.unchanged += not known.problem
                if known.problem:
                    self.report.problems.append((location, known.problem))
                return
            self.store(location, source, fingerprint, self.reader.read(content, path.name))
        except Unreadable as error:
            self.report.problems.append((location, str(error)))
            self.note_problem(location, source, fingerprint, str(error))

    def store(self, location: str, source: _Source, fingerprint: str, document: ReadDocument) -> None:
        passages = cut(document)
        if not passages:
            raise Unreadable("there is no text in it")
        text = "\n".join(section.text for section in document.sections)
        with transaction.atomic():
            row, _made = Document.objects.update_or_create(
                trained_bot=self.trained_bot,
                location=location,
                defaults={
                    "kind": source.kind,
                    "origin": source.given if source.kind != Document.Kind.UPLOAD else "",
                    "title": document.title,
                    "address": document.address,
                    "language": languages.detect(text) or document.language,
                    "fingerprint": fingerprint,
                    "word_count": len(text.split()),
                    "trained_at": timezone.now(),
                    "problem": "",
                },
            )
            Passage.objects.filter(document=row).delete()
            Passage.objects.bulk_create(
                (
                    Passage(document=row, position=position, heading=passage.heading, text=passage.text)
                    for position, passage in enumerate(passages)
                ),
                batch_size=500,
            )
        self.fresh.add(fingerprint)
        self.report.read += 1

    def note_problem(self, location: str, source: _Source, fingerprint: str, reason: str) -> None:
        """The document keeps the text that it had before, if it had any."""
        Document.objects.update_or_create(
            trained_bot=self.trained_bot,
            location=location,
            defaults={"problem": reason, "fingerprint": fingerprint},
            create_defaults={
                "problem": reason,
                "fingerprint": fingerprint,
                "kind": source.kind,
                "origin": source.given if source.kind != Document.Kind.UPLOAD else "",
            },
        )

    def forget(self, sources: Sequence[_Source], *, only: bool) -> None:
        """Those that are gone; those that have moved to another folder; and with `only` those from elsewhere."""
        gone = [
            known.pk
            for location, known in self.known.items()
            if location not in self.seen
            and (
                any(source.is_below(known) for source in sources)
                or (only and known.kind != Document.Kind.UPLOAD)
                or self.has_moved(known)
            )
        ]
        for start in range(0, len(gone), 500):
            Document.objects.filter(pk__in=gone[start : start + 500]).delete()
        self.report.forgotten = len(gone)

    def has_moved(self, known: _Known) -> bool:
        return (
            known.kind == Document.Kind.FOLDER and known.fingerprint in self.fresh and not Path(known.location).exists()
        )

    def build_index(self) -> None:
        """Unless the one that is there was built from the same."""
        rows = self.trained_bot.documents.exclude(trained_at=None)
        self.report.documents = rows.count()
        self.report.passages = total = self.trained_bot.passages().count()
        stamp, folder = self.stamp(), self.trained_bot.index_folder
        built_from = folder / "built_from"
        if generations.current(folder) and built_from.exists() and built_from.read_text() == stamp:
            return
        self.report.indexed = True
        index.build(
            folder,
            indexed_passages(self.trained_bot),
            progress=lambda done: self.tell(Progress("indexing", done, total)),
        )
        built_from.write_text(stamp)

    def stamp(self) -> str:
        """Changes whenever an index that is built now would be another one."""
        digest = hashlib.sha256(f"{index.FORMAT} {READ_AS} {self.trained_bot.language}".encode())
        rows = self.trained_bot.documents.order_by("pk").values_list("pk", "fingerprint", "trained_at", "address")
        for row in rows.iterator():
            digest.update(repr(row).encode())
        return digest.hexdigest()


def indexed_passages(trained_bot: TrainedBot) -> Iterator[index.IndexedPassage]:
    """All passages of a bot as the index takes them, from one pass over the table."""
    fields = ("document_id", "pk", "heading", "text")
    of_document = ("document__title", "document__address", "document__language")
    rows = trained_bot.passages().order_by("document_id", "position").values_list(*fields, *of_document)
    usual = _usual_language(trained_bot)
    for document_id, found in groupby(rows.iterator(chunk_size=1000), key=itemgetter(0)):
        passages = list(found)
        for _document_id, pk, heading, text, title, address, language in passages:
            yield index.IndexedPassage(
                id=pk,
                document_id=document_id,
                title=title,
                heading=heading,
                text=text,
                address=address,
                language=trained_bot.language or language or usual,
                in_long_document=len(passages) > LONG_DOCUMENT,
            )


def _usual_language(trained_bot: TrainedBot) -> str:
    """That of most documents: some are too short to show theirs."""
    known = trained_bot.documents.exclude(language="").order_by().values_list("language")
    return next((language for language, _count in known.annotate(count=Count("pk")).order_by("-count")), "")

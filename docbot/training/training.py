"""Trains a bot: reads changed documents, splits them into passages, and builds the index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db import close_old_connections
from django.dispatch import Signal
from django.utils.translation import gettext as _

from docbot.content import ReadDocument, Section
from docbot.models import AlreadyTraining, Document, TrainedBot, TrainingRun, this_machine
from docbot.reading import Unreadable, folders, websites
from docbot.reading.sandboxed_reader import Reader
from docbot.training import indexing, taught
from docbot.training.document_store import DocumentStore, fingerprint_of, is_same_content
from docbot.training.file_lock import alone_with
from docbot.training.sources import NothingGiven, Source, sources

trained = Signal()  # sent after each completed training, with `trained_bot`

REPORT_EVERY = 0.5  # seconds
MOST_NAMED = 100  # changed documents
LONGEST_LOCATION = 2000  # characters, the length of the database column


@dataclass(frozen=True)
class Progress:
    """The progress of a training; `total` is None while unknown."""

    phase: Literal["reading", "indexing", "encoding"]
    done: int
    total: int | None
    current: str = ""


@dataclass
class TrainingReport:
    """The result of a training; `problems` are pairs of location and reason."""

    read: int = 0
    unchanged: int = 0
    forgotten: int = 0
    documents: int = 0  # in all, after the training
    passages: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    locations: dict[str, list[str]] = field(default_factory=lambda: {"added": [], "changed": [], "gone": []})
    indexed: bool = False  # whether the index was built

    @property
    def changes(self) -> list[dict[str, object]]:
        """What the owner is told of the documents, with the first locations of each kind."""
        return [
            {"what": what, "number": len(its), "locations": sorted(its)[:MOST_NAMED]}
            for what, its in self.locations.items()
            if its
        ]


def train(
    trained_bot: TrainedBot,
    given: Sequence[str | Path] = (),
    *,
    only: bool = False,
    run: TrainingRun | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> TrainingReport:
    """Train the bot on files, folders and websites or, if none are given, on all its earlier sources.

    Documents from other sources stay; with `only` they are deleted, except uploads. `run` was begun for it before.
    After an interruption the documents read so far are kept, the old index still answers, and the next training
    continues. Raises NothingGiven, and AlreadyTraining if another process is training the bot.
    """
    with _training_lock(trained_bot, run):
        run = run or TrainingRun.objects.begin(trained_bot)
        reader = Reader(settings.DOCBOT_FILE_SECONDS, settings.DOCBOT_FILE_MEMORY_MB)
        training = _Training(trained_bot, reader, run, progress)
        with _failure_recorded(run, training.store), closing(reader):
            found = sources(trained_bot, given)
            training.read(found)
            training.read_taught()
            training.forget(found, only=only)
            training.index()
        run.finish(training.report.problems, training.report.changes)
    trained.send(TrainedBot, trained_bot=trained_bot)
    return training.report


@contextmanager
def _failure_recorded(run: TrainingRun, store: DocumentStore) -> Iterator[None]:
    """Store why the training ends, and what it has read so far."""
    try:
        yield
    except KeyboardInterrupt:
        close_old_connections()  # an interrupted query may still be running
        store.write()
        run.fail(_("It was interrupted."))
        raise
    except BaseException as error:
        store.write()
        run.fail(str(error) if isinstance(error, NothingGiven) else type(error).__name__)
        raise


@contextmanager
def _training_lock(trained_bot: TrainedBot, begun: TrainingRun | None) -> Iterator[None]:
    with alone_with(trained_bot.index_folder / "training.lock") as is_alone:
        if not is_alone:
            raise AlreadyTraining
        # With the lock held no other process of this machine is training, however recent its heartbeat.
        others = trained_bot.runs.filter(machine=this_machine(), finished_at__isnull=True)
        for run in others.exclude(pk=begun and begun.pk):
            run.fail(_("The training process ended unexpectedly."))
        yield


@dataclass
class _Training:
    """One training of one bot."""

    trained_bot: TrainedBot
    reader: Reader
    run: TrainingRun
    progress: Callable[[Progress], None]
    report: TrainingReport = field(default_factory=TrainingReport)
    seen: set[str] = field(default_factory=set)  # locations to keep
    met: dict[str, str] = field(default_factory=dict)  # fingerprint -> location of that content in this training
    settled: set[str] = field(default_factory=set)  # locations of pages already read
    done: int = 0
    told: float = 0.0  # when the run was last told of the progress

    def __post_init__(self) -> None:
        self.store = DocumentStore(self.trained_bot)
        self.known = self.store.known

    def tell(self, step: Progress) -> None:
        """Pass a step to the caller and, from time to time, to the run on the dashboard."""
        self.progress(step)
        if time.monotonic() - self.told >= REPORT_EVERY:
            self.told = time.monotonic()
            if step.phase == "reading":
                self.run.report(step.done, step.total, step.current)
            else:
                self.run.report(self.run.done, self.run.total)

    def read(self, found: Sequence[Source]) -> None:
        files = [(path, source) for source in found if source.path for path in folders.files(source.path)]
        for path, source in files:
            location = folders.location_of(path)
            self.tell(Progress("reading", self.done, len(files), location))
            if len(location) > LONGEST_LOCATION:
                self.report.problems.append((location, str(Unreadable("its path is too long to be kept"))))
            elif location not in self.seen:
                self.seen.add(location)
                self.read_file(path, location, source)
            self.done += 1
        for source in found:
            if not source.path:
                self.read_website(source)
        self.tell(Progress("reading", self.done, self.done))

    def read_taught(self) -> None:
        """Take what is taught at this moment, whatever sources are given."""
        for answer in self.trained_bot.taught_answers.current():
            location, fingerprint = taught.location_of(answer), taught.fingerprint_of(answer)
            self.seen.add(location)
            if not self.is_unchanged(location, fingerprint):
                row = Document(
                    location=location, kind=Document.Kind.TAUGHT, fingerprint=fingerprint, taught_answer=answer
                )
                self.store.put(row, taught.as_document(answer))
                self.report.read += 1
        self.store.write()

    def read_file(self, path: Path, location: str, source: Source) -> None:
        try:
            content = folders.content_of(path)
            fingerprint = fingerprint_of(content)
            if not self.is_unchanged(location, fingerprint):
                self.put(location, source, fingerprint, self.reader.read(content, path.name))
        except Unreadable as error:
            self.note_problem(location, source, str(error))

    def read_website(self, source: Source) -> None:
        known = [document.location for document in self.known.values() if source.holds(document)]
        # Keep a page until the site says that it is gone: an unreachable page keeps its text.
        self.seen.update(known)
        site = websites.Website(source.given, known)
        try:
            for page in site.pages():
                self.tell(Progress("reading", self.done, self.done + len(site.queue) + 1, page.url))
                self.take_page(page, site, source)
                self.done += 1
        except Unreadable as error:
            self.report.problems.append((source.given, str(error)))
        if site.is_whole:
            # Drop old URLs after the website has moved to another host, https or folder.
            self.seen -= set(known) - site.discovered

    def take_page(self, page: websites.Page, site: websites.Website, source: Source) -> None:
        match page.outcome:
            case "fetched":
                self.read_page(page, site, source)
            case "failed":
                self.seen.add(page.url)
                self.note_problem(page.url, source, str(page.reason))
            case "gone":
                self.seen.discard(page.url)

    def read_page(self, page: websites.Page, site: websites.Website, source: Source) -> None:
        content, charset, may_read = page.answer.content, page.answer.charset, page.answer.may_read
        fingerprint, location, contact = fingerprint_of(content), page.url, ""
        if page.name.endswith(".html"):
            with suppress(Unreadable):  # reading it says why
                directions = self.reader.directions(content, location, charset)
                site.follow(page, directions)
                may_read = may_read and directions.may_read
                location = site.final_url(location, directions.canonical)
                contact = directions.contact if page.depth == 0 else ""  # once for all pages
        self.seen.discard(page.url)
        if not may_read or location in self.settled or self.met.setdefault(fingerprint, location) != location:
            return  # excluded by its owner, or a duplicate
        self.seen.add(location)
        self.settled.add(location)
        if self.is_unchanged(location, fingerprint):
            return
        try:
            document = self.reader.read(content, page.name, charset)
            sections = (*document.sections, Section("", contact)) if contact else document.sections
            self.put(location, source, fingerprint, replace(document, sections=sections, url=location))
        except Unreadable as error:
            self.note_problem(location, source, str(error))

    def is_unchanged(self, location: str, fingerprint: str) -> bool:
        known = self.known.get(location)
        if known is None or known.problem or known.fingerprint != fingerprint:
            return False
        self.report.unchanged += 1
        return True

    def put(self, location: str, source: Source, fingerprint: str, document: ReadDocument) -> None:
        row = Document(location=location, kind=source.kind, origin=source.origin, fingerprint=fingerprint)
        self.store.put(row, document)
        known = self.known.get(location)
        if known is None:
            self.report.locations["added"].append(location)
        elif known.problem or not is_same_content(known.fingerprint, fingerprint):
            self.report.locations["changed"].append(location)
        self.met[fingerprint] = location
        self.report.read += 1

    def note_problem(self, location: str, source: Source, reason: str) -> None:
        self.store.note_problem(location, source, reason)
        self.report.problems.append((location, reason))

    def forget(self, found: Sequence[Source], *, only: bool) -> None:
        """Delete documents that are gone or have moved and, with `only`, those from other sources."""
        gone = [
            known
            for location, known in self.known.items()
            if location not in self.seen
            and (
                any(source.holds(known) for source in found)
                or (only and known.kind != Document.Kind.UPLOAD)
                or known.kind == Document.Kind.TAUGHT
                or self.has_moved(known)
            )
        ]
        self.report.locations["gone"] = [known.location for known in gone if known.kind != Document.Kind.TAUGHT]
        self.report.forgotten = len(gone)
        for known in gone:
            known.delete()

    def has_moved(self, known: Document) -> bool:
        is_met = known.fingerprint in self.met
        return known.kind == Document.Kind.FOLDER and is_met and not Path(known.location).exists()

    def index(self) -> None:
        self.report.documents = self.trained_bot.documents.exclude(trained_at=None).count()
        self.report.passages = total = self.trained_bot.passages().count()
        self.report.indexed = indexing.build(
            self.trained_bot, lambda done: self.tell(Progress("indexing", done, total))
        )

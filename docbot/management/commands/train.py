"""`manage.py train BOT PATH…`: trains a bot on files, folders and websites, and shows how far it is."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug
from tqdm import tqdm

from docbot.endpoint import keys
from docbot.models import AlreadyTraining, TrainedBot
from docbot.training.sources import NothingGiven
from docbot.training.training import Progress, TrainingReport, train

SHOWN_PROBLEMS = 50
DESCRIPTION = """Trains the bot on files, folders and websites; makes it when there is none.

Read again is only what has changed. A file that has gone from a given folder is forgotten, and a page that has
gone from a given website. Documents from elsewhere, which isn't given this time, stay as they are, unless --only
is given. Without any PATH the bot is trained again on all that it knows. A document that can't be read is named
with the reason, the rest is trained, and a text that was read from it before stays; the exit status is 0 as long
as the bot has anything to answer from.

Of a website the pages of the same host are read, below the folder of the given address: those of its sitemap and
those that links lead to, as far as its robots.txt lets.

The old index answers until the new one is whole. When it is interrupted, nothing is lost: the next
training goes on from there."""


class Command(BaseCommand):
    help = DESCRIPTION
    requires_system_checks = ()  # they take longer than finding out that nothing has changed

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> ArgumentParser:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bot", metavar="BOT", help="the bot's slug: its name in addresses and commands")
        parser.add_argument("paths", metavar="PATH", nargs="*", help="a file, a folder, or the address of a website")
        parser.add_argument("--name", default="", help="the bot's name, if it is made now (else: its slug)")
        parser.add_argument("--new-key", action="store_true", help="print a new API key as the last line")
        parser.add_argument("--only", action="store_true", help="forget documents from anywhere else")
        parser.add_argument("--afresh", action="store_true", help="read also what hasn't changed")
        parser.add_argument("--allow-private", action="store_true", help="read websites in private networks too")

    def handle(self, *args: Any, **options: Any) -> None:
        trained_bot, made = self._bot(options["bot"], options["name"])
        previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            report = self._train(trained_bot, options)
        except NothingGiven as error:
            if made:
                trained_bot.delete()
            raise CommandError(str(error)) from error
        except AlreadyTraining as error:
            raise CommandError(f"{trained_bot.slug} is being trained by another process.") from error
        except KeyboardInterrupt:
            raise CommandError("Interrupted. What was read is kept; train again to go on.", returncode=130) from None
        finally:
            signal.signal(signal.SIGTERM, previous)
        self._summarise(trained_bot, report)
        if not report.passages:
            raise CommandError(f"{trained_bot.slug} has nothing to answer from.")
        if options["new_key"]:
            self.stdout.write(keys.issue(trained_bot, "made by train")[1])

    def _bot(self, slug: str, name: str) -> tuple[TrainedBot, bool]:
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError(f"{slug!r} can't be a bot's slug: use letters, digits, - and _.") from error
        pretty = slug.replace("-", " ").replace("_", " ").capitalize()
        return TrainedBot.objects.get_or_create(slug=slug, defaults={"name": name or pretty})

    def _train(self, trained_bot: TrainedBot, options: dict[str, Any]) -> TrainingReport:
        bar = _Bar()
        try:
            return train(
                trained_bot,
                options["paths"],
                only=options["only"],
                afresh=options["afresh"],
                allow_private=options["allow_private"],
                progress=bar.show,
            )
        finally:
            bar.close()

    def _summarise(self, trained_bot: TrainedBot, report: TrainingReport) -> None:
        for location, reason in report.problems[:SHOWN_PROBLEMS]:
            self.stderr.write(f"{location}: {reason}.")
        if len(report.problems) > SHOWN_PROBLEMS:
            self.stderr.write(f"… and {len(report.problems) - SHOWN_PROBLEMS:,} more.")
        if report.passed_over:
            kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in report.passed_over.most_common(8))
            self.stdout.write(f"Passed over: {kinds}.")
        done = f"{report.read:,} read, {report.unchanged:,} unchanged, {report.forgotten:,} forgotten"
        if report.problems:
            done += f", {len(report.problems):,} that can't be read"
        knows = f"{report.documents:,} documents, {report.passages:,} passages"
        state = f"trained in {report.seconds:.1f} s" if report.indexed else "up to date"
        self.stdout.write(f"{trained_bot.slug}: {knows}, {state} ({done}).")


class _Bar:
    """A progress bar with a rate for each phase; nothing where nobody looks."""

    def __init__(self) -> None:
        self.phase = ""
        self.bar: tqdm | None = None

    def show(self, step: Progress) -> None:
        if self.bar is None or step.phase != self.phase:
            self.close()
            unit = " documents" if step.phase == "reading" else " passages"
            self.phase, self.bar = (
                step.phase,
                tqdm(desc=step.phase.capitalize(), total=step.total, unit=unit, file=sys.stderr, disable=None),
            )
        self.bar.total = step.total
        self.bar.update(step.done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()

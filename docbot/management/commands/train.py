"""`manage.py train BOT PATH…`: trains a bot on files, folders and websites and shows the progress."""

from __future__ import annotations

import signal
import sys
from argparse import SUPPRESS, ArgumentParser
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug
from django.utils.translation import gettext_noop
from tqdm import tqdm

from docbot.endpoint import keys
from docbot.models import AlreadyTraining, TrainedBot
from docbot.signals import done_by_command
from docbot.training import encoding
from docbot.training.sources import NothingGiven
from docbot.training.training import Progress, TrainingReport, train


class Command(BaseCommand):
    help = (
        "Trains a bot on files, folders and websites, and creates it if it doesn't exist. Reads what is new or has "
        "changed, and forgets what is gone from them; docs/train.md tells more. Without PATH the bot is trained again "
        "on all its sources. The exit status is 0 as long as it has any documents to answer from."
    )
    requires_system_checks = ()  # they take longer than a training without changes

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> ArgumentParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.parse_args = parser.parse_intermixed_args  # options may stand before the paths
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bot", metavar="BOT", help="the bot's short name, such as help")
        parser.add_argument("paths", metavar="PATH", nargs="*", help="a file, a folder, or the URL of a website")
        parser.add_argument("--new-key", action="store_true", help="print a new API key as the last line")
        parser.add_argument("--only", action="store_true", help="remove documents from other sources")
        parser.add_argument("--words-only", action="store_true", help="leave it to the site to encode the meaning")
        parser.add_argument("--run", type=int, help=SUPPRESS)  # what the site has begun for this training

    def handle(self, *args: Any, **options: Any) -> None:
        trained_bot, made = self._bot(options["bot"])
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
            sentence = "Interrupted. Documents read so far are kept; train again to continue."
            raise CommandError(sentence, returncode=130) from None
        finally:
            signal.signal(signal.SIGTERM, previous)
        if made:
            self.stdout.write(f"Created the trained bot “{trained_bot}”.")
        self._summarise(trained_bot, report)
        if not options["run"]:  # else the desk or the schedule has started it
            done_by_command.send(TrainedBot, trained_bot=trained_bot, sentence=gettext_noop("Trained."))
        if not report.passages:
            raise CommandError(f"{trained_bot.slug} has no documents to answer from.")
        if not options["words_only"]:
            self._encode(trained_bot, report)
        if options["new_key"]:
            key = keys.issue(trained_bot, "made by train")[1]
            done_by_command.send(TrainedBot, trained_bot=trained_bot, sentence=gettext_noop("Created a key."))
            self.stdout.write(key)

    def _bot(self, slug: str) -> tuple[TrainedBot, bool]:
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError(f"{slug!r} can't be a bot's short name: use letters, digits, - and _.") from error
        name = slug.replace("-", " ").replace("_", " ").capitalize()
        return TrainedBot.objects.get_or_create(slug=slug, defaults={"name": name})

    def _train(self, trained_bot: TrainedBot, options: dict[str, Any]) -> TrainingReport:
        with tqdm(file=sys.stderr, disable=None) as bar:  # None: only in a terminal
            run = trained_bot.runs.filter(pk=options["run"], finished_at__isnull=True).first()
            return train(trained_bot, options["paths"], run=run, progress=partial(_show, bar), only=options["only"])

    def _encode(self, trained_bot: TrainedBot, report: TrainingReport) -> None:
        try:
            with tqdm(file=sys.stderr, disable=None) as bar:
                encoding.encode(trained_bot, lambda done: _show(bar, Progress("encoding", done, report.passages)))
        except KeyboardInterrupt:
            self.stdout.write("Stopped encoding. The bot answers; the site encodes the rest while it runs.")

    def _summarise(self, trained_bot: TrainedBot, report: TrainingReport) -> None:
        for location, reason in report.problems:
            self.stderr.write(f"{location}: {reason}.")
        done = f"{report.read:,} read, {report.unchanged:,} unchanged, {report.forgotten:,} removed"
        if report.problems:
            done += f", {len(report.problems):,} that can't be read"
        knows = f"{_counted(report.documents, 'document')}, {_counted(report.passages, 'passage')}"
        state = "trained" if report.indexed else "up to date"
        self.stdout.write(f"{trained_bot.slug}: {knows}, {state} ({done}).")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _show(bar: tqdm, step: Progress) -> None:
    """Show a step in the bar, which begins again with each phase."""
    if bar.disable:
        return
    if bar.desc != step.phase.capitalize():
        bar.set_description_str(step.phase.capitalize(), refresh=False)
        bar.unit = " documents" if step.phase == "reading" else " passages"
        bar.reset()
    bar.total = step.total
    bar.update(step.done - bar.n)

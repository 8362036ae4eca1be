"""`manage.py visitor export|erase`: exports or erases the data stored about one visitor."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_noop

from desk.access import audit
from desk.privacy import visitors
from webchat.models import Bot, Conversation

COUNTED = (
    "{} conversations, {} messages, {} requests for a person, "
    "{} details about them, {} addresses for a reply, {} people"
)
EXPORTED = gettext_noop(
    "Exported a visitor. Conversations: {}, messages: {}, requests for a person: {}, details about them: {}, "
    "addresses for a reply: {}, people: {}."
)
ERASED = gettext_noop(
    "Erased a visitor. Conversations: {}, messages: {}, requests for a person: {}, details about them: {}, "
    "addresses for a reply: {}, people: {}."
)


class Command(BaseCommand):
    help = "Exports or erases all data stored about one visitor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("export", "erase"))
        parser.add_argument(
            "who",
            help="the reference of a conversation, a message or a request; an e-mail address; or a customer's sub",
        )
        parser.add_argument("--bot", help="the bot's slug, if several bots know the same sub")
        parser.add_argument("--output", type=Path, help="the file to export to (default: standard output)")
        parser.add_argument("--yes", action="store_true", help="erase without asking")

    def handle(self, *args: object, what: str, who: str, bot: str | None, **options: object) -> None:
        of_bot = Bot.objects.filter(slug=bot).first() if bot else None
        if bot and not of_bot:
            raise CommandError(f"There is no bot “{bot}”.")
        data = visitors.find(who.strip(), of_bot)
        if data.is_empty:
            raise CommandError("Nothing is stored about such a visitor.")
        if what == "export":
            self._export(data, options["output"])
        else:
            self._erase(data, asked=bool(options["yes"]))

    def _export(self, data: visitors.VisitorData, output: Path | None) -> None:
        counts = data.counts
        pieces = visitors.as_json(data)
        if output:
            with output.open("w", encoding="utf-8") as file:
                file.writelines(pieces)
            output.chmod(0o600)
            self.stdout.write(f"Exported to {output}: {COUNTED.format(*counts)}.")
        else:
            for piece in pieces:
                self.stdout.write(piece, ending="")
        audit.record(audit.command_line(), Conversation, EXPORTED, *counts)

    def _erase(self, data: visitors.VisitorData, *, asked: bool) -> None:
        counts = data.counts
        self.stdout.write(f"This permanently erases {COUNTED.format(*counts)}.")
        if not asked:
            if not sys.stdin.isatty():
                raise CommandError("This is not a terminal, so it can't ask. Add --yes.")
            if input("Erase them? Type yes: ").strip().lower() != "yes":
                raise CommandError("Nothing was erased.")
        visitors.erase(data)
        audit.record(audit.command_line(), Conversation, ERASED, *counts, deleted=True)
        self.stdout.write("Erased.")

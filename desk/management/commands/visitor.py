"""`manage.py visitor export|erase`: exports or erases the data stored about one visitor."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from desk.access import audit
from desk.privacy import visitors
from webchat.models import Customer

COUNTED = (
    "{} conversations, {} messages, {} requests for a person, "
    "{} details about them, {} addresses for a reply, {} people"
)


class Command(BaseCommand):
    help = "Exports or erases all data stored about one visitor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("export", "erase"))
        parser.add_argument(
            "who",
            help="the reference of a conversation, a message or a request; an e-mail address; "
            "a customer's sub or user name",
        )
        parser.add_argument("--customer", type=int, help="the number of a customer, if several fit")
        parser.add_argument("--output", type=Path, help="the file to export to (default: standard output)")
        parser.add_argument("--yes", action="store_true", help="erase without asking")

    def handle(self, *args: object, what: str, who: str, customer: int | None, **options: object) -> None:
        found = visitors.find(who.strip())
        if customer is not None:
            found = [each for each in found if each.customer and each.customer.pk == customer]
        if not found:
            raise CommandError("Nothing is stored about such a visitor.")
        if len(found) > 1:
            people = "".join(f"\n{each.customer.pk}: {_named(each.customer)}" for each in found)
            raise CommandError(f"Several customers fit. Choose one with --customer and its number:{people}")
        if what == "export":
            self._export(found[0], options["output"])
        else:
            self._erase(found[0], asked=bool(options["yes"]))

    def _export(self, data: visitors.VisitorData, output: Path | None) -> None:
        pieces = visitors.export(data, audit.command_line())
        if output:
            with output.open("w", encoding="utf-8") as file:
                file.writelines(pieces)
            output.chmod(0o600)
            self.stdout.write(f"Exported to {output}: {COUNTED.format(*data.counts)}.")
        else:
            for piece in pieces:
                self.stdout.write(piece, ending="")

    def _erase(self, data: visitors.VisitorData, *, asked: bool) -> None:
        self.stdout.write(f"This permanently erases {COUNTED.format(*data.counts)}.")
        if not asked:
            if not sys.stdin.isatty():
                raise CommandError("This is not a terminal, so it can't ask. Add --yes.")
            if input("Erase them? Type yes: ").strip().lower() != "yes":
                raise CommandError("Nothing was erased.")
        visitors.erase(data, audit.command_line())
        self.stdout.write("Erased.")


def _named(customer: Customer) -> str:
    known = (str(customer), customer.contact_email, customer.subject, customer.bot and customer.bot.slug)
    return ", ".join(dict.fromkeys(filter(None, known)))

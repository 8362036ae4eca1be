"""`manage.py demo_data`: fills the desk with demo conversations, or removes them."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from desk.management import demo
from webchat import site
from webchat.models import Bot


class Command(BaseCommand):
    help = "Creates demo conversations of the past days for the desk. --remove deletes them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=90, help="how far back (default: %(default)s)")
        parser.add_argument(
            "--conversations", type=int, default=40, help="per day for the first bot, on average (default: %(default)s)"
        )
        parser.add_argument(
            "--bot",
            action="append",
            help="the last part of a bot's address, such as help; may be given several times (default: all)",
        )
        parser.add_argument("--remove", action="store_true", help="delete all demo conversations")

    def handle(self, *args: object, days: int, conversations: int, bot: list[str] | None, **options: object) -> None:
        if options["remove"]:
            self.stdout.write(f"Deleted {demo.remove()} demo conversations.")
            return
        bots = list(Bot.objects.filter(slug__in=bot) if bot else Bot.objects.all())
        if not bots or (bot and len(bots) < len(set(bot))):
            raise CommandError("There is no such bot. Bots: " + ", ".join(Bot.objects.values_list("slug", flat=True)))
        if days < 1 or conversations < 1:
            raise CommandError("--days and --conversations must be at least 1.")
        with timezone.override(site.time_zone()):  # days are the owner's
            made = demo.create(bots, days, conversations)
        self.stdout.write(f"Created {made} conversations over {days} days. Delete them with --remove.")

"""`manage.py demo_data`: fills the desk with conversations that nobody had, and takes them away again."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from desk import demo
from webchat.models import Bot


class Command(BaseCommand):
    help = "Makes plausible conversations of the past days, to see what the desk shows. --remove takes them away again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=90, help="how far back (default: %(default)s)")
        parser.add_argument(
            "--conversations", type=int, default=40, help="of the first bot on a common day (default: %(default)s)"
        )
        parser.add_argument("--bot", action="append", help="its address; may be given several times (default: all)")
        parser.add_argument("--remove", action="store_true", help="remove what this command has made before")

    def handle(self, *args: object, days: int, conversations: int, bot: list[str] | None, **options: object) -> None:
        if options["remove"]:
            self.stdout.write(f"Removed {demo.remove()} made-up conversations.")
            return
        bots = list(Bot.objects.filter(slug__in=bot) if bot else Bot.objects.all())
        if not bots or (bot and len(bots) < len(set(bot))):
            raise CommandError("There is no such bot. Known: " + ", ".join(Bot.objects.values_list("slug", flat=True)))
        if days < 1 or conversations < 1:
            raise CommandError("At least one day and one conversation.")
        made = demo.create(bots, days, conversations)
        self.stdout.write(f"Made {made} conversations of {days} days. Take them away again with --remove.")

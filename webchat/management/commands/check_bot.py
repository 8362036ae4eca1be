"""`manage.py check_bot`: sends one message to a bot's upstream and says in plain words what is wrong."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from webchat.models import Bot
from webchat.upstream import diagnosis
from webchat.upstream.client import client_for
from webchat.upstream.diagnosis import Finding

WHERE = (
    "The address and the key are at the desk, under Service & keys; a bot without its own uses CHAT_BASE_URL and"
    " BOT_API_KEY."
)


class Command(BaseCommand):
    help = "Sends one message to a bot's service and says what is wrong. Exit status 1 if visitors get no replies."
    requires_system_checks = ()  # what they refuse to start with is what this command explains

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "bot",
            nargs="?",
            default=settings.DEFAULT_BOT,
            help="the last part of its page's address (default: %(default)s)",
        )

    def handle(self, *args: object, bot: str, **options: object) -> None:
        found = self._find(bot)
        client = client_for(found.upstream_url, found.upstream_key)
        findings = diagnosis.check_configuration(client)
        if not findings:
            cost = "" if client.base_url == settings.IN_PROCESS_URL else " It costs what a visitor's message costs."
            self.stdout.write(f"Sending one message to the bot “{bot}” at {client.base_url}.{cost}")
            self.stdout.flush()
            findings = diagnosis.ask(client)
        for finding in findings:
            self._tell(finding)
        if any(finding.is_fault for finding in findings):
            self.stdout.write(WHERE)
            raise SystemExit(1)

    def _find(self, slug: str) -> Bot:
        try:
            return Bot.objects.get(slug=slug)
        except Bot.DoesNotExist:
            known = ", ".join(Bot.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no bot “{slug}”. Known: {known}.") from None

    def _tell(self, finding: Finding) -> None:
        style, word = (self.style.ERROR, "WRONG") if finding.is_fault else (self.style.SUCCESS, "OK")
        if finding.advice and not finding.is_fault:
            style, word = self.style.WARNING, "NOTE"
        self.stdout.write(f"{style(word)}  {finding.name}: {finding.sentence}")
        if finding.advice:
            self.stdout.write(f"    {finding.advice}")

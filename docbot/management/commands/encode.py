"""`manage.py encode`: encodes the meaning of what bots were trained on, where it has not been done yet."""

import os
from typing import Any

from django.core.management.base import BaseCommand

from docbot.models import TrainedBot
from docbot.training import encoding


class Command(BaseCommand):
    help = "Encodes the meaning of what bots were trained on. The site starts it by itself; visitors come first."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        os.nice(10)
        for trained_bot in TrainedBot.objects.order_by("pk"):
            if encoding.encode(trained_bot):
                self.stdout.write(f"Encoded {trained_bot.slug}.")

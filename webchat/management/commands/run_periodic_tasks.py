"""`manage.py run_periodic_tasks`: runs all periodic tasks now."""

from django.core.management.base import BaseCommand

from webchat import periodic_tasks


class Command(BaseCommand):
    help = "Runs all periodic tasks now: clean-up, deliveries, counts."

    def handle(self, *args: object, **options: object) -> None:
        periodic_tasks.run_all()

"""`manage.py chores`: does now what the site does by itself from time to time."""

from django.core.management.base import BaseCommand

from webchat import periodic_tasks


class Command(BaseCommand):
    help = "Cleans up, delivers and counts: all that the site does by itself from time to time."

    def handle(self, *args: object, **options: object) -> None:
        periodic_tasks.do_all()

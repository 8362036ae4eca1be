"""`manage.py setup_link`: prints the link with which the first login is made."""

from django.core.management.base import BaseCommand, CommandError

from chatsite.serving.worker_start import desk_url
from desk.setup import links


class Command(BaseCommand):
    help = "Prints the link to the set-up, where the first login is made in the browser. It works for a day."

    def handle(self, *args: object, **options: object) -> None:
        if not links.is_needed():
            raise CommandError("There is a login already. To make another: manage.py createsuperuser")
        self.stdout.write(desk_url() + links.path())

"""`manage.py set_up BOT …`: the steps of the set-up without a browser."""

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django import forms
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext_noop

from desk.access import audit
from desk.setup.forms import LookForm, PlaceForm, ServiceForm
from desk.setup.website_look import Unreachable, WebsiteLook, look_of
from docbot.dashboard.forms import WebsiteForm
from webchat.models import Bot

OPTIONS = ("look_of", "name", "accent", "greeting", "question", "next_question", "website", "service")


class Command(BaseCommand):
    help = (
        "Gives a bot its name, look, websites or service, as the set-up at the desk does. What isn't given stays. "
        "Train a bot on documents with `train`; make a login with `createsuperuser`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bot", help="the last part of the page's address, such as help")
        parser.add_argument("--look-of", metavar="WEBSITE", help="take the colour and the icon of that website")
        parser.add_argument("--name", help="what visitors see above the conversation")
        parser.add_argument("--accent", help="a colour: #2b59c8")
        parser.add_argument("--greeting", help="shown above an empty conversation")
        parser.add_argument("--question", action="append", help="a suggested question; may be given several times")
        parser.add_argument(
            "--next-question", action="append", help="offered below a reply; may be given several times"
        )
        parser.add_argument(
            "--website",
            action="append",
            help="a site that may show the widget: https://www.example.com; may be given several times",
        )
        parser.add_argument("--service", help="the address of a service, before /api/public/chat; asks for the key")

    def handle(self, *args: object, **options: object) -> None:
        bot = Bot.objects.filter(slug=options["bot"]).first()
        if bot is None:
            raise CommandError("There is no such bot. Bots: " + ", ".join(Bot.objects.values_list("slug", flat=True)))
        if all(options[name] is None for name in OPTIONS):
            raise CommandError("Nothing to change: add an option, such as --name. To see all of them, add --help.")
        # Before the transaction, during which nobody else can write.
        taken = _look_of(options["look_of"]) if options["look_of"] else None
        key = _read_key() if options["service"] else ""
        with transaction.atomic():
            _set_up(bot, options, taken, key)
        self.stdout.write(f"“{bot.name}” is set up. To send it a test message: manage.py check_bot {bot.slug}")


def _set_up(bot: Bot, options: dict[str, Any], taken: WebsiteLook | None, key: str) -> None:
    if taken is not None:
        _record(bot, taken.give_to(bot))
    look = {name: options[name] for name in ("name", "accent", "greeting") if options[name] is not None}
    if options["question"]:
        look["suggestions"] = "\n".join(options["question"])
    if look:
        stored = {name: getattr(bot, name) for name in LookForm.Meta.fields}
        _checked(LookForm(stored | look, instance=bot)).save()
        _record(bot, gettext_noop("Changed its name and look in the set-up."))
    if options["next_question"]:
        next_form = forms.modelform_factory(Bot, fields=["next_questions"])
        _checked(next_form({"next_questions": "\n".join(options["next_question"])}, instance=bot)).save()
        _record(bot, gettext_noop("Changed the questions to ask next."))
    if options["website"]:
        _checked(PlaceForm({"origins": "\n".join(options["website"])}, instance=bot)).save()
        _record(bot, gettext_noop("Changed the websites that may show it, in the set-up."))
    if options["service"]:
        service = {"base_url": options["service"], "new_key": key}
        _checked(ServiceForm("command line", service)).apply_to(bot)
        bot.save()
        _record(bot, gettext_noop("Set the bot’s service and its key."))


def _look_of(website: str) -> WebsiteLook:
    """Return the look of a website. Raises CommandError if it has none."""
    try:
        look = look_of(_checked(WebsiteForm({"url": website})).cleaned_data["url"])
    except Unreachable as error:
        raise CommandError(str(error)) from error
    if not look.accent and not look.face:
        raise CommandError("No colour or icon was found on that page.")
    return look


def _read_key() -> str:
    return getpass("The service's key: ") if sys.stdin.isatty() else sys.stdin.readline().strip()


def _checked(form: forms.Form) -> forms.Form:
    """Return the form if it is valid. Raises CommandError with its sentences."""
    if not form.is_valid():
        wrong = (f"{form[name].label}: {' '.join(sentences)}" for name, sentences in form.errors.items())
        raise CommandError(" ".join(wrong))
    return form


def _record(bot: Bot, sentence: str) -> None:
    audit.record(audit.command_line(), bot, sentence)

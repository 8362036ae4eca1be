"""The bot: where it is found, how it looks, when it is open, who answers beside it, and what limits it."""

import functools
import secrets
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from webchat import encryption
from webchat.appearance import color_palette
from webchat.business_hours import Hours, parse, parse_holidays, zone
from webchat.models import hot_queries
from webchat.models.bots.widget import Widget
from webchat.models.bots.words import WordsInLanguages
from webchat.upstream import failure_rules


class Surface(models.TextChoices):
    """Where a bot is shown."""

    CHAT = "chat", _("full page")
    EMBED = "embed", _("widget")
    KIOSK = "kiosk", _("kiosk")
    PORTAL = "portal", _("portal")


class DetailsTiming(models.TextChoices):
    """When visitors are asked about themselves."""

    NEVER = "", _("no")
    BEFORE = "before", _("before the first message")
    AFTER = "after", _("after the first reply, if they like")
    INSTEAD = "instead", _("instead of a chat: only a form")


class Requirement(models.TextChoices):
    NO = "", _("no")
    OPTIONAL = "optional", _("yes, optional")
    REQUIRED = "required", _("yes, required")


class BotQuerySet(models.QuerySet):
    def on(self, surface: str) -> Self:
        """Return the bots that the surface shows: all of them, but in the portal only those that the owner opened."""
        return self.filter(in_portal=True) if surface == Surface.PORTAL else self

    def being_deleted(self) -> Self:
        """Return the bots that are gone for everybody, and whose rows are being deleted in the background."""
        return self.filter(is_being_deleted=True)


class BotManager(models.Manager.from_queryset(BotQuerySet)):
    """Leaves out the bots that are being deleted."""

    def get_queryset(self) -> BotQuerySet:
        return super().get_queryset().filter(is_being_deleted=False)


class Bot(WordsInLanguages, Widget):
    """What a visitor talks to. Its texts are in `words`, what its widget needs is in `widget`."""

    slug = models.SlugField(_("address"), unique=True, help_text=_("The last part of the page’s address: /chat/…/"))
    name = models.CharField(_("name"), max_length=80)
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        help_text=_("An e-mail address or a web address, offered to visitors whom the bot can’t help."),
    )
    in_portal = models.BooleanField(
        _("open to customers"), default=False, help_text=_("People who have signed in find it in the portal.")
    )
    daily_budget = models.PositiveIntegerField(
        _("messages per day"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("After this many messages in a day, nothing more is sent to the bot. Leave blank for no limit."),
    )
    asks_for_proof = models.BooleanField(
        _("protect it from floods of messages"),
        default=False,
        help_text=_(
            "Slows down floods of automatic messages: each one costs its sender’s device up to a second of work. "
            "While it is ticked, nobody can write to the bot without JavaScript."
        ),
    )
    retention_days = models.PositiveSmallIntegerField(
        _("keep conversations for"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(10_000)],
        help_text=_(
            "Days after the last message; then they are deleted. Leave blank to keep them until you delete them."
        ),
    )

    # --- looks ---

    accent = models.CharField(
        _("accent colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(color_palette.HEX.pattern + r"\Z", _("Use a colour such as #2f5bd0."))],
        help_text=_("Such as #2f5bd0. Shades that everyone can read are derived from it."),
    )
    face = models.ImageField(
        _("profile picture"),
        upload_to="faces",
        blank=True,
        help_text=_("A picture, cropped to a square. Leave blank for the first letter of the name."),
    )
    logo = models.ImageField(
        _("logo"), upload_to="logos", blank=True, help_text=_("Shown at the top, before the name.")
    )

    # --- opening hours ---

    switched_on = models.BooleanField(
        _("switched on"),
        default=True,
        help_text=_(
            "While it is off, nothing is sent to the bot, and the page says so. What visitors have typed is kept."
        ),
    )
    closed = models.BooleanField(
        _("closed"), default=False, help_text=_("Closed until you open it again, whatever the hours say.")
    )
    # One line for each group of days: Mon-Fri 9:00-12:00, 13:00-17:00. Blank: always open.
    hours = models.TextField(_("business hours"), blank=True)
    # One line for each: 2026-12-24 – 2027-01-01, or with other hours: 2026-12-31 9:00-12:00.
    holidays = models.TextField(_("holidays"), blank=True)
    time_zone = models.CharField(
        _("time zone"), max_length=64, blank=True, help_text=_("Such as Europe/Berlin. Leave blank for the site’s own.")
    )
    answers_when_closed = models.BooleanField(
        _("answers while closed"), default=True, help_text=_("The bot goes on answering; only people are away.")
    )

    # --- answers in person ---

    people_answer = models.BooleanField(
        _("answered in person"),
        default=False,
        help_text=_("Team members answer in the same conversation, from the inbox."),
    )
    takes_files = models.BooleanField(
        _("files"),
        default=False,
        help_text=_(
            "While a person answers, they and the visitor can send each other pictures and PDFs of up to 10 MB. "
            "Nothing of them goes to the bot’s service."
        ),
    )
    notifies_visitors = models.BooleanField(
        _("notifications"),
        default=False,
        help_text=_(
            "On the full page and in the portal, visitors can ask for a notification when a person has answered. It "
            "holds no text. It goes through the service of the browser’s maker, such as Google, Mozilla or Apple."
        ),
    )
    queue_minutes = models.PositiveSmallIntegerField(
        _("longest wait"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(24 * 60)],
        help_text=_("Minutes. When nobody has answered by then, the form is offered."),
    )
    handover = models.BooleanField(
        _("requests for a person"),
        default=False,
        help_text=_("Visitors may leave their e-mail address and a message for a person."),
    )
    handover_email = models.EmailField(
        _("requests go to"), blank=True, help_text=_("By e-mail, if this site has a mail server.")
    )
    offers_person_when_not_known = models.BooleanField(
        _("offer a person when the bot doesn’t know the answer"), default=True
    )
    offers_person_after_thumbs_down = models.BooleanField(_("offer a person after two thumbs down"), default=True)
    offers_person_after_failures = models.BooleanField(_("offer a person after two failures"), default=True)
    offers_person_when_asked_for = models.BooleanField(_("offer a person when a message asks for one"), default=True)
    asks_details = models.CharField(
        _("ask visitors about themselves"),
        max_length=8,
        blank=True,
        choices=DetailsTiming,
        default=DetailsTiming.NEVER,
        help_text=_("On the page and in the widget. You see it beside the conversation; the bot’s service never does."),
    )
    asks_name = models.CharField(_("name"), max_length=8, blank=True, choices=Requirement, default=Requirement.OPTIONAL)
    asks_email = models.CharField(
        _("e-mail address"), max_length=8, blank=True, choices=Requirement, default=Requirement.NO
    )

    # --- the upstream: its own, else the site's ---

    base_url = models.URLField(
        _("address of the service"),
        blank=True,
        help_text=_(
            "The part before /api/public/chat in the service’s documentation. Leave blank for "
            "the address set for the whole site."
        ),
    )
    sealed_key = models.TextField(_("key"), blank=True, editable=False)

    # --- who is told of alarms and requests ---

    alarm_email = models.EmailField(
        _("alarms go to"),
        blank=True,
        help_text=_("An e-mail address, told when the bot fails or its daily limit is reached."),
    )
    webhook_url = models.URLField(
        _("address of your program"),
        blank=True,
        help_text=_("It is told of requests and alarms, at an address with https://. Developers call this a webhook."),
    )
    sends_questions = models.BooleanField(
        _("send open questions"),
        default=False,
        help_text=_(
            "To your program: each question that the bot couldn’t answer, wasn’t sure of or got a thumb down for."
        ),
    )
    sealed_webhook_secret = models.TextField(_("your program’s secret"), blank=True, editable=False)

    is_being_deleted = models.BooleanField(default=False, editable=False)

    objects = BotManager()
    with_deleted = BotQuerySet.as_manager()

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("chat:page", args=[self.slug])

    @staticmethod
    def at(slug: str) -> "Bot | None":
        """Return the bot with this slug."""
        return hot_queries.first_object(Bot, hot_queries.BOT, [slug])

    def begin_deletion(self) -> None:
        """Take the bot off every page at once, and free its address; its conversations are deleted later."""
        slug = f"deleted-{self.pk}-{secrets.token_hex(8)}"
        Bot.objects.filter(pk=self.pk).update(is_being_deleted=True, switched_on=False, slug=slug)

    def is_on(self, surface: str) -> bool:
        return self.in_portal or surface != Surface.PORTAL

    @property
    def contact_link(self) -> str:
        """Return the contact as a link; "" if there is none."""
        if "@" in self.contact and not self.contact.startswith("http"):
            return f"mailto:{self.contact}"
        return self.contact if self.contact.startswith(("https://", "http://")) else ""

    @property
    def takes_messages(self) -> bool:
        """Return whether messages are sent upstream: not if the bot is off, or closed and not answering meanwhile."""
        return self.switched_on and not self.has_only_form and (self.is_open or self.answers_when_closed)

    @property
    def refusal_code(self) -> str:
        """Return the code in failure_rules for why nothing may be sent upstream now; "" if it may."""
        if not self.switched_on:
            return failure_rules.SWITCHED_OFF
        return "" if self.takes_messages else failure_rules.CLOSED

    @functools.cached_property
    def week(self) -> Hours:
        """The business hours and holidays, in the bot's own time zone."""
        try:
            there = zone(self.time_zone) if self.time_zone else timezone.get_current_timezone()
            return Hours(parse(self.hours), there, parse_holidays(self.holidays))
        except ValueError:  # not saved by the form: then it is always open
            return Hours([], timezone.get_current_timezone())

    @functools.cached_property
    def is_open(self) -> bool:
        has_times = bool(self.hours or self.holidays)
        return not self.closed and (not has_times or self.week.is_open(timezone.now()))

    @property
    def open_until(self) -> str:
        return self.week.closing_time(timezone.now()) if self.is_open else ""

    @property
    def open_again(self) -> str:
        """Return when the bot opens again, by its hours; nothing for a bot that the owner has closed."""
        return "" if self.closed or not self.switched_on else self.week.next_opening(timezone.now())

    @property
    def has_way_to_person(self) -> bool:
        """Return whether visitors can reach a person: by the queue if somebody is there, or by the form."""
        return self.handover or self.people_answer

    @property
    def has_only_form(self) -> bool:
        """Return whether the page has the form for a person in place of a chat."""
        return self.asks_details == DetailsTiming.INSTEAD and self.handover

    @functools.cached_property
    def face_url(self) -> str:
        """The picture's URL. It changes with the picture, so that browsers may cache it for good."""
        return self._picture_url("face", self.face.name)

    @functools.cached_property
    def logo_url(self) -> str:
        return self._picture_url("logo", self.logo.name)

    @property
    def has_dark_logo(self) -> bool:
        """Return whether the logo would be lost on a dark page: `appearance.pictures` names its file so."""
        return "/dark-" in (self.logo.name or "")

    def _picture_url(self, kind: str, name: str) -> str:
        return f"{reverse('chat:picture', args=[self.slug, kind])}?{slugify(name)}"

    def set_key(self, plain: str) -> None:
        self.sealed_key = encryption.seal(plain) if plain else ""

    @property
    def upstream_url(self) -> str:
        """Return the base URL of the bot's own upstream, or of the site's when the bot has none."""
        return self.base_url or settings.CHAT_BASE_URL

    @property
    def upstream_key(self) -> str:
        """The bot's own key, else the site's, which is sent to the site's own URL only; "" if there is none.

        A key that can't be decrypted counts as missing: with the site's key another bot would answer.
        """
        if self.sealed_key:
            try:
                return encryption.unseal(self.sealed_key)
            except encryption.CannotUnseal:
                return ""
        url = self.upstream_url
        if url == settings.IN_PROCESS_URL:
            return settings.IN_PROCESS_KEY
        return settings.BOT_API_KEY if url == settings.CHAT_BASE_URL else ""

    def set_webhook_secret(self, plain: str) -> None:
        self.sealed_webhook_secret = encryption.seal(plain) if plain else ""

    @property
    def webhook_secret(self) -> str:
        """The secret; "" if there is none or if it can't be decrypted."""
        return encryption.unseal_or_empty(self.sealed_webhook_secret)

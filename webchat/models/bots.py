"""The bot: its words, its looks, its upstream and its rules."""

import functools
from collections.abc import Iterable
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import connection, models
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from webchat import encryption, origins
from webchat.appearance import color_palette
from webchat.appearance.texts import in_language
from webchat.business_hours import Hours, parse, parse_holidays, zone
from webchat.models import hot_queries
from webchat.upstream import failure_rules


class Icon(models.TextChoices):
    CHAT = "chat", _("speech bubble")
    QUESTION = "question", _("question mark")
    SPARK = "spark", _("spark")


class Position(models.TextChoices):
    END = "end", _("bottom right (left in right-to-left languages)")
    START = "start", _("bottom left (right in right-to-left languages)")


class Theme(models.TextChoices):
    AUTO = "auto", _("as the visitor’s system")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class BotQuerySet(models.QuerySet):
    def on(self, surface: str) -> Self:
        """Return the bots that the surface shows: all of them, but in the portal only those that the owner opened."""
        return self.filter(in_portal=True) if surface == "portal" else self


class Words(models.Model):
    """What the owner has written for visitors to read, in one language."""

    greeting = models.TextField(_("greeting"), blank=True, help_text=_("Shown above an empty conversation. Markdown."))
    can_help = models.CharField(
        _("what it can help with"),
        max_length=200,
        blank=True,
        help_text=_("Below the greeting, after “I can help with”, such as: opening hours, prices, repairs."),
    )
    cannot_help = models.CharField(
        _("what it can’t help with"),
        max_length=200,
        blank=True,
        help_text=_("Beside it, after “I can’t help with”, such as: orders that you have placed."),
    )
    suggestions = models.TextField(_("suggested questions"), blank=True, help_text=_("One on each line."))
    launcher_label = models.CharField(
        _("launcher’s label"),
        max_length=60,
        blank=True,
        help_text=_("Beside the widget’s button. Blank: the button alone."),
    )
    teaser = models.CharField(
        _("teaser"), max_length=140, blank=True, help_text=_("A line that appears beside the launcher after a while.")
    )
    closed_notice = models.TextField(
        _("closed notice"), blank=True, help_text=_("Shown while it is closed. Markdown. Blank: a sentence of ours.")
    )
    privacy_note = models.TextField(
        _("privacy note"), blank=True, help_text=_("Stands below the greeting. Markdown, such as a link.")
    )
    consent = models.TextField(
        _("consent"),
        blank=True,
        help_text=_("What a visitor has to agree to before the first message. Markdown. Blank: nothing is asked."),
    )
    handover_next = models.CharField(
        _("what happens next"),
        max_length=300,
        blank=True,
        help_text=_("Told beside the form. Blank: a person reads the message and answers by e-mail."),
    )
    own_details = models.TextField(
        _("your own questions"),
        blank=True,
        help_text=_(
            "One on each line. A * makes it required, and after a | you can say what it is for: "
            "Order number * | So that we find your order."
        ),
    )
    name_purpose = models.CharField(
        _("what the name is for"),
        max_length=200,
        blank=True,
        help_text=_("Told below the field, such as: So that we know how to address you."),
    )
    email_purpose = models.CharField(
        _("what the e-mail address is for"),
        max_length=200,
        blank=True,
        help_text=_("Told below the field, such as: So that we can write to you if we get cut off."),
    )
    details_purpose = models.CharField(
        _("what for"),
        max_length=300,
        blank=True,
        help_text=_("Told above all fields, such as: So that we can find your order."),
    )

    class Meta:
        abstract = True

    @property
    def suggested_questions(self) -> list[str]:
        return [line.strip() for line in self.suggestions.splitlines() if line.strip()]


WORDS = tuple(field.name for field in Words._meta.local_fields)


class Visitors(models.TextChoices):
    ALL = "", _("everyone")
    NEW = "new", _("those who are here for the first time")
    RETURNING = "returning", _("those who have been here before")


class Asking(models.TextChoices):
    """When visitors are asked about themselves."""

    NEVER = "", _("no")
    BEFORE = "before", _("before the first message")
    AFTER = "after", _("after the first reply; nobody has to answer")
    INSTEAD = "instead", _("instead of a chat: a form, and you answer by e-mail")


class Needed(models.TextChoices):
    NO = "", _("no")
    OPTIONAL = "optional", _("yes, who wants to")
    REQUIRED = "required", _("yes, everyone")


class Bot(Words):
    """What a visitor talks to: its name, its words, its upstream and its rules."""

    slug = models.SlugField(_("address"), unique=True, help_text=_("The last part of the page's address: /chat/…/"))
    name = models.CharField(_("name"), max_length=80)
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        help_text=_("An e-mail address or a web address, offered to visitors whom the bot can't help."),
    )
    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=settings.LANGUAGES,
        help_text=_("Of the page around the conversation. Blank: the visitor’s own."),
    )
    languages = models.CharField(
        _("more languages"),
        max_length=100,
        blank=True,
        help_text=_("In which your words can be written too. What is missing there, visitors read in the default."),
    )  # codes, with commas between them
    accent = models.CharField(
        _("accent colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(color_palette.HEX.pattern + r"\Z", _("Use a colour such as #2f5bd0."))],
        help_text=_("Such as #2f5bd0. Shades that everyone can read are made of it."),
    )
    face = models.ImageField(
        _("face"), upload_to="faces", blank=True, help_text=_("A square picture. Blank: the first letter of the name.")
    )
    logo = models.ImageField(
        _("logo"), upload_to="logos", blank=True, help_text=_("Stands at the top, before the name.")
    )
    origins = models.TextField(
        _("websites that may show it"),
        blank=True,
        help_text=_("One on each line: https://www.example.com or https://*.example.com. Blank: none may."),
    )
    launcher_icon = models.CharField(_("launcher’s icon"), max_length=8, choices=Icon, default=Icon.CHAT)
    launcher_position = models.CharField(_("launcher’s place"), max_length=5, choices=Position, default=Position.END)
    widget_theme = models.CharField(
        _("widget’s colours"),
        max_length=5,
        choices=Theme,
        default=Theme.AUTO,
        help_text=_("Light or dark, for a website that is always so."),
    )
    tells_page = models.BooleanField(
        _("tell the bot the page"),
        default=False,
        help_text=_(
            "Of your website, on which the visitor is: a line above the first message. The visitor sees it, and can "
            "leave it out. For bots that make use of it; docbot doesn’t."
        ),
    )
    shares_text = models.BooleanField(
        _("your website may read along"),
        default=False,
        help_text=_(
            "The scripts of the page around the widget get the text of messages and replies. Off, they only hear that "
            "something was said. Tell your visitors."
        ),
    )
    teaser_after = models.PositiveSmallIntegerField(_("teaser after"), default=10, help_text=_("Seconds."))
    in_portal = models.BooleanField(
        _("open to customers"), default=False, help_text=_("People who have signed in find it in the portal.")
    )
    base_url = models.URLField(
        _("upstream address"),
        blank=True,
        help_text=_("Where the bot's endpoint is, without /api/public/chat. Blank: CHAT_BASE_URL."),
    )
    sealed_key = models.TextField(_("key"), blank=True, editable=False)
    daily_budget = models.PositiveIntegerField(
        _("messages a day"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("After so many messages in a day nothing more is sent upstream. Blank: no limit."),
    )
    asks_for_proof = models.BooleanField(
        _("proof of work"),
        default=False,
        help_text=_(
            "Against a flood of programs: each message costs its sender’s device up to a second of work. "
            "While it is ticked, nobody can write to the bot without JavaScript."
        ),
    )
    switched_on = models.BooleanField(
        _("switched on"),
        default=True,
        help_text=_("Off, nothing is sent upstream, and the page says so. What visitors have typed is kept."),
    )
    closed = models.BooleanField(
        _("closed"), default=False, help_text=_("Closed until you open it again, whatever the hours say.")
    )
    hours = models.TextField(
        _("business hours"),
        blank=True,
        help_text=_("A line for some days: Mon-Fri 9:00-12:00, 13:00-17:00. Blank: always open."),
    )
    holidays = models.TextField(
        _("holidays"),
        blank=True,
        help_text=_("A line for each: 2026-12-24 – 2027-01-01, or with other hours: 2026-12-31 9:00-12:00."),
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, blank=True, help_text=_("Such as Europe/Berlin. Blank: the site’s own.")
    )
    answers_when_closed = models.BooleanField(
        _("answers while closed"), default=True, help_text=_("The bot goes on answering; only people are away.")
    )
    handover = models.BooleanField(
        _("requests for a person"),
        default=False,
        help_text=_("Visitors may leave their e-mail address and a message for a person."),
    )
    handover_email = models.EmailField(
        _("requests go to"), blank=True, help_text=_("By e-mail, if the site has a mail server (EMAIL_URL).")
    )
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
        validators=[MinValueValidator(1)],
        help_text=_("Minutes. When nobody has answered by then, the form is offered."),
    )
    offers_person_when_not_known = models.BooleanField(
        _("offer a person beside a reply that didn’t know"), default=True
    )
    offers_person_after_thumbs_down = models.BooleanField(_("offer a person after two thumbs down"), default=True)
    offers_person_after_failures = models.BooleanField(_("offer a person after two failures"), default=True)
    offers_person_when_asked_for = models.BooleanField(_("offer a person when a message asks for one"), default=True)
    asks_details = models.CharField(
        _("ask visitors about themselves"),
        max_length=8,
        blank=True,
        choices=Asking,
        default=Asking.NEVER,
        help_text=_("On the page and in the widget. You see it beside the conversation; the bot’s service never does."),
    )
    asks_name = models.CharField(_("name"), max_length=8, blank=True, choices=Needed, default=Needed.OPTIONAL)
    asks_email = models.CharField(_("e-mail address"), max_length=8, blank=True, choices=Needed, default=Needed.NO)
    webhook_url = models.URLField(
        _("webhook"), blank=True, help_text=_("Gets requests and alarms, signed. An address with https://.")
    )
    sends_questions = models.BooleanField(
        _("send questions to teach"),
        default=False,
        help_text=_("To the webhook: each question that the bot didn’t know, wasn’t sure of or got a thumb down for."),
    )
    sealed_webhook_secret = models.TextField(_("webhook’s secret"), blank=True, editable=False)
    alarm_email = models.EmailField(
        _("alarms go to"), blank=True, help_text=_("When the bot fails or its budget is used up. Also: ALARM_EMAIL.")
    )

    retention_days = models.PositiveSmallIntegerField(
        _("keep conversations for"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Days after the last message; then they are deleted. Blank: until you delete them."),
    )

    objects = BotQuerySet.as_manager()

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
        fields = Bot._meta.concrete_fields
        statement = hot_queries.BOT.format(columns=", ".join(field.column for field in fields))
        row = hot_queries.first_row(statement, [slug])
        # Its fields need no conversion: they are texts, numbers and booleans.
        return Bot.from_db(connection.alias, [field.attname for field in fields], row) if row else None

    def is_on(self, surface: str) -> bool:
        return self.in_portal or surface != "portal"

    @property
    def more_languages(self) -> list[str]:
        """Return the languages besides the default one that the owner's words are written in."""
        return [code for code in self.languages.split(",") if code and code != self.language]

    @property
    def words(self) -> Words:
        """Return the owner's words in the page's language; the default's where they are missing."""
        language = translation.get_language()
        if language not in self.more_languages:
            return self
        written = self._translations.get(language) or BotWords()
        return BotWords(language=language, **{name: getattr(written, name) or getattr(self, name) for name in WORDS})

    @property
    def consents(self) -> list[str]:
        """Return the text that visitors agree to, in each language."""
        return [each.consent for each in (self, *self._translations.values()) if each.consent]

    @property
    def greetings(self) -> list[str]:
        """Return what an empty page shows, in each language."""
        words = ("greeting", "can_help", "cannot_help", "suggestions")
        return ["\n".join(getattr(each, name) for name in words) for each in (self, *self._translations.values())]

    @functools.cached_property
    def _translations(self) -> "dict[str, BotWords]":
        """Return the translations with one statement; with none while the bot has one language."""
        more = self.more_languages
        return {each.language: each for each in self.translations.filter(language__in=more)} if more else {}

    @functools.cached_property
    def face_url(self) -> str:
        """The picture's URL. It changes with the picture, so that browsers may cache it for good."""
        return self._picture_url("face", self.face.name)

    @functools.cached_property
    def logo_url(self) -> str:
        return self._picture_url("logo", self.logo.name)

    def _picture_url(self, kind: str, name: str) -> str:
        return f"{reverse('chat:picture', args=[self.slug, kind])}?{slugify(name)}"

    @property
    def allowed_origins(self) -> list[str]:
        """Return the sources for `frame-ancestors`."""
        try:
            return origins.parse(self.origins)
        except ValueError:  # not saved by the form: then nobody may
            return []

    @property
    def contact_link(self) -> str:
        """Return the contact as a link; "" if there is none."""
        if "@" in self.contact and not self.contact.startswith("http"):
            return f"mailto:{self.contact}"
        return self.contact if self.contact.startswith(("https://", "http://")) else ""

    @functools.cached_property
    def week(self) -> Hours:
        """The business hours and holidays, in the bot's own time zone."""
        try:
            there = zone(self.time_zone or settings.TIME_ZONE)
            return Hours(parse(self.hours), there, parse_holidays(self.holidays))
        except ValueError:  # not saved by the form: then it is always open
            return Hours([], zone(settings.TIME_ZONE))

    @functools.cached_property
    def is_open(self) -> bool:
        has_times = bool(self.hours or self.holidays)
        return not self.closed and (not has_times or self.week.is_open(timezone.now()))

    @property
    def open_until(self) -> str:
        return self.week.until(timezone.now()) if self.is_open else ""

    @property
    def open_again(self) -> str:
        """Return when the bot opens again, by its hours; nothing for a bot that the owner has closed."""
        return "" if self.closed or not self.switched_on else self.week.again(timezone.now())

    @property
    def has_way_to_person(self) -> bool:
        """Return whether visitors can reach a person: by the queue if somebody is there, or by the form."""
        return self.handover or self.people_answer

    @property
    def takes_messages(self) -> bool:
        """Return whether messages are sent upstream: not if the bot is off, or closed and not answering meanwhile."""
        return self.switched_on and not self.has_only_form and (self.is_open or self.answers_when_closed)

    @property
    def has_only_form(self) -> bool:
        """Return whether the page has the form for a person in place of a chat."""
        return self.asks_details == Asking.INSTEAD and self.handover

    @property
    def refusal_code(self) -> str:
        """Return the code in failure_rules for why nothing may be sent upstream now; "" if it may."""
        if not self.switched_on:
            return failure_rules.SWITCHED_OFF
        return "" if self.takes_messages else failure_rules.CLOSED

    def set_key(self, plain: str) -> None:
        self.sealed_key = encryption.seal(plain) if plain else ""

    def set_webhook_secret(self, plain: str) -> None:
        self.sealed_webhook_secret = encryption.seal(plain) if plain else ""

    @property
    def webhook_secret(self) -> str:
        """The secret; "" if there is none or if it can't be decrypted."""
        return encryption.unseal_or_empty(self.sealed_webhook_secret)

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
        if self.upstream_url == settings.IN_PROCESS_URL:
            return settings.IN_PROCESS_KEY
        return settings.BOT_API_KEY if self.upstream_url == settings.CHAT_BASE_URL else ""


class BotWords(Words):
    """A bot's words in one of its further languages. A blank field is missing, and the default is shown instead."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="translations")
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "language"], name="words_once_in_a_language")]
        verbose_name = _("words")
        verbose_name_plural = _("words")

    def __str__(self) -> str:
        return f"{self.bot}: {self.get_language_display()}"

    def missing(self, names: Iterable[str] = WORDS) -> list[str]:
        """Return the fields that the default has words for and this language has none."""
        return [name for name in names if getattr(self.bot, name) and not getattr(self, name)]


class TeaserRule(models.Model):
    """When the widget speaks up by itself: once to each visitor."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="teaser_rules")
    text = models.CharField(_("it says"), max_length=140)
    texts = models.JSONField(default=dict, blank=True)  # by language
    page = models.CharField(
        _("on the page"),
        max_length=200,
        blank=True,
        help_text=_("/prices is one page, /shop/* stands for all below it. Blank: every page."),
    )
    visitors = models.CharField(_("to"), max_length=9, blank=True, choices=Visitors, default=Visitors.ALL)
    seconds = models.PositiveSmallIntegerField(_("after"), default=10, help_text=_("Seconds on the page."))
    scrolled = models.PositiveSmallIntegerField(
        _("and from"),
        default=0,
        validators=[MaxValueValidator(100)],
        help_text=_("Per cent of the page scrolled; 100 is its end."),
    )

    class Meta:
        verbose_name = _("occasion")
        verbose_name_plural = _("when it speaks up")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text

    @property
    def words(self) -> str:
        """Return what it says in the page's language."""
        return in_language(self.text, self.texts)

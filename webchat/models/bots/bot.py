"""The bot itself: where it is found, what limits it, and whether it takes messages."""

import secrets
from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webchat.models import hot_queries
from webchat.models.bots.hours import Opening
from webchat.models.bots.looks import Looks
from webchat.models.bots.people import InPerson
from webchat.models.bots.recipients import Recipients
from webchat.models.bots.upstream import Upstream
from webchat.models.bots.widget import Widget
from webchat.models.bots.words import WordsInLanguages
from webchat.upstream import failure_rules


class BotQuerySet(models.QuerySet):
    def on(self, surface: str) -> Self:
        """Return the bots that the surface shows: all of them, but in the portal only those that the owner opened."""
        return self.filter(in_portal=True) if surface == "portal" else self

    def being_deleted(self) -> Self:
        """Return the bots that are gone for everybody, and whose rows are being deleted in the background."""
        return self.filter(is_being_deleted=True)


class BotManager(models.Manager.from_queryset(BotQuerySet)):
    """Leaves out the bots that are being deleted."""

    def get_queryset(self) -> BotQuerySet:
        return super().get_queryset().filter(is_being_deleted=False)


class Bot(WordsInLanguages, Looks, Widget, Opening, InPerson, Upstream, Recipients):
    """What a visitor talks to: its name, its words, its upstream and its rules."""

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
        return self.in_portal or surface != "portal"

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

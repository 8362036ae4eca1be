"""Deliveries by e-mail, webhook and notification: kept until they have arrived, with each attempt."""

import datetime
import functools
import operator
import random
import uuid
from collections.abc import Callable
from typing import Self

from django.db import models, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat import encryption
from webchat.models.alarms import Alarm
from webchat.models.bots import Bot
from webchat.models.conversations.conversation import Conversation
from webchat.models.conversations.entries import Entry
from webchat.models.conversations.handovers import Handover
from webchat.models.conversations.turns import Turn

# Seconds from each failure to the next attempt: eight attempts within a day.
BACK_OFF = (60, 5 * 60, 15 * 60, 60 * 60, 3 * 60 * 60, 7 * 60 * 60, 12 * 60 * 60 + 40 * 60)
MOST_BROWSERS = 5  # of one conversation that are notified
LEASE = 120  # seconds that an attempt can take at most; after that its process must have died


class Channel(models.TextChoices):
    EMAIL = "email", _("e-mail")
    WEBHOOK = "webhook", _("your program")
    PUSH = "push", _("notification")


class PushSubscriptionQuerySet(models.QuerySet):
    def keep(self, conversation: Conversation, url: str, public_key: str, auth_secret: str, **more: str | bool) -> None:
        """Store a browser's subscription; of a conversation only the newest few are kept."""
        keys = {"public_key": public_key, "auth_secret": auth_secret} | more
        with transaction.atomic():
            self.filter(url=url).exclude(conversation__visitor=conversation.visitor).delete()  # who used it before
            self.update_or_create(conversation=conversation, url=url, defaults=keys)
            newest = self.filter(conversation=conversation).order_by("-pk").values_list("pk", flat=True)
            self.filter(conversation=conversation).exclude(pk__in=[*newest[:MOST_BROWSERS]]).delete()

    def to_notify(self, written_before: datetime.datetime) -> Self:
        """Return the browsers to notify of what a person has written, each with `last`, its newest entry."""
        written = Q(
            conversation__entries__kind=Entry.Kind.MESSAGE, conversation__entries__created_at__lt=written_before
        )
        there = self.filter(conversation__ended_at=None, conversation__bot__notifies_visitors=True)
        last = there.annotate(last=Max("conversation__entries__pk", filter=written))
        unread = last.filter(last__gt=F("conversation__visitor_read_to")).filter(last__gt=F("told_to"))
        return unread.exclude(deliveries__state=Delivery.State.WAITING)


class PushSubscription(models.Model):
    """A browser that wants a notification when a person answers in a conversation, as its push service named it."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="push_subscriptions")
    url = models.CharField(max_length=1000)
    public_key = models.CharField(max_length=100)
    auth_secret = models.CharField(max_length=30)
    browser = models.CharField(max_length=32, blank=True)  # what its session calls it: a visitor may have several
    is_home = models.BooleanField(default=False)  # whether its page is the site's first, which shows the default bot
    told_to = models.PositiveBigIntegerField(default=0)  # the last entry that a notification was about
    created_at = models.DateTimeField(default=timezone.now)

    objects = PushSubscriptionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "url"], name="a_browser_is_told_once")]

    def __str__(self) -> str:
        return f"{self.conversation} {self.created_at:%Y-%m-%d}"

    def queue(self, last: int) -> None:
        """Queue the notification about entries up to `last`; of two processes, only one does."""
        with transaction.atomic():
            mine = PushSubscription.objects.filter(pk=self.pk, told_to=self.told_to)
            if mine.update(told_to=last):
                Delivery.objects.create(subscription=self, channel=Channel.PUSH)

    def is_wanted(self) -> bool:
        """Return whether the visitor still hasn't read what the queued notification is about."""
        there = Conversation.objects.filter(pk=self.conversation_id, ended_at=None, bot__notifies_visitors=True)
        return there.filter(visitor_read_to__lt=self.told_to).exists()


class PushKey(models.Model):
    """The private key that the site signs notifications with, encrypted. There is one, made when first needed."""

    sealed_pem = models.TextField(editable=False)

    def __str__(self) -> str:
        return "VAPID"

    @classmethod
    def pem(cls, make: Callable[[], str]) -> str:
        """Return the key, made by `make` if there is none. A new SECRET_KEY loses the key and all subscriptions."""
        kept, _made = cls.objects.get_or_create(pk=1, defaults={"sealed_pem": lambda: encryption.seal(make())})
        try:
            return encryption.unseal(kept.sealed_pem)
        except encryption.CannotUnseal:
            with transaction.atomic():
                if cls.objects.filter(pk=1, sealed_pem=kept.sealed_pem).update(sealed_pem=encryption.seal(make())):
                    PushSubscription.objects.all().delete()
            return cls.pem(make)


class DeliveryQuerySet(models.QuerySet):
    def due(self) -> Self:
        """Return what is due, notifications last: they go to servers that strangers have named, which may be slow."""
        due = self.filter(state=Delivery.State.WAITING, next_at__lte=timezone.now())
        said = ("entry__conversation__bot", "turn__conversation__bot", "subscription__conversation__bot")
        due = due.select_related("handover__bot", "alarm__bot", *said)
        last = [F(thing).asc(nulls_first=True) for thing in ("subscription", "turn", "alarm")]
        return due.order_by(*last, "next_at")


THINGS = ("handover", "alarm", "entry", "turn", "subscription")


def _only(thing: str) -> Q:
    return Q(**{f"{each}__isnull": each != thing for each in THINGS})


class Delivery(models.Model):
    """One delivery of a handover, an alarm, a question to teach, or replies to a visitor who has left.

    These go by e-mail (up to `entry`) or are a notification (`subscription`).

    The recipient is looked up at each attempt, so that a corrected address counts.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        GIVEN_UP = "given_up", _("given up")

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    handover = models.ForeignKey(Handover, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    alarm = models.ForeignKey(Alarm, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="delivery")
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="delivery")
    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries"
    )
    question = models.JSONField(default=dict, blank=True)  # what is sent of the turn
    channel = models.CharField(_("channel"), max_length=10, choices=Channel)
    to_site = models.BooleanField(default=False)  # to the site’s own addresses instead of the bot’s
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=functools.reduce(operator.or_, (_only(thing) for thing in THINGS)),
                name="a_delivery_tells_one_thing",
            )
        ]
        indexes = [models.Index(fields=["next_at"], condition=Q(state="waiting"), name="deliveries_that_wait")]

    def __str__(self) -> str:
        return f"{self.get_channel_display()} · {self.get_state_display()}"

    @property
    def bot(self) -> Bot:
        if said := self.entry or self.turn or self.subscription:
            return said.conversation.bot
        return (self.handover or self.alarm).bot

    @property
    def replies(self) -> models.QuerySet[Entry]:
        """Return what team members have written since the previous mail, up to `entry`."""
        of_conversation = Entry.objects.filter(conversation=self.entry.conversation_id)
        mailed = of_conversation.filter(delivery__isnull=False, pk__lt=self.entry_id).aggregate(last=Max("pk"))["last"]
        shown = max(mailed or 0, self.entry.conversation.visitor_read_to)
        return of_conversation.filter(kind=Entry.Kind.MESSAGE, pk__gt=shown, pk__lte=self.entry_id)

    def claim(self) -> bool:
        """Claim it for one process; if that one dies, it is due again after a while."""
        until = timezone.now() + datetime.timedelta(seconds=LEASE)
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.WAITING, next_at=self.next_at)
        claimed = mine.update(next_at=until, tries=F("tries") + 1)
        if claimed:
            self.next_at, self.tries = until, self.tries + 1
        return bool(claimed)

    def store(self, *, arrived: bool, outcome: str, went_to: str, ms: int) -> None:
        """Record how this attempt went; after the last one, give up."""
        now = timezone.now()
        ended, state = arrived or self.tries > len(BACK_OFF), self.State.WAITING
        if ended:
            state = self.State.SENT if arrived else self.State.GIVEN_UP
        else:
            wait = BACK_OFF[self.tries - 1] * random.uniform(1, 1.1)  # noqa: S311 - no secret
            self.next_at = now + datetime.timedelta(seconds=wait)
        self.state, self.ended_at = state, now if ended else None
        with transaction.atomic():
            Attempt.objects.create(delivery=self, at=now, outcome=outcome, went_to=went_to, ms=ms)
            self.save(update_fields=["state", "ended_at", "next_at"])


class Attempt(models.Model):
    """One attempt at a delivery and how it went, in our own words: nothing that the other side said is stored."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="attempts")
    at = models.DateTimeField(_("at"), default=timezone.now)
    went_to = models.CharField(_("to"), max_length=254, blank=True)
    outcome = models.CharField(_("outcome"), max_length=100)
    ms = models.PositiveIntegerField(_("milliseconds"), default=0)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.outcome

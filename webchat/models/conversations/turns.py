"""Turns; every change of a turn's state is one conditional update, named for what happens."""

import datetime
import logging
import math
import uuid
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Self

from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from webchat.models import hot_queries
from webchat.models.bots import Surface
from webchat.models.conversations.conversation import Conversation, split_page
from webchat.models.hot_queries import as_parameter
from webchat.upstream import failure_rules
from webchat.upstream.failure_rules import LOST

logger = logging.getLogger(__name__)

# How long a turn may take beyond the upstream's total deadline (storing, a busy machine) before it counts as lost.
GRACE = 10  # seconds
THUMBS_DOWN_FOR_A_PERSON = 2  # thumbs down in one conversation
LONG_WAIT = 60 * 60  # seconds: too long for a countdown


def _answerable_period() -> tuple[datetime.datetime, datetime.datetime]:
    """Return the earliest and latest `asked_at` of a turn that may still be answered.

    The latest is after now, because clocks are sometimes set back.
    """
    long = datetime.timedelta(seconds=settings.CHAT_TIMEOUT + GRACE)
    return timezone.now() - long, timezone.now() + long


class Feedback(models.IntegerChoices):
    """What a visitor thinks of a reply."""

    UP = 1, _("helpful")
    DOWN = -1, _("not helpful")


class TurnQuerySet(models.QuerySet):
    def of(self, visitor: str | None, slug: str, surface: str) -> Self:
        """Return the turns that the visitor may see: of the present conversation; in the portal, of all of theirs."""
        if visitor is None:
            return self.none()
        reach = {"bot__in_portal": True} if surface == Surface.PORTAL else {"surface": surface, "is_present": True}
        reach |= {"visitor": visitor, "bot__slug": slug, "ended_at": None}
        within = {f"conversation__{name}": value for name, value in reach.items()}
        return self.filter(**within).select_related("conversation__bot")

    def own(self, visitor: str | None, slug: str, surface: str, key: uuid.UUID) -> "Turn | None":
        """Return the visitor's turn with this key; None if there is none."""
        return self.of(visitor, slug, surface).filter(key=key).first()

    def begin(self, conversation: Conversation, key: uuid.UUID, message: str) -> "Turn":
        """Store a message for the bot, or for a person. Call it within a transaction that holds the conversation's row.

        Raises IntegrityError if there is a turn with this key.
        """
        state = Turn.State.PENDING if conversation.is_led_by_bot else Turn.State.PERSON
        turn = Turn(conversation=conversation, key=key, message=message, state=state)
        values = [conversation.pk, as_parameter(key), message, state, as_parameter(turn.created_at), conversation.pk]
        turn.pk, turn.failures, before = hot_queries.first_row(hot_queries.BEGIN_TURN, values)
        turn.key_before = uuid.UUID(str(before)) if before else None  # SQLite keeps it as text
        turn._state.adding, turn._state.db = False, connection.alias
        return turn

    def has_enough_thumbs_down(self) -> bool:
        """Return whether the visitor has given so many thumbs down that a person is offered."""
        return self.filter(feedback=Feedback.DOWN).count() >= THUMBS_DOWN_FOR_A_PERSON

    def give_up_on_lost(self) -> int:
        """Fail the turns whose worker must have died: asked longer ago than an answer can take."""
        asked = Turn.objects.filter(
            ~Q(asked_at__range=_answerable_period()), pk__in=self.values("pk"), state=Turn.State.ASKING
        )
        lost = asked.update(state=Turn.State.FAILED, code=LOST, ended_at=timezone.now(), failures=F("failures") + 1)
        if lost:
            logger.log(failure_rules.rule(LOST).level, "failed turns=%d code=%s", lost, LOST, extra={"code": LOST})
        return lost


class Turn(models.Model):
    """One message and what became of it.

    `key` comes with the form and is unique: the same form sent twice is the same turn. In URLs it names the turn.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("waiting to be asked")
        ASKING = "asking", _("being asked")
        ANSWERED = "answered", _("answered")
        FAILED = "failed", _("failed")
        PERSON = "person", _("with a person")

    class Outcome(models.TextChoices):
        """What the upstream says of its own reply, in an optional field of its answer."""

        ANSWERED = "answered", _("answered")
        NOT_SURE = "not_sure", _("not sure")
        NOT_KNOWN = "not_known", _("didn’t know")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    message = models.TextField(_("message"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PENDING)
    code = models.CharField(_("error code"), max_length=64, blank=True)
    reply = models.TextField(_("reply"), blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, blank=True, choices=Outcome)
    # Arrived after a person had taken over; never shown to the visitor.
    late_reply = models.TextField(_("late reply"), blank=True)
    started_over = models.BooleanField(default=False)  # the earlier conversation had ended, here or upstream
    created_at = models.DateTimeField(_("sent"), default=timezone.now)
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)  # when the upstream may be asked again
    attempt = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row, those of the turns just before included
    feedback = models.SmallIntegerField(_("feedback"), null=True, blank=True, choices=Feedback)
    feedback_reason = models.CharField(_("reason"), max_length=500, blank=True)
    feedback_at = models.DateTimeField(_("feedback given"), null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    offers_bot = False  # set from `can_go_to_bot` when a transcript is shown

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(state="asking"), name="one_turn_asked_at_a_time"
            )
        ]
        indexes = [
            models.Index(fields=["conversation", "id"]),
            models.Index(fields=["ended_at"], name="turns_by_end"),  # to count how many have failed lately
            # For the desk: what has changed since it last counted, and when turns failed or were liked.
            models.Index(fields=["created_at"], name="turns_by_start"),
            # With the conversation, so that the list of conversations is filtered by the index alone.
            models.Index(fields=["state", "code", "created_at", "conversation"], name="turns_by_outcome"),
            models.Index(
                fields=["outcome", "created_at", "conversation", "id"],
                condition=Q(outcome="not_known") | Q(outcome="not_sure"),
                name="unsure_turns",
            ),
            models.Index(fields=["feedback_at"], condition=Q(feedback_at__isnull=False), name="turns_by_feedback"),
        ]

    def __str__(self) -> str:
        return f"{self.key}"

    @property
    def file(self) -> models.Model | None:
        """The attachment that came as this message; only what went to a person can be one. See `prefetch_files`."""
        return getattr(self, "attachment", None) if self.state == self.State.PERSON else None

    @property
    def can_go_to_bot(self) -> bool:
        """Return whether the visitor, back with the bot, may send it this last message, which no person has answered.

        Not after a person has closed the conversation: the last message is then often a word of thanks.
        """
        conversation, bot = self.conversation, self.conversation.bot
        if self.state != self.State.PERSON or self.file or not conversation.is_led_by_bot or conversation.resolved_at:
            return False
        if bot.asks_for_proof or not bot.takes_messages:
            return False
        return not conversation.entries.filter(kind="message", after_turn__gte=self.pk).exists()

    @property
    def page_and_message(self) -> tuple[str, str]:
        """The URL of the website's page that came with the message, or "", and what the visitor wrote."""
        # A link in an e-mail continues a widget's conversation on the full page.
        is_widgets = self.conversation.surface == Surface.EMBED or self.conversation.page_url
        return split_page(self.message) if is_widgets else ("", self.message)

    @property
    def introduces_questions(self) -> bool:
        """Return whether the reply ends with an introduction to the questions it offers, such as "Did you mean:"."""
        return self.outcome in (self.Outcome.NOT_SURE, self.Outcome.NOT_KNOWN)

    @property
    def is_waiting(self) -> bool:
        return self.state in (self.State.PENDING, self.State.ASKING)

    @property
    def is_overdue(self) -> bool:
        """Return whether the turn has been asked for longer than an answer can take."""
        oldest, newest = _answerable_period()
        return self.state == self.State.ASKING and not oldest <= self.asked_at <= newest

    @property
    def seconds_to_wait(self) -> int:
        """Return the seconds until the turn may be asked again."""
        if self.not_before is None:
            return 0
        return max(0, math.ceil((self.not_before - timezone.now()).total_seconds()))

    @property
    def rule(self) -> failure_rules.Rule:
        return failure_rules.rule(self.code)

    @property
    def waits_long(self) -> bool:
        """Return whether the wait is so long that the page shows the time of day instead of a countdown."""
        return self.seconds_to_wait >= LONG_WAIT

    @property
    def controls(self) -> list[str]:
        return self.rule.controls(self.failures)

    @property
    def code_to_show(self) -> str:
        return failure_rules.presentable(self.code)

    @cached_property
    def key_before(self) -> uuid.UUID | None:
        """The key of the turn before this one in the conversation, if there is one."""
        before = Turn.objects.filter(conversation=self.conversation_id, pk__lt=self.pk).order_by("-pk")
        return before.values_list("key", flat=True).first()

    def is_still_the_bots(self) -> bool:
        """Return whether this attempt's outcome may still be stored: no person has taken over."""
        return self._outcome().exists()

    def is_blocked(self) -> bool:
        """Return whether this turn, or another of its conversation, is being asked and may still be answered."""
        asked = Turn.objects.filter(conversation=self.conversation_id, state=self.State.ASKING)
        return asked.filter(asked_at__range=_answerable_period()).exists()

    def claim(self) -> bool:
        """pending → asking, for one caller only, in order, while no other turn of the conversation is being asked.

        On PostgreSQL two claims may both see no other turn being asked; the constraint then refuses the second.
        """
        now = timezone.now()
        try:
            claimed = hot_queries.first_row(hot_queries.CLAIM_TURN, [as_parameter(now), self.pk, self.attempt])
        except IntegrityError:
            return False
        if claimed:
            self.state, self.asked_at, self.attempt, self.code = self.State.ASKING, now, self.attempt + 1, ""
            self.conversation.chat_id = claimed[0]
        return claimed is not None

    def start_over(self) -> bool:
        """Forget the chat_id that the upstream has refused: the conversation continues in a new chat.

        Returns False if a person has taken over.
        """
        with transaction.atomic():
            self._store_chat_id("")
            self.started_over = bool(self._outcome().update(started_over=True))
        self.conversation.chat_id = ""  # not before the commit: the database may go away, and this is called again
        return self.started_over

    def mark_as_started_over(self) -> None:
        self.started_over = True
        self.save(update_fields=["started_over"])

    def store_reply(self, text: str, chat_id: str = "", outcome: str = "") -> None:
        """asking → answered; a new chat_id becomes the conversation's in the same transaction.

        When a person has taken over meanwhile, the reply is kept as `late_reply`.
        """
        now = timezone.now()
        is_new_chat = chat_id not in ("", self.conversation.chat_id)
        # A single statement needs no transaction.
        with transaction.atomic() if is_new_chat else nullcontext():
            if is_new_chat:
                self._store_chat_id(chat_id)
            parameters = [text, outcome, as_parameter(now), self.pk, self.attempt, LOST]
            stored = hot_queries.first_row(hot_queries.STORE_REPLY, parameters) is not None
            if not stored and not self._store_late_reply(text) and is_new_chat:
                transaction.set_rollback(True)
        self.conversation.chat_id = chat_id or self.conversation.chat_id  # after the commit, as in start_over
        changes = {"state": self.State.ANSWERED, "reply": text, "outcome": outcome, "code": "", "ended_at": now}
        self._show_stored(changes, stored)

    def store_failure(self, code: str, *, not_before: datetime.datetime | None) -> None:
        """asking → failed, with a code of failure_rules."""
        changes = {
            "state": self.State.FAILED,
            "code": code,
            "failures": self.failures + 1,
            "not_before": not_before,
            "ended_at": timezone.now(),
        }
        self._show_stored(changes, self._outcome().update(**changes))

    def ask_again(self) -> bool:
        """failed or person → pending, on the visitor's request; two requests at once count as one.

        While people lead the conversation the message is theirs; a file is never sent to the bot.
        """
        if self.file:
            return False
        again_from = [self.State.FAILED, self.State.PERSON]
        with transaction.atomic():
            self.conversation.lock()
            state = self.State.PENDING if self.conversation.is_led_by_bot else self.State.PERSON
            changes = {"state": state, "code": "", "not_before": None, "ended_at": None}
            again = Turn.objects.filter(pk=self.pk, state__in=again_from, attempt=self.attempt).update(**changes)
            if again and not self.conversation.is_led_by_bot:
                self.conversation.notify_pages()
        self._show_stored(changes, again)
        return bool(again)

    def wait_until(self, moment: datetime.datetime) -> None:
        """Don't let a failed turn be asked again before then."""
        changes = {"not_before": moment}
        failed = Turn.objects.filter(pk=self.pk, state=self.State.FAILED, attempt=self.attempt).update(**changes)
        self._show_stored(changes, failed)

    def rate(self, feedback: int | None, reason: str = "") -> None:
        """Store what the visitor thinks of the reply; it replaces what they thought before."""
        changes = {"feedback": feedback, "feedback_reason": reason, "feedback_at": timezone.now() if feedback else None}
        rated = Turn.objects.filter(pk=self.pk, state=self.State.ANSWERED).update(**changes)
        self._show_stored(changes, rated)

    def _store_late_reply(self, text: str) -> bool:
        """Store a reply that arrived after a person had taken over."""
        taken = Turn.objects.filter(pk=self.pk, state=self.State.PERSON, attempt=self.attempt)
        return bool(taken.update(late_reply=text))

    def _outcome(self) -> models.QuerySet:
        """Return the row if its outcome is still this attempt's.

        A late reply is better than none, but is stored only once.
        """
        mine = Q(state=self.State.ASKING) | Q(state=self.State.FAILED, code=LOST)
        return Turn.objects.filter(mine, pk=self.pk, attempt=self.attempt)

    def _store_chat_id(self, chat_id: str) -> None:
        """Store the chat_id, unless a later turn has brought one and this outcome comes late.

        Call it before the turn is changed: a claim also locks the conversation first, then the turn.
        """
        asked_with = Conversation.objects.filter(chat_id=self.conversation.chat_id)
        asked_with.filter(pk=self.conversation_id, ended_at=None).update(chat_id=chat_id)

    def _show_stored(self, changes: dict[str, object], stored: int | bool) -> None:
        """Set on this object what was stored; if another request was first, load what that one stored."""
        if not stored:
            self.refresh_from_db(from_queryset=Turn.objects.select_related("conversation__bot"))
            return
        for name, value in changes.items():
            setattr(self, name, value)


def prefetch_files(turns: Iterable[Turn]) -> None:
    """Look up the attachments of all these turns at once; without a turn for a person, with no query."""
    models.prefetch_related_objects([turn for turn in turns if turn.state == Turn.State.PERSON], "attachment")

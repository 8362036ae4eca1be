"""Turns; every change of a turn's state is one conditional update, named for what happens."""

import datetime
import logging
import math
import uuid
from contextlib import nullcontext
from typing import Self

from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.models.conversations import Conversation, Surface
from webchat.models.prepared import Addition, Change, Given, LookUp
from webchat.upstream import failure_rules
from webchat.upstream.failure_rules import LOST

logger = logging.getLogger(__name__)

# What an asked turn may take beyond the upstream's total deadline (storing, a busy machine) before it counts as lost.
GRACE = 10  # seconds
DISAPPOINTED_AFTER = 2  # thumbs down in one conversation
LONG_WAIT = 60 * 60  # seconds: nobody sits through a countdown from here on


def _answerable() -> tuple[datetime.datetime, datetime.datetime]:
    """What was asked outside of these moments can't be answered any more. Later than now: the clock was put back."""
    long = datetime.timedelta(seconds=settings.CHAT_TIMEOUT + GRACE)
    return timezone.now() - long, timezone.now() + long


class Feedback(models.IntegerChoices):
    """What a visitor thinks of a reply."""

    UP = 1, _("helpful")
    DOWN = -1, _("not helpful")


class TurnQuerySet(models.QuerySet):
    def of(self, visitor: str | None, slug: str, surface: str) -> Self:
        """Where every look-up of a turn starts: the present conversation, or in the portal all of a person's."""
        if visitor is None:
            return self.none()
        reach = {"bot__in_portal": True} if surface == Surface.PORTAL else {"surface": surface, "is_present": True}
        reach |= {"visitor": visitor, "bot__slug": slug, "ended_at": None}
        within = {f"conversation__{name}": value for name, value in reach.items()}
        return self.filter(**within).select_related("conversation__bot")

    def own(self, visitor: str | None, slug: str, surface: str, key: uuid.UUID) -> "Turn | None":
        """The one of this key among them."""
        look_up = _OWN_IN_PORTAL if surface == Surface.PORTAL else _OWN
        return look_up.first(visitor=visitor, slug=slug, surface=surface, key=key) if visitor else None

    def begin(self, conversation: Conversation, key: uuid.UUID, message: str) -> "Turn":
        """Raises IntegrityError when there is one of this key."""
        turn = Turn(conversation=conversation, key=key, message=message)
        _NEW.store(turn)
        return turn

    def disappointed(self) -> bool:
        """So often that a person is offered."""
        return self.filter(feedback=Feedback.DOWN).count() >= DISAPPOINTED_AFTER

    def give_up_on_lost(self) -> int:
        """Turns whose worker must have died: asked longer ago than an answer can take."""
        asked = Turn.objects.filter(
            ~Q(asked_at__range=_answerable()), pk__in=self.values("pk"), state=Turn.State.ASKING
        )
        lost = asked.update(state=Turn.State.FAILED, code=LOST, ended_at=timezone.now(), failures=F("failures") + 1)
        if lost:
            logger.log(failure_rules.rule(LOST).level, "failed turns=%d code=%s", lost, LOST, extra={"code": LOST})
        return lost


# In SQL, because Django would take a sixth of a turn's processor time to put it together anew each time.
_CLAIM = """
    UPDATE webchat_turn SET state = 'asking', asked_at = %s, attempt = attempt + 1, code = ''
    WHERE id = %s AND state = 'pending' AND attempt = %s
    AND EXISTS (
        SELECT 1 FROM webchat_conversation AS own
        WHERE own.id = webchat_turn.conversation_id AND own.ended_at IS NULL
    )
    AND NOT EXISTS (
        SELECT 1 FROM webchat_turn AS other
        WHERE other.conversation_id = webchat_turn.conversation_id
        AND (other.state = 'asking' OR (other.state = 'pending' AND other.id < webchat_turn.id))
    )
    RETURNING (SELECT own.chat_id FROM webchat_conversation AS own WHERE own.id = webchat_turn.conversation_id)
"""


class Turn(models.Model):
    """One message and what became of it.

    `key` comes with the form and is unique: the same form sent twice is the same turn. In addresses it names the turn.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("waiting to be asked")
        ASKING = "asking", _("being asked")
        ANSWERED = "answered", _("answered")
        FAILED = "failed", _("failed")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    message = models.TextField(_("message"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PENDING)
    code = models.CharField(_("code"), max_length=64, blank=True)
    reply = models.TextField(_("reply"), blank=True)
    started_over = models.BooleanField(
        default=False, help_text=_("The upstream had ended the conversation; this turn began a new one.")
    )
    created_at = models.DateTimeField(_("sent"), default=timezone.now)
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    not_before = models.DateTimeField(
        null=True, blank=True, help_text=_("When the upstream lets itself be asked again.")
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    feedback = models.SmallIntegerField(_("feedback"), null=True, blank=True, choices=Feedback)
    feedback_reason = models.CharField(_("reason"), max_length=500, blank=True)
    feedback_at = models.DateTimeField(_("feedback given"), null=True, blank=True)

    objects = TurnQuerySet.as_manager()

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
            models.Index(fields=["ended_at"], name="turns_by_end"),  # how many have failed lately
            # The owner's desk: what has changed since it counted, and what failed, or was liked, when.
            models.Index(fields=["created_at"], name="turns_by_start"),
            models.Index(fields=["state", "code", "created_at"], name="turns_by_outcome"),
            models.Index(fields=["feedback_at"], condition=Q(feedback_at__isnull=False), name="turns_by_feedback"),
        ]

    def __str__(self) -> str:
        return f"{self.key}"

    @property
    def is_waiting(self) -> bool:
        return self.state in (self.State.PENDING, self.State.ASKING)

    @property
    def is_overdue(self) -> bool:
        """Being asked for longer than an answer can take."""
        oldest, newest = _answerable()
        return self.state == self.State.ASKING and not oldest <= self.asked_at <= newest

    @property
    def seconds_to_wait(self) -> int:
        """Until the turn may be asked again."""
        if self.not_before is None:
            return 0
        return max(0, math.ceil((self.not_before - timezone.now()).total_seconds()))

    @property
    def rule(self) -> failure_rules.Rule:
        return failure_rules.rule(self.code)

    @property
    def waits_long(self) -> bool:
        """So long that the page names the time of day instead of counting the seconds down."""
        return self.seconds_to_wait >= LONG_WAIT

    @property
    def controls(self) -> list[str]:
        return self.rule.controls(self.failures)

    @property
    def code_to_show(self) -> str:
        return failure_rules.presentable(self.code)

    def key_before(self) -> uuid.UUID | None:
        """The key of the turn before this one in the conversation, if there is one."""
        if self.conversation.has_begun:
            return None
        before = _BEFORE.first(conversation=self.conversation_id, turn=self.pk)
        return before.key if before else None

    def is_still_asked(self) -> bool:
        """As the database says now: neither ended nor overdue."""
        oldest, newest = _answerable()
        return _STILL_ASKED.first(turn=self.pk, oldest=oldest, newest=newest) is not None

    def claim(self) -> bool:
        """pending → asking, for one caller only, while no other turn of the conversation is asked, in their order.

        Brings along the chat_id that the turn before may have brought since this one was looked up. On PostgreSQL two
        claims may both see no other turn being asked; the constraint then refuses the second. And a second claim of
        this turn looks at its row again after the first, but not into joined tables: no join here.
        """
        now = timezone.now()
        try:
            with connection.cursor() as cursor:
                cursor.execute(_CLAIM, [connection.ops.adapt_datetimefield_value(now), self.pk, self.attempt])
                claimed = cursor.fetchone()
        except IntegrityError:
            return False
        if claimed:
            self.state, self.asked_at, self.attempt, self.code = self.State.ASKING, now, self.attempt + 1, ""
            self.conversation.chat_id = claimed[0]
        return claimed is not None

    def store_reply(self, text: str, chat_id: str, *, started_over: bool) -> None:
        """asking → answered, with the conversation's new chat_id in the same transaction."""
        changes = {
            "state": self.State.ANSWERED,
            "reply": text,
            "code": "",
            "started_over": started_over,
            "ended_at": timezone.now(),
        }
        # One statement alone is whole without a transaction.
        with nullcontext() if chat_id == self.conversation.chat_id else transaction.atomic():
            counts = _REPLY.make(turn=self.pk, of_attempt=self.attempt, **changes)
            if counts:
                self._remember_chat_id(chat_id)
        self._take_over(changes, counts)

    def store_failure(self, code: str, *, not_before: datetime.datetime | None, forget_chat_id: bool = False) -> None:
        """asking → failed, with the code that the playbook knows."""
        changes = {
            "state": self.State.FAILED,
            "code": code,
            "failures": self.failures + 1,
            "not_before": not_before,
            "ended_at": timezone.now(),
        }
        with transaction.atomic():
            counts = _outcome_of(self.pk, self.attempt).update(**changes)
            if counts and forget_chat_id:
                self._remember_chat_id("")
        self._take_over(changes, counts)

    def ask_again(self) -> bool:
        """failed → pending, at a person's wish; of two wishes at once one counts."""
        changes = {"state": self.State.PENDING, "code": "", "not_before": None, "ended_at": None}
        again = Turn.objects.filter(pk=self.pk, state=self.State.FAILED, attempt=self.attempt).update(**changes)
        self._take_over(changes, again)
        return bool(again)

    def wait_until(self, moment: datetime.datetime) -> None:
        """A failed turn may not be asked again before then."""
        changes = {"not_before": moment}
        failed = Turn.objects.filter(pk=self.pk, state=self.State.FAILED, attempt=self.attempt).update(**changes)
        self._take_over(changes, failed)

    def rate(self, feedback: int | None, reason: str = "") -> None:
        """What the visitor thinks of the reply now: a changed mind takes the place of what was thought before."""
        changes = {"feedback": feedback, "feedback_reason": reason, "feedback_at": timezone.now() if feedback else None}
        rated = Turn.objects.filter(pk=self.pk, state=self.State.ANSWERED).update(**changes)
        self._take_over(changes, rated)

    def _remember_chat_id(self, chat_id: str) -> None:
        """Not over one that a later turn has brought, when this outcome comes late."""
        asked_with = self.conversation.chat_id
        if chat_id != asked_with:
            present = Conversation.objects.filter(pk=self.conversation_id, ended_at=None, chat_id=asked_with)
            present.update(chat_id=chat_id)
            self.conversation.chat_id = chat_id

    def _take_over(self, changes: dict[str, object], counts: int) -> None:
        """What was stored; or, when somebody else was first, what is stored."""
        if not counts:
            self.refresh_from_db(from_queryset=Turn.objects.select_related("conversation__bot"))
            return
        for name, value in changes.items():
            setattr(self, name, value)


def _outcome_of(turn: int | Given, attempt: int | Given) -> models.QuerySet:
    """The row, if its present outcome is still this attempt's: late is better than lost, but never twice."""
    mine = Q(state=Turn.State.ASKING) | Q(state=Turn.State.FAILED, code=LOST)
    return Turn.objects.filter(mine, pk=turn, attempt=attempt)


_NEW = Addition(Turn)


_REPLY = Change(
    lambda: _outcome_of(Given("turn", models.BigIntegerField()), Given("of_attempt", models.IntegerField())),
    *("state", "reply", "code", "started_over", "ended_at"),
)


_STILL_ASKED: LookUp[Turn] = LookUp(
    lambda: (
        Turn.objects.filter(
            pk=Given("turn", models.BigIntegerField()),
            state=Turn.State.ASKING,
            asked_at__gte=Given("oldest", models.DateTimeField()),
            asked_at__lte=Given("newest", models.DateTimeField()),
        )
        .order_by()
        .only("pk")
    )
)


def _own(surface: str | Given) -> models.QuerySet:
    turns = Turn.objects.of(Given("visitor", models.CharField()), Given("slug", models.CharField()), surface)
    return turns.filter(key=Given("key", models.UUIDField())).order_by()


_OWN: LookUp[Turn] = LookUp(lambda: _own(Given("surface", models.CharField())))
_OWN_IN_PORTAL: LookUp[Turn] = LookUp(lambda: _own(Surface.PORTAL))
_BEFORE: LookUp[Turn] = LookUp(
    lambda: (
        Turn.objects.filter(
            conversation=Given("conversation", models.BigIntegerField()), pk__lt=Given("turn", models.BigIntegerField())
        )
        .order_by("-pk")
        .only("key")
    )
)

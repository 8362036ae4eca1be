"""Conversations and turns; every change of a turn's state is one conditional update, named for what happens."""

import datetime
import logging
import math
import uuid
from typing import Self

from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat import playbook
from webchat.models.bots import Bot
from webchat.models.people import Person
from webchat.models.prepared import Given, LookUp
from webchat.playbook import LOST

logger = logging.getLogger(__name__)

# What an asked turn may take beyond the upstream's total deadline (storing, a busy machine) before it counts as lost.
GRACE = 10  # seconds
TITLE_LENGTH = 80  # characters
LONGEST_MADE_TITLE = 60  # characters
DISAPPOINTED_AFTER = 2  # thumbs down in one conversation
LONG_WAIT = 60 * 60  # seconds: nobody sits through a countdown from here on


def _answerable() -> tuple[datetime.datetime, datetime.datetime]:
    """What was asked outside of these moments can't be answered any more. Later than now: the clock was put back."""
    long = datetime.timedelta(seconds=settings.CHAT_TIMEOUT + GRACE)
    return timezone.now() - long, timezone.now() + long


def title_made_of(message: str) -> str:
    """Its first words, on one line."""
    words = " ".join(message.split())
    if len(words) <= LONGEST_MADE_TITLE:
        return words
    cut = words[:LONGEST_MADE_TITLE].rpartition(" ")[0] or words[:LONGEST_MADE_TITLE]
    return f"{cut} …"


class Surface(models.TextChoices):
    CHAT = "chat", _("full page")
    EMBED = "embed", _("widget")
    KIOSK = "kiosk", _("kiosk")
    PORTAL = "portal", _("portal")


class ConversationQuerySet(models.QuerySet):
    def open_for(self, visitor: str | None, slug: str, surface: str) -> Self:
        """The visitor's present conversation with one bot: at most one. Without a visitor, none."""
        if visitor is None:
            return self.none()
        present = self.filter(visitor=visitor, bot__slug=slug, surface=surface, ended_at=None, is_present=True)
        return present.select_related("bot")

    def open_or_begin(self, visitor: str, bot: Bot, surface: str) -> "Conversation":
        """Two first messages at once begin one conversation: the constraint decides, the loser takes the winner's."""
        conversation = _PRESENT.first(visitor=visitor, bot=bot.pk, surface=surface)
        if conversation:
            conversation.bot = bot
            return conversation
        conversation, begun = self.get_or_create(
            visitor=visitor,
            bot=bot,
            surface=surface,
            ended_at=None,
            is_present=True,
            defaults={"person": lambda: Person.objects.filter(visitor=visitor).first()},
        )
        conversation.bot, conversation.has_begun = bot, begun
        return conversation

    def agreed(self, visitor: str | None, bot: Bot) -> Self:
        """Those in which the visitor has agreed to the bot's present text."""
        return self.filter(visitor=visitor, bot=bot, consented_to=bot.consent) if visitor else self.none()

    def of_person(self, visitor: str | None) -> Self:
        """All that a person can go on with in the portal, wherever it began: the bots that the owner opened there."""
        if visitor is None:
            return self.none()
        return self.filter(visitor=visitor, ended_at=None, bot__in_portal=True).select_related("bot")

    def named_or_begin(self, visitor: str, bot: Bot, public_id: uuid.UUID | None) -> "Conversation":
        """In the portal each conversation is named by its address, and any number goes on beside the others.

        Raises Conversation.DoesNotExist.
        """
        if public_id is not None:
            return self.of_person(visitor).get(public_id=public_id, bot=bot)
        person = Person.objects.filter(visitor=visitor).first()
        begun = self.create(visitor=visitor, bot=bot, person=person, surface=Surface.PORTAL, is_present=False)
        begun.has_begun = True
        return begun

    def end_all_of(self, visitors: list[str]) -> None:
        """Whatever these visitors have open, with any bot; see Conversation.end."""
        self.filter(visitor__in=visitors, ended_at=None).update(ended_at=timezone.now(), chat_id="")


class Conversation(models.Model):
    """One visitor's exchange with one bot. The chat_id is the upstream's key for it: no browser ever sees it."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="conversations")
    surface = models.CharField(_("surface"), max_length=10, choices=Surface, default=Surface.CHAT)
    visitor = models.CharField(_("visitor"), max_length=64, help_text=_("A hash: of the session's key, or a person's."))
    person = models.ForeignKey(
        Person,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="conversations",
        help_text=_("Who it is, when the visitor has signed in."),
    )
    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False, help_text=_("Names it in addresses."))
    title = models.CharField(
        _("title"), max_length=TITLE_LENGTH, blank=True, help_text=_("The person's own. Blank: the first message.")
    )
    chat_id = models.CharField(max_length=1024, blank=True, editable=False)
    is_present = models.BooleanField(
        default=True,
        editable=False,
        help_text=_("The one that its surface shows by itself; others are opened by name."),
    )
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    last_at = models.DateTimeField(
        _("last message"), default=timezone.now, help_text=_("Kept up to date in people's conversations.")
    )
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    consented_at = models.DateTimeField(_("agreed"), null=True, blank=True)
    consented_to = models.TextField(_("agreed to"), blank=True, help_text=_("The bot's consent text at that time."))

    objects = ConversationQuerySet.as_manager()

    has_begun = False  # just now, with the message that is being taken

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            models.UniqueConstraint(
                fields=["visitor", "bot", "surface"],
                condition=Q(ended_at=None, is_present=True),
                name="one_open_conversation",
            )
        ]
        indexes = [
            models.Index(fields=["visitor", "-last_at", "-public_id"], name="newest_of_a_visitor"),
            # The owner's desk: how many a day, and the latest of all or of one bot.
            models.Index(fields=["started_at"], name="by_start"),
            models.Index(fields=["bot", "started_at"], name="of_a_bot_by_start"),
        ]
        permissions = [("export_conversation", "Can export conversations")]

    def __str__(self) -> str:
        return f"{self.bot} · {self.started_at:%Y-%m-%d %H:%M}"

    def end(self) -> None:
        """Forgets the chat_id; what was waiting to be asked never will be."""
        Conversation.objects.filter(pk=self.pk, ended_at=None).update(ended_at=timezone.now(), chat_id="")

    def make_way(self) -> None:
        """The surface shows it no longer. A stranger can't come back to it; a person can, so it keeps its chat_id."""
        if self.person_id is None:
            self.end()
        else:
            Conversation.objects.filter(pk=self.pk).update(is_present=False)

    def agree(self, consent: str) -> None:
        """The visitor has agreed to the bot's text, now or in an earlier conversation."""
        if consent and self.consented_to != consent:
            self.consented_to, self.consented_at = consent, timezone.now()
            self.save(update_fields=["consented_to", "consented_at"])

    def touch(self) -> None:
        """A message is sent in it just now. Only a person sees a list in which that counts."""
        if self.person_id is not None:
            Conversation.objects.filter(pk=self.pk).update(last_at=timezone.now())

    def hand_over(self, person: Person) -> bool:
        """An anonymous conversation becomes a person's: theirs to open by name, nobody's by the browser alone."""
        anonymous = Conversation.objects.filter(pk=self.pk, visitor=self.visitor, person=None, ended_at=None)
        last = self.turns.aggregate(at=Max("created_at"))["at"] or self.started_at
        return bool(anonymous.update(visitor=person.visitor, person=person, is_present=False, last_at=last))

    def hand_over_as_present(self, person: Person) -> None:
        """As `hand_over`, and its surface goes on with it; what the person had there makes way."""
        with transaction.atomic():
            theirs = Conversation.objects.filter(visitor=person.visitor, bot=self.bot_id, surface=self.surface)
            theirs.update(is_present=False)
            if self.hand_over(person):
                Conversation.objects.filter(pk=self.pk).update(is_present=True)

    def move(self, visitor: str, surface: str) -> bool:
        """To another visitor and surface, whole: with its chat_id and its turns, also one that is being asked.

        What that visitor saw there with the bot makes way. False when it has ended, or has been moved before.
        """
        here = Conversation.objects.filter(pk=self.pk, visitor=self.visitor, surface=self.surface, ended_at=None)
        person = Person.objects.filter(visitor=visitor).first()
        with transaction.atomic():
            for other in Conversation.objects.open_for(visitor, self.bot.slug, surface):
                other.make_way()
            moved = here.update(visitor=visitor, surface=surface, person=person)
            if not moved:
                transaction.set_rollback(True)
        return bool(moved)


_PRESENT: LookUp[Conversation] = LookUp(
    lambda: Conversation.objects.filter(
        visitor=Given("visitor", models.CharField()),
        bot=Given("bot", models.BigIntegerField()),
        surface=Given("surface", models.CharField()),
        ended_at=None,
        is_present=True,
    )
)


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
            logger.log(playbook.rule(LOST).level, "failed turns=%d code=%s", lost, LOST, extra={"code": LOST})
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
    def rule(self) -> playbook.Rule:
        return playbook.rule(self.code)

    @property
    def is_counted_down(self) -> bool:
        return 0 < self.seconds_to_wait < LONG_WAIT

    @property
    def controls(self) -> list[str]:
        """Asking again is offered when somebody who waits for it can have it."""
        controls = self.rule.controls(self.failures)
        return controls if self.seconds_to_wait < LONG_WAIT else [each for each in controls if each != self.rule.again]

    @property
    def code_to_show(self) -> str:
        return playbook.presentable(self.code)

    def key_before(self) -> uuid.UUID | None:
        """The key of the turn before this one in the conversation, if there is one."""
        before = _BEFORE.first(conversation=self.conversation_id, turn=self.pk)
        return before.key if before else None

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

    def _outcome_of_attempt(self) -> models.QuerySet:
        """The row, if its present outcome is still this attempt's: late is better than lost, but never twice."""
        return Turn.objects.filter(
            Q(state=self.State.ASKING) | Q(state=self.State.FAILED, code=LOST), pk=self.pk, attempt=self.attempt
        )

    def store_reply(self, text: str, chat_id: str, *, started_over: bool) -> None:
        """asking → answered, with the conversation's new chat_id in the same transaction."""
        changes = {
            "state": self.State.ANSWERED,
            "reply": text,
            "code": "",
            "started_over": started_over,
            "ended_at": timezone.now(),
        }
        with transaction.atomic():
            counts = self._outcome_of_attempt().update(**changes)
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
            counts = self._outcome_of_attempt().update(**changes)
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

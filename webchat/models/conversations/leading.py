"""Who leads a conversation: the bot, the queue, or one team member. Every change is one conditional update.

Each change locks the conversation's row first, and so does whatever stores a message (see `Conversation.lock`). So a
message is either stored before somebody claims, and is claimed with it, or it finds that the bot doesn't lead.
"""

import datetime
import uuid

from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from webchat.models.team import TeamMember
from webchat.upstream.failure_rules import LOST

TYPING_FOR = datetime.timedelta(seconds=6)  # after a key was pressed


class Leader(models.TextChoices):
    BOT = "bot", _("the bot")
    QUEUE = "queue", _("the queue")
    PERSON = "person", _("a person")


class NotLeading(Exception):
    """Somebody else leads the conversation, or it has ended."""


class LedConversation(models.Model):
    """The part of a conversation that says who leads it."""

    led_by = models.CharField(_("led by"), max_length=6, choices=Leader, default=Leader.BOT, editable=False)
    led_since = models.DateTimeField(null=True, blank=True, editable=False)
    team_member = models.ForeignKey(
        TeamMember, on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="conversations"
    )
    changes = models.PositiveIntegerField(default=0, editable=False)  # counts what open pages have to be told about
    resolved_at = models.DateTimeField(pgettext_lazy("a conversation", "closed"), null=True, blank=True, editable=False)
    # Where a person’s reply goes when the visitor has left.
    reply_email = models.EmailField(_("e-mail address"), blank=True)
    # Of the page on which it began.
    language = models.CharField(_("language"), max_length=10, blank=True, editable=False)
    visitor_seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    visitor_typing_at = models.DateTimeField(null=True, blank=True, editable=False)
    team_typing_at = models.DateTimeField(null=True, blank=True, editable=False)
    visitor_read_to = models.PositiveBigIntegerField(default=0, editable=False)  # the last entry that was shown
    team_read_to = models.PositiveBigIntegerField(default=0, editable=False)  # the last turn that was shown

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(led_by="person", team_member__isnull=False) | (~Q(led_by="person") & Q(team_member=None)),
                name="a_person_leads_alone",
            )
        ]

    @property
    def is_led_by_bot(self) -> bool:
        return self.led_by == Leader.BOT

    @property
    def waits_since(self) -> datetime.datetime | None:
        """Since when the visitor has been waiting for a person, in the queue or for an answer; None if they aren't."""
        if self.led_by != Leader.PERSON:
            return self.led_since if self.led_by == Leader.QUEUE else None
        last = self.entries.filter(kind__in=("joined", "handed_over", "message")).order_by("pk").last()
        if last is None or last.kind != "message":
            return self.led_since
        return self.turns.filter(pk__gt=last.after_turn).order_by("pk").values_list("created_at", flat=True).first()

    @property
    def is_team_typing(self) -> bool:
        return self.team_typing_at is not None and timezone.now() - self.team_typing_at < TYPING_FOR

    @property
    def is_visitor_typing(self) -> bool:
        return self.visitor_typing_at is not None and timezone.now() - self.visitor_typing_at < TYPING_FOR

    @property
    def is_read_by_team(self) -> bool:
        """Whether a team member has seen the visitor's last message."""
        last = self.turns.order_by("pk").values_list("pk", flat=True).last()
        return last is not None and last <= self.team_read_to

    # --- the visitor ---

    def join_queue(self) -> bool:
        """bot → queue. Turns not yet asked wait for a person; a reply to a turn being asked may still arrive."""
        return self._lead(Q(led_by=Leader.BOT), Leader.QUEUE, "queued", takes=Q(state="pending"), resolved_at=None)

    def leave_queue(self) -> bool:
        """queue → bot, on the visitor's request. Messages sent meanwhile were for a person: the bot isn't asked."""
        return self._lead(Q(led_by=Leader.QUEUE), Leader.BOT, "left")

    def leave(self) -> None:
        """End the wait or the lead of a visitor who is gone for good, as at the end of a kiosk's visit.

        Call it within a transaction that holds the row and has read it.
        """
        if not self.is_led_by_bot:
            self._lead(~Q(led_by=Leader.BOT), Leader.BOT, "left")

    def lock_for_person(self) -> bool:
        """Hold the row for what the visitor sends, if a person leads, whose inbox then shows it; else return False."""
        led = type(self).objects.filter(pk=self.pk, led_by=Leader.PERSON, ended_at=None)
        locked = led.update(changes=F("changes") + 1, visitor_typing_at=None)
        self.led_by = Leader.PERSON if locked else self.led_by
        return bool(locked)

    def record_visit(self, *, has_read: bool) -> None:
        """Record that the visitor is present and, if `has_read`, has read the team's messages."""
        now = timezone.now()
        last = self.entries.for_visitors().order_by("pk").values_list("pk", flat=True).last() if has_read else None
        if last and last > self.visitor_read_to:
            self.notify_pages(visitor_seen_at=now, visitor_read_to=last)
            self.changes += 1  # not read from the database: the page isn't told yet of other changes
        else:
            type(self).objects.filter(pk=self.pk).update(visitor_seen_at=now)

    # --- the team ---

    def claim(self, member: TeamMember) -> bool:
        """queue or bot → this person. If two claim at once, one succeeds; see `team_member`.

        A reply that the bot is still writing comes too late, even if the turn already counts as lost: now the person
        answers its message.
        """
        free = ~Q(led_by=Leader.PERSON)
        unanswered = Q(state__in=["pending", "asking"]) | Q(state="failed", code=LOST)
        return self._lead(free, Leader.PERSON, "joined", member, member, takes=unanswered, resolved_at=None)

    def hand_back(self, member: TeamMember) -> bool:
        """person → bot, which continues with the same chat_id."""
        return self._lead(Q(team_member=member), Leader.BOT, "handed_back", by=member)

    def hand_over_to(self, member: TeamMember, colleague: TeamMember) -> bool:
        """person → another person, for whom all messages count as unread."""
        return self._lead(Q(team_member=member), Leader.PERSON, "handed_over", colleague, colleague, team_read_to=0)

    def take_over(self, member: TeamMember, holder: TeamMember) -> bool:
        """Take the conversation over from a colleague who is away, unless it has changed hands meanwhile."""
        return self._lead(Q(team_member=holder), Leader.PERSON, "joined", member, member)

    def close(self, member: TeamMember) -> bool:
        """person → bot: nothing is left to be done."""
        return self._lead(Q(team_member=member), Leader.BOT, "closed", by=member, resolved_at=Now())

    def release(self, member: TeamMember) -> bool:
        """person → queue, because this person is away or may no longer answer. The visitor keeps their waiting time.

        Does nothing if either of them has written since this object was read.
        """
        unchanged = Q(team_member=member, changes=self.changes)
        return self._lead(unchanged, Leader.QUEUE, "queued", by=member, led_since=self.waits_since or Now())

    def write_message(self, member: TeamMember, key: uuid.UUID, text: str) -> models.Model:
        """Store what the leading team member writes; the same key twice is the same message. Raises NotLeading."""
        return self._write(Q(led_by=Leader.PERSON, team_member=member), "message", member, key, text)

    def write_note(self, member: TeamMember, key: uuid.UUID, text: str) -> models.Model:
        """Store a note that no visitor sees, whoever leads. Raises NotLeading when the conversation has ended."""
        return self._write(Q(), "note", member, key, text)

    # --- both ---

    def notify_pages(self, **changes: object) -> None:
        """Store the changes and let open pages show them, such as who is typing."""
        type(self).objects.filter(pk=self.pk).update(changes=F("changes") + 1, **changes)

    def _lead(
        self,
        allowed: Q,
        led_by: str,
        kind: str,
        member: TeamMember | None = None,
        by: TeamMember | None = None,
        takes: Q | None = None,
        **more: object,
    ) -> bool:
        """Change who leads. `by`: whose name visitors read; `takes`: the turns that become a person's."""
        row = type(self).objects.filter(allowed, pk=self.pk, ended_at=None)
        with transaction.atomic():
            changes = {"led_by": led_by, "team_member": member, "led_since": Now(), "changes": F("changes") + 1} | more
            changed = row.update(team_typing_at=None, **changes)
            if changed:
                if takes:
                    self.turns.filter(takes).update(state="person", code="", ended_at=None)
                self.entries.add_entry(self, kind, by)
        if changed:
            self.refresh_from_db(fields=[*changes])
        return bool(changed)

    def _write(self, allowed: Q, kind: str, member: TeamMember, key: uuid.UUID, text: str) -> models.Model:
        with transaction.atomic():
            row = type(self).objects.filter(allowed, pk=self.pk, ended_at=None)
            locked = row.update(changes=F("changes") + 1, team_typing_at=None)
            known = self.entries.filter(key=key).first()
            if known is not None:
                return known
            if not locked:
                raise NotLeading
            return self.entries.add_entry(self, kind, member, key=key, text=text)

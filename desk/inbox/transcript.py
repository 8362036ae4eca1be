"""The open conversation as the team sees it: all turns and entries in order, and the facts beside them."""

from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from desk.inbox.rights import colleagues_for, conversations_of
from webchat import transcripts
from webchat.models import Conversation, Entry, Leader, TeamMember, Turn
from webchat.models.conversations.turns import prefetch_files
from webchat.rendering import follow_ups, sources

MOST_TURNS = 300
MOST_EARLIER = 5
MOST_SOURCES = 5


def mark_as_read(conversation: Conversation, member: TeamMember) -> None:
    """Record that the team member who leads has seen the conversation: the visitor's page says "Seen"."""
    if conversation.team_member_id != member.pk:
        return
    last = conversation.turns.order_by("-pk").values_list("pk", flat=True).first() or 0
    if last > conversation.team_read_to:
        conversation.notify_pages(team_read_to=last)
        conversation.refresh_from_db(fields=["team_read_to", "changes"])


@dataclass(frozen=True)
class View:
    """What one team member may do in the open conversation, and what is shown beside it."""

    conversation: Conversation
    member: TeamMember

    @property
    def items(self) -> list[tuple[str, Turn | Entry]]:
        """Return the latest turns and entries, notes included, each with its kind."""
        turns = list(self.conversation.turns.order_by("-pk")[:MOST_TURNS])[::-1]
        first = turns[0].pk if turns else 0
        prefetch_files(turns)
        entries = self.conversation.entries.select_related("attachment").filter(
            after_turn__gte=first if len(turns) == MOST_TURNS else 0
        )
        return transcripts.in_order(turns, entries)

    @property
    def is_mine(self) -> bool:
        return self.conversation.team_member_id == self.member.pk and self.conversation.ended_at is None

    @property
    def is_open(self) -> bool:
        return self.conversation.ended_at is None

    @property
    def may_claim(self) -> bool:
        return self.is_open and self.conversation.led_by != Leader.PERSON

    @property
    def may_take_over(self) -> bool:
        """Return whether to offer it: only from a colleague who is away."""
        holder = self.conversation.team_member
        if not self.is_open or holder is None or self.is_mine:
            return False
        return not TeamMember.objects.online(self.conversation.bot).filter(pk=holder.pk).exists()

    @property
    def colleagues(self) -> list[TeamMember]:
        return colleagues_for(self.member, self.conversation.bot) if self.is_mine else []

    @property
    def next_waiting(self) -> Conversation | None:
        """Return the other conversation that has waited longest for the member."""
        waiting = conversations_of(self.member).filter(led_by=Leader.QUEUE).exclude(pk=self.conversation.pk)
        return waiting.order_by("led_since").first()

    @property
    def is_visitor_there(self) -> bool:
        seen = self.conversation.visitor_seen_at
        return self.is_open and seen is not None and (timezone.now() - seen).total_seconds() < 60

    @property
    def is_seen(self) -> bool:
        """Return whether the visitor has seen the team's last message."""
        sent = self.conversation.entries.filter(kind=Entry.Kind.MESSAGE).order_by("-pk")
        last = sent.values_list("pk", flat=True).first()
        return last is not None and last <= self.conversation.visitor_read_to

    @property
    def earlier(self) -> list[Conversation]:
        """Return the same visitor's other conversations that the member may read."""
        same = Q(visitor=self.conversation.visitor)
        if self.conversation.customer_id:
            same |= Q(customer=self.conversation.customer_id)
        others = conversations_of(self.member).filter(same).exclude(pk=self.conversation.pk)
        return list(others.select_related("bot").order_by("-pk")[:MOST_EARLIER])

    @property
    def sources(self) -> list[sources.Source]:
        """Return the sources of the bot's replies here, the latest first, each section once."""
        replies = self.conversation.turns.exclude(reply="").order_by("-pk").values_list("reply", flat=True)
        named = [source for reply in replies[:MOST_SOURCES] for source in follow_ups.split(reply).sources]
        return list({source.name: source for source in named}.values())[:MOST_SOURCES]

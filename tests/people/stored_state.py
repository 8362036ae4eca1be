"""The stored state of one conversation."""

import uuid
from dataclasses import dataclass, field

from django.db import connection

from webchat.models import TeamMember

CONVERSATION = "SELECT led_by, team_member_id, chat_id, changes, ended_at FROM webchat_conversation WHERE id = %s"
TURNS = """
    SELECT id, key, message, state, code, reply, late_reply, attempt FROM webchat_turn
    WHERE conversation_id = %s ORDER BY id
"""
ENTRIES = """
    SELECT id, key, kind, text, name, team_member_id, after_turn FROM webchat_entry
    WHERE conversation_id = %s ORDER BY id
"""


@dataclass(frozen=True)
class TurnRow:
    pk: int
    key: object  # as the database returns it
    message: str
    state: str
    code: str
    reply: str
    late_reply: str
    attempt: int

    @property
    def form(self) -> uuid.UUID:
        return uuid.UUID(str(self.key))


@dataclass(frozen=True)
class EntryRow:
    pk: int
    key: object
    kind: str
    text: str
    name: str
    team_member_id: int | None
    after_turn: int

    @property
    def form(self) -> uuid.UUID:
        return uuid.UUID(str(self.key))


@dataclass
class StoredState:
    led_by: str = "bot"
    team_member_id: int | None = None
    chat_id: str = ""
    changes: int = 0
    ended_at: object = None
    turns: dict[int, TurnRow] = field(default_factory=dict)
    entries: dict[int, EntryRow] = field(default_factory=dict)

    @classmethod
    def read(cls, pk: int) -> "StoredState":
        with connection.cursor() as cursor:  # raw SQL, because the ORM took half of each step's time
            [facts] = cursor.execute(CONVERSATION, [pk]).fetchall()
            turns = [TurnRow(*row) for row in cursor.execute(TURNS, [pk]).fetchall()]
            entries = [EntryRow(*row) for row in cursor.execute(ENTRIES, [pk]).fetchall()]
        return cls(*facts, {turn.pk: turn for turn in turns}, {entry.pk: entry for entry in entries})

    def leader(self, me: TeamMember | None) -> str:
        return "me" if me and self.team_member_id == me.pk else self.led_by

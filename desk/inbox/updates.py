"""Tells an open inbox what is new; its token says what it already shows, and gives access to nothing.

A token holds ids and counts, never content. Whether anything is new takes one statement, without account or session.
"""

from typing import NamedTuple

from django.core import signing
from django.db import connection

FRESH_FOR = 30  # seconds; then the inbox gets a new token, and its team member counts as present
_SALT = "desk inbox updates"

# The last entry changes with each change of who leads; between two of them, the sum of changes only grows.
# The sum of ids changes with who is available; if two changes ever cancel out, the next token shows them.
_STATEMENT = """
SELECT COUNT(*), COALESCE(SUM(changes), 0), (SELECT MAX(id) FROM webchat_entry),
    (SELECT SUM(id) FROM webchat_teammember WHERE is_available),
    (SELECT changes FROM webchat_conversation WHERE id = %s),
    (SELECT MAX(id) FROM webchat_entry WHERE conversation_id = %s),
    (SELECT MAX(id) FROM webchat_turn WHERE conversation_id = %s),
    (SELECT MAX(ended_at) FROM webchat_turn WHERE conversation_id = %s),
    (SELECT COUNT(*) FROM webchat_turn WHERE conversation_id = %s AND late_reply <> '')
FROM webchat_conversation WHERE NOT (led_by = 'bot')
"""


class Shown(NamedTuple):
    """What an inbox shows: the state of its list, and of the open conversation (0: none is open)."""

    conversation: int
    led: list[int]
    changes: int
    content: list[object]

    @property
    def token(self) -> str:
        return signing.dumps(self, salt=_SALT)


def current(conversation: int = 0) -> Shown:
    """Return what an inbox loaded now would show. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, [conversation] * 5)
        count, total, last, available, changes, *content = cursor.fetchone()
    led = [count, int(total), last or 0, int(available or 0)]
    outcome = str(content[2] or "")
    return Shown(conversation, led, changes or 0, [*content[:2], outcome, content[3]])


def read(token: str) -> Shown | None:
    """Return what the inbox with this token shows; None if the token isn't ours."""
    try:
        return Shown(*signing.loads(token, salt=_SALT))
    except signing.BadSignature:
        return None


def is_up_to_date(token: str) -> bool:
    """Return whether nothing is new for the inbox with this token, and the token is fresh. One statement."""
    try:
        shown = Shown(*signing.loads(token, salt=_SALT, max_age=FRESH_FOR))
    except signing.BadSignature:
        return False
    return current(shown.conversation) == shown

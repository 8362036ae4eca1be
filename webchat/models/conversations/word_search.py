"""Finds the conversations in which one message, with its reply, holds all of some words.

The database keeps the index itself (migration 0015): SQLite with triggers, PostgreSQL as an index on an expression.
"""

import re

from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL

from webchat.models.conversations.turns import Turn

MOST_TURNS = 20_000  # on SQLite: if a word is in more, only the newest are searched
MOST_WORDS = 8
PAGES_AT_ONCE = 500
MOST_STEPS = 10_000
_WORD = re.compile(r"[^\W_]+")
# Scripts without spaces between words, which neither index can find within a sentence.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

_STATEMENTS = {
    "sqlite": (
        "SELECT conversation_id FROM webchat_turn WHERE id IN (SELECT rowid FROM webchat_turn_words"
        " WHERE webchat_turn_words MATCH %s ORDER BY rowid DESC LIMIT %s)"
    ),
    "postgresql": (
        "SELECT conversation_id FROM webchat_turn WHERE to_tsvector('simple', message || ' ' || reply)"
        " @@ to_tsquery('simple', %s)"
    ),
}


def holding(words: str) -> Q:
    """Return the condition for conversations; each word matches the beginnings of words."""
    found = _WORD.findall(words.casefold())[:MOST_WORDS]
    if not found or _UNSPACED.search(words):
        return _holding_text(words.split())
    if connection.vendor == "postgresql":
        # Without a limit: whether to use the index or to go through the newest conversations is decided by statistics.
        parameters = [" & ".join(f"{word}:*" for word in found)]
    else:
        parameters = [" ".join(f'"{word}"*' for word in found), MOST_TURNS]
    return Q(pk__in=RawSQL(_STATEMENTS[connection.vendor], parameters))  # noqa: S611 - constants only


def forget_deleted() -> None:
    """Periodic task: remove the words of deleted messages from SQLite's index by merging its parts.

    In small steps, because each holds the write lock. PostgreSQL's vacuum does the same by itself.
    """
    if connection.vendor != "sqlite":
        return
    pages = -PAGES_AT_ONCE  # negative: start to merge everything
    for _step in range(MOST_STEPS):
        with connection.cursor() as cursor:
            cursor.execute("SELECT total_changes()")
            before = cursor.fetchone()[0]
            cursor.execute("INSERT INTO webchat_turn_words(webchat_turn_words, rank) VALUES ('merge', %s)", [pages])
            cursor.execute("SELECT total_changes()")
            if cursor.fetchone()[0] - before < 2:  # nothing is left to merge, according to SQLite's manual
                return
        pages = PAGES_AT_ONCE


def _holding_text(words: list[str]) -> Q:
    turns = Turn.objects.order_by()
    for word in words:
        turns = turns.filter(Q(message__icontains=word) | Q(reply__icontains=word))
    return Q(pk__in=turns.values("conversation"))

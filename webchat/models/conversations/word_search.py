"""Finds the conversations in which one message, with its reply, holds all of some words.

The database keeps the index itself (migration 0015): SQLite with triggers, PostgreSQL as an index on an expression.
"""

import re
import unicodedata

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL

from webchat.models.conversations.conversation import Conversation
from webchat.models.conversations.entries import EntryQuerySet
from webchat.models.conversations.turns import Turn, TurnQuerySet

MOST_TURNS = 20_000  # on SQLite: if a word is in more, only the newest are searched
MOST_FORMS = 100  # on SQLite: words with the same beginning that are looked up one by one
NEWEST = (200, 2_000)  # on PostgreSQL: conversations that are searched without the index first
MOST_WORDS = 8
PAGES_AT_ONCE = 500
MOST_STEPS = 10_000
_WORD = re.compile(r"[^\W_]+")
# Scripts without spaces between words, which neither index can find within a sentence.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LAST_SIGN = chr(0x10FFFF)

_STATEMENTS = {
    "sqlite": (
        "SELECT conversation_id FROM webchat_turn WHERE id IN (SELECT rowid FROM webchat_turn_words"
        " WHERE webchat_turn_words MATCH %s ORDER BY rowid DESC LIMIT %s)"
    ),
    "postgresql": (
        "SELECT conversation_id FROM webchat_turn WHERE to_tsvector('simple', message || ' ' || reply)"
        " @@ to_tsquery('simple', %s) OFFSET 0"  # asks the index: by its guess PostgreSQL reads the newest one by one
    ),
}
# Not the index's expression, but one with the same words: so the index isn't used.
_IN_THE_TEXT = "to_tsvector('simple', reply || ' ' || message) @@ to_tsquery('simple', %s)"


def holding(words: str) -> Q:
    """Return the condition for conversations; each word matches the beginnings of words."""
    found = _terms(words)
    if not found:
        return _holding_text(words.split())
    if connection.vendor == "postgresql":
        parameters = [_tsquery(found)]
    else:
        parameters = [" AND ".join(_forms(word) for word in found), MOST_TURNS]
    return Q(pk__in=RawSQL(_STATEMENTS[connection.vendor], parameters))  # noqa: S611 - constants only


def holding_in_first(words: str, listed: QuerySet[Conversation], wanted: int) -> Q:
    """Return the condition for those conversations only that come first in a list, as many as are wanted.

    PostgreSQL's index returns all messages with a common word before the newest can be taken. So the beginning of the
    list is searched without it, which is enough if the words are common; otherwise there are few to return.
    """
    found = _terms(words)
    if connection.vendor != "postgresql" or not found:
        return holding(words)
    condition = RawSQL(_IN_THE_TEXT, [_tsquery(found)], output_field=BooleanField())  # noqa: S611 - a constant
    for newest in NEWEST:
        turns = _with_text(Turn.objects.filter(conversation__in=listed.values("pk")[:newest]), found)
        conversations = list(turns.filter(condition).values_list("conversation", flat=True).distinct())
        if len(conversations) >= wanted:
            return Q(pk__in=conversations)
    return holding(words)


def in_one_of(entries: EntryQuerySet, words: str) -> Q:
    """Return the condition for conversations with all the words in one of these entries.

    Mostly there are none: then the condition is empty, and the database asks its index of words alone.
    """
    for word in words.split():
        entries = entries.filter(text__icontains=word)
    return Q(pk__in=entries.order_by().values("conversation") if entries.exists() else [])


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


def _terms(words: str) -> list[str]:
    """Return the words to look up; none if they can only be found in the text."""
    return [] if _UNSPACED.search(words) else _WORD.findall(words.lower())[:MOST_WORDS]


def _forms(beginning: str) -> str:
    """Return the words of SQLite's index that begin so: it reads words newest first, but beginnings completely."""
    decomposed = unicodedata.normalize("NFD", beginning)
    plain = unicodedata.normalize("NFC", "".join(sign for sign in decomposed if not unicodedata.combining(sign)))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT term FROM webchat_turn_vocabulary WHERE term >= %s AND term < %s LIMIT %s",
            [plain, plain + _LAST_SIGN, MOST_FORMS + 1],
        )
        words = [word for (word,) in cursor.fetchall()]
    if not 0 < len(words) <= MOST_FORMS:
        return f'"{beginning}"*'
    alternatives = " OR ".join(f'"{word}"' for word in words)
    return f"({alternatives})"


def _tsquery(words: list[str]) -> str:
    return " & ".join(f"{word}:*" for word in words)


def _holding_text(words: list[str]) -> Q:
    return Q(pk__in=_with_text(Turn.objects.all(), words).values("conversation"))


def _with_text(turns: TurnQuerySet, words: list[str]) -> TurnQuerySet:
    for word in words:
        turns = turns.filter(Q(message__icontains=word) | Q(reply__icontains=word))
    return turns.order_by()

"""SQL for every turn and every poll, because the ORM takes 4 to 15 times as long to build these statements.

Processor time measured on SQLite, ORM and SQL: bot .80 and .09 ms, conversation .97 and .22, circuit .38 and .03,
unchanged .30 and .03, all on a busy machine. Everything else uses the ORM.
"""

import datetime
import functools
import uuid
from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import connection, models

Row = TypeVar("Row", bound=models.Model)

# Named columns, here and below: a process from before an update doesn't know the newer ones.
BOT = "SELECT {columns} FROM webchat_bot WHERE slug = %s AND NOT is_being_deleted"

PRESENT_CONVERSATION = """
    SELECT {columns} FROM webchat_conversation
    WHERE visitor = %s AND bot_id = %s AND surface = %s AND ended_at IS NULL AND is_present
"""

# Failures are counted from turn to turn: whether a visitor presses “Try again” or writes anew makes no difference.
# Returns also the key of the turn before.
BEGIN_TURN = """
    INSERT INTO webchat_turn (
        conversation_id, key, message, state, created_at,
        code, reply, outcome, late_reply, feedback_reason, started_over, attempt, failures
    )
    VALUES (%s, %s, %s, %s, %s, '', '', '', '', '', FALSE, 0, COALESCE((
        SELECT CASE state WHEN 'failed' THEN failures END FROM webchat_turn
        WHERE conversation_id = %s ORDER BY id DESC LIMIT 1
    ), 0)) RETURNING id, failures, (
        SELECT before.key FROM webchat_turn AS before
        WHERE before.conversation_id = webchat_turn.conversation_id AND before.id < webchat_turn.id
        ORDER BY before.id DESC LIMIT 1
    )
"""

CIRCUIT_IS_OPEN = "SELECT 1 FROM webchat_circuit WHERE address = %s AND open_until IS NOT NULL"

# Returns the chat_id that an earlier turn may have brought meanwhile. No join: on PostgreSQL a second claim looks at
# the turn's row again after the first, but not into joined tables.
CLAIM_TURN = """
    UPDATE webchat_turn SET state = 'asking', asked_at = %s, attempt = attempt + 1, code = ''
    WHERE id = %s AND state = 'pending' AND attempt = %s
    AND EXISTS (
        SELECT 1 FROM webchat_conversation AS own
        WHERE own.id = webchat_turn.conversation_id AND own.ended_at IS NULL AND own.led_by = 'bot'
    )
    AND NOT EXISTS (
        SELECT 1 FROM webchat_turn AS other
        WHERE other.conversation_id = webchat_turn.conversation_id
        AND (other.state = 'asking' OR (other.state = 'pending' AND other.id < webchat_turn.id))
    )
    RETURNING (SELECT own.chat_id FROM webchat_conversation AS own WHERE own.id = webchat_turn.conversation_id)
"""

# Only if the stored outcome is still this attempt's: a late reply is better than none, but is never stored twice.
STORE_REPLY = """
    UPDATE webchat_turn SET state = 'answered', reply = %s, outcome = %s, code = '', ended_at = %s
    WHERE id = %s AND attempt = %s AND (state = 'asking' OR (state = 'failed' AND code = %s)) RETURNING id
"""

CONVERSATION_UNCHANGED = "SELECT 1 FROM webchat_conversation WHERE id = %s AND changes = %s"

# Not in the queue, and not if somebody has typed lately: then the page shows something that ends by itself.
RECORD_VISIT_IF_UNCHANGED = """
    UPDATE webchat_conversation SET visitor_seen_at = %s
    WHERE id = %s AND changes = %s AND led_by <> 'queue' AND (team_typing_at IS NULL OR team_typing_at <= %s)
    RETURNING id
"""


def first_row(statement: str, parameters: Iterable[object]) -> tuple[Any, ...] | None:
    """Return the first row as the database's driver gives it; None if there is none."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchone()


def first_object(model: type[Row], statement: str, parameters: Iterable[object]) -> Row | None:
    """Return the first row as an object; {columns} in the statement stands for all columns of the model.

    Path not taken: raw(), which compares each column with each field, and looks up each column's conversion.
    """
    names, columns, moments, uuids = _columns_of(model)
    row = first_row(statement.format(columns=columns), parameters)
    if row is None:
        return None
    values = list(row)
    for index in moments:  # SQLite's driver knows neither a moment's zone nor UUIDs
        if values[index] is not None and values[index].tzinfo is None:
            values[index] = values[index].replace(tzinfo=datetime.UTC)
    for index in uuids:
        values[index] = uuid.UUID(str(values[index]))
    return model.from_db(connection.alias, names, values)


@functools.cache
def _columns_of(model: type[models.Model]) -> tuple[list[str], str, list[int], list[int]]:
    """Return the attributes of a row, its columns for a statement, and which of them are moments and UUIDs."""
    fields = model._meta.concrete_fields
    moments, uuids = (
        [index for index, field in enumerate(fields) if isinstance(field, kind)]
        for kind in (models.DateTimeField, models.UUIDField)
    )
    return [field.attname for field in fields], ", ".join([field.column for field in fields]), moments, uuids


def as_parameter(value: datetime.datetime | uuid.UUID) -> object:
    """Convert a moment or a UUID for these statements, as no model field does it there."""
    if isinstance(value, uuid.UUID):
        return value if connection.features.has_native_uuid_field else value.hex
    return connection.ops.adapt_datetimefield_value(value)

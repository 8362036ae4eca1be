"""An index of the words of messages and replies, kept by the database; and what the desk's filters need."""

from django.db import migrations, models
from django.db.models import Q

# Without the text itself, which stays in the turn: an entry is removed by the words that it was made of.
SQLITE = [
    """CREATE VIRTUAL TABLE webchat_turn_words USING fts5(
        message, reply, content='webchat_turn', content_rowid='id', detail=none,
        tokenize='unicode61 remove_diacritics 2')""",
    "INSERT INTO webchat_turn_words(webchat_turn_words) VALUES ('rebuild')",
    """CREATE TRIGGER webchat_turn_words_added AFTER INSERT ON webchat_turn BEGIN
        INSERT INTO webchat_turn_words(rowid, message, reply) VALUES (new.id, new.message, new.reply);
    END""",
    """CREATE TRIGGER webchat_turn_words_deleted AFTER DELETE ON webchat_turn BEGIN
        INSERT INTO webchat_turn_words(webchat_turn_words, rowid, message, reply)
            VALUES ('delete', old.id, old.message, old.reply);
    END""",
    """CREATE TRIGGER webchat_turn_words_changed AFTER UPDATE OF message, reply ON webchat_turn
        WHEN old.message IS NOT new.message OR old.reply IS NOT new.reply BEGIN
        INSERT INTO webchat_turn_words(webchat_turn_words, rowid, message, reply)
            VALUES ('delete', old.id, old.message, old.reply);
        INSERT INTO webchat_turn_words(rowid, message, reply) VALUES (new.id, new.message, new.reply);
    END""",
]
SQLITE_BACK = [
    *(f"DROP TRIGGER webchat_turn_words_{change}" for change in ("added", "deleted", "changed")),
    "DROP TABLE webchat_turn_words",
]
POSTGRESQL = [
    "CREATE INDEX webchat_turn_words ON webchat_turn USING gin (to_tsvector('simple', message || ' ' || reply))"
]
POSTGRESQL_BACK = ["DROP INDEX webchat_turn_words"]


def index(apps, schema_editor):
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in SQLITE_BACK if schema_editor.connection.vendor == "sqlite" else POSTGRESQL_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("webchat", "0014_roles")]

    operations = [
        migrations.RemoveIndex(model_name="turn", name="turns_by_outcome"),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["state", "code", "created_at", "conversation"], name="turns_by_outcome"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                fields=["outcome", "conversation"],
                condition=Q(("outcome", "not_known")) | Q(("outcome", "not_sure")),
                name="unsure_turns",
            ),
        ),
        migrations.RunPython(index, drop),
    ]

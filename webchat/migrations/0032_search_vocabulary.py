"""The words of SQLite's search index, readable as a table."""

from django.db import migrations


def add(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(
            "CREATE VIRTUAL TABLE webchat_turn_vocabulary USING fts5vocab('webchat_turn_words', 'row')"
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE webchat_turn_vocabulary")


class Migration(migrations.Migration):
    dependencies = [("webchat", "0031_detail_purposes")]

    operations = [migrations.RunPython(add, drop)]

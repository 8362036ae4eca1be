"""Drops the list of unanswered questions, with the column that marked them as done."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("docbot", "0016_chosen_language"),
    ]

    operations = [
        migrations.DeleteModel(
            name="UnknownQuestion",
        ),
        migrations.RemoveIndex(
            model_name="exchange",
            name="docbot_exchange_open",
        ),
        migrations.RemoveField(
            model_name="exchange",
            name="done_at",
        ),
    ]

"""Store line ends as "\\n" in all of the owner's texts, so that no form takes them for a change."""

from django.db import migrations
from django.db.models import F, Value
from django.db.models.functions import Replace

WORDS = ("greeting", "suggestions", "closed_notice", "privacy_note", "consent", "own_details")
TEXTS = {
    "Bot": (*WORDS, "origins"),
    "BotWords": WORDS,
    "CannedReply": ("text",),
    "Conversation": ("consented_to",),  # or those who agreed would be asked again
}


def store_plain_line_ends(apps, schema_editor):
    for model, names in TEXTS.items():
        for name in names:
            rows = apps.get_model("webchat", model).objects.filter(**{f"{name}__contains": "\r\n"})
            rows.update(**{name: Replace(F(name), Value("\r\n"), Value("\n"))})


class Migration(migrations.Migration):
    dependencies = [("webchat", "0047_longest_times")]

    operations = [migrations.RunPython(store_plain_line_ends, migrations.RunPython.noop, elidable=True)]

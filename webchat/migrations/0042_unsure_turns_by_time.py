from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webchat", "0041_words_for_a_program")]

    operations = [
        migrations.RemoveIndex(model_name="turn", name="unsure_turns"),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                fields=["outcome", "created_at", "conversation"],
                condition=models.Q(("outcome", "not_known"), ("outcome", "not_sure"), _connector="OR"),
                name="unsure_turns",
            ),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webchat", "0043_handed_over")]

    operations = [
        migrations.RemoveIndex(model_name="turn", name="unsure_turns"),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                fields=["outcome", "created_at", "conversation", "id"],
                condition=models.Q(("outcome", "not_known"), ("outcome", "not_sure"), _connector="OR"),
                name="unsure_turns",
            ),
        ),
    ]

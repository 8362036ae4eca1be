"""Labels and help texts in plainer words."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("webchat", "0052_comments_instead_of_help"),
    ]

    operations = [
        migrations.AlterField(
            model_name="allowance",
            name="window",
            field=models.BigIntegerField(),
        ),
        migrations.AlterField(
            model_name="bot",
            name="face",
            field=models.ImageField(
                blank=True,
                help_text="A picture, cropped to a square. Leave blank for the first letter of the name.",
                upload_to="faces",
                verbose_name="profile picture",
            ),
        ),
        migrations.AlterField(
            model_name="bot",
            name="offers_person_when_not_known",
            field=models.BooleanField(default=True, verbose_name="offer a person when the bot doesn’t know the answer"),
        ),
        migrations.AlterField(
            model_name="bot",
            name="sends_questions",
            field=models.BooleanField(
                default=False,
                help_text="To your program: each question that the bot couldn’t answer, wasn’t sure of or got a thumb down for.",
                verbose_name="send open questions",
            ),
        ),
    ]

"""Labels and help texts in plainer words."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kiosk", "0009_transfer_code"),
    ]

    operations = [
        migrations.AlterField(
            model_name="device",
            name="idle_seconds",
            field=models.PositiveSmallIntegerField(
                default=60,
                help_text="Without activity; then the screen asks whether somebody is still there.",
                validators=[
                    django.core.validators.MinValueValidator(10),
                    django.core.validators.MaxValueValidator(3600),
                ],
                verbose_name="seconds until the warning",
            ),
        ),
        migrations.AlterField(
            model_name="device",
            name="keyboard",
            field=models.BooleanField(
                default=True,
                help_text="Visitors can switch it off. Untick this to start without it.",
                verbose_name="on-screen keyboard",
            ),
        ),
        migrations.AlterField(
            model_name="device",
            name="prompt",
            field=models.CharField(
                blank=True,
                help_text="Shown large while nobody is using the screen. Leave blank for “Ask me anything”.",
                max_length=120,
                verbose_name="text on the start screen",
            ),
        ),
    ]

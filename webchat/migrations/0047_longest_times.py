"""Absurd times are refused."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("webchat", "0046_started_over_anywhere"),
    ]

    operations = [
        migrations.AlterField(
            model_name="bot",
            name="queue_minutes",
            field=models.PositiveSmallIntegerField(
                default=5,
                help_text="Minutes. When nobody has answered by then, the form is offered.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1440),
                ],
                verbose_name="longest wait",
            ),
        ),
        migrations.AlterField(
            model_name="bot",
            name="retention_days",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Days after the last message; then they are deleted. "
                "Leave blank to keep them until you delete them.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(10000),
                ],
                verbose_name="keep conversations for",
            ),
        ),
        migrations.AlterField(
            model_name="bot",
            name="teaser_after",
            field=models.PositiveSmallIntegerField(
                default=10,
                validators=[django.core.validators.MaxValueValidator(3600)],
                verbose_name="seconds until the teaser",
            ),
        ),
        migrations.AlterField(
            model_name="teaserrule",
            name="seconds",
            field=models.PositiveSmallIntegerField(
                default=10,
                validators=[django.core.validators.MaxValueValidator(3600)],
                verbose_name="seconds on the page",
            ),
        ),
    ]

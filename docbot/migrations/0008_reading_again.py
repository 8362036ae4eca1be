"""Websites and folders are read again; a training lists what has changed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('docbot', '0007_language_model'),
    ]

    operations = [
        migrations.AddField(
            model_name='trainedbot',
            name='read_again_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='trainedbot',
            name='reads_again',
            field=models.CharField(blank=True, choices=[('', 'Only when asked to'), ('daily', 'Every day'), ('weekly', 'Every week')], max_length=6, verbose_name='read again'),
        ),
        migrations.AddField(
            model_name='trainingrun',
            name='changes',
            field=models.JSONField(default=list, verbose_name='changes'),
        ),
    ]

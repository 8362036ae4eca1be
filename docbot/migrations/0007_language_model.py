"""A trained bot's own language model."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('docbot', '0006_document_url'),
    ]

    operations = [
        migrations.AddField(
            model_name='trainedbot',
            name='model_name',
            field=models.CharField(blank=True, help_text='As its server lists it.', max_length=200, verbose_name='model'),
        ),
        migrations.AddField(
            model_name='trainedbot',
            name='model_url',
            field=models.CharField(blank=True, help_text='Of an OpenAI-compatible server; it usually ends in /v1. Blank: the site’s own setting.', max_length=500, verbose_name='address of the language model'),
        ),
        migrations.AddField(
            model_name='trainedbot',
            name='sealed_model_key',
            field=models.TextField(blank=True, editable=False, verbose_name='key'),
        ),
    ]

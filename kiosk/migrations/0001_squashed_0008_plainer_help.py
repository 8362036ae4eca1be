"""The tables as they are after all of the migrations listed, made in one step on a new site."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('kiosk', '0001_first'),
        ('kiosk', '0002_languages'),
        ('kiosk', '0003_take_it_with_you'),
        ('kiosk', '0004_names'),
        ('kiosk', '0005_texts'),
        ('kiosk', '0006_plainer_texts'),
        ('kiosk', '0007_plainer_labels'),
        ('kiosk', '0008_plainer_help'),
    ]

    dependencies = [
        ('webchat', '0001_squashed_0050_websites_in_rows'),
    ]

    operations = [
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Where it stands: “Lobby, left of the stairs”.', max_length=80, verbose_name='name')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français'), ('es', 'Español'), ('pt', 'Português'), ('it', 'Italiano'), ('nl', 'Nederlands'), ('pl', 'Polski'), ('ar', 'العربية'), ('hi', 'हिन्दी'), ('ja', '日本語'), ('zh-hans', '简体中文')], help_text='Leave blank for the bot’s own, else the browser’s.', max_length=10, verbose_name='language')),
                ('languages', models.CharField(blank=True, max_length=100, verbose_name='languages')),
                ('prompt', models.CharField(blank=True, help_text='Shown large while nobody is using the screen. Leave blank for “Ask me anything”.', max_length=120, verbose_name='prompt')),
                ('prompts', models.JSONField(blank=True, default=dict)),
                ('idle_seconds', models.PositiveSmallIntegerField(default=60, help_text='Without activity; then the screen asks whether somebody is still there.', validators=[django.core.validators.MinValueValidator(10), django.core.validators.MaxValueValidator(3600)], verbose_name='seconds until it asks')),
                ('warning_seconds', models.PositiveSmallIntegerField(default=30, help_text='Seconds to count down; at least 20, so that everybody has time to react.', validators=[django.core.validators.MinValueValidator(20), django.core.validators.MaxValueValidator(600)], verbose_name='length of the warning')),
                ('sound', models.BooleanField(default=True, help_text='Play a sound with the warning.', verbose_name='sound')),
                ('messages_per_minute', models.PositiveSmallIntegerField(default=0, help_text='From this screen. 0: no separate limit.', verbose_name='messages per minute')),
                ('keyboard', models.BooleanField(default=True, help_text='Visitors can switch it off. Clear this to start without it.', verbose_name='on-screen keyboard')),
                ('speech', models.BooleanField(default=False, help_text='Visitors can speak instead of typing and have replies read aloud, if the browser supports it. Some browsers send speech to their maker’s servers for transcription.', verbose_name='speech')),
                ('paused', models.BooleanField(default=False, help_text='The screen shows within seconds that it is out of use.', verbose_name='paused')),
                ('token_hash', models.CharField(editable=False, max_length=64, null=True, unique=True)),
                ('code_hash', models.CharField(editable=False, max_length=64, null=True, unique=True)),
                ('code_until', models.DateTimeField(editable=False, null=True)),
                ('enrolled_at', models.DateTimeField(editable=False, null=True, verbose_name='enrolled')),
                ('seen_at', models.DateTimeField(editable=False, null=True, verbose_name='last seen')),
                ('visit', models.PositiveBigIntegerField(default=0, editable=False)),
                ('reloads', models.PositiveIntegerField(default=0, editable=False)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kiosks', to='webchat.bot', verbose_name='bot')),
            ],
            options={
                'verbose_name': 'kiosk',
                'verbose_name_plural': 'kiosks',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('until', models.DateTimeField()),
                ('taken_at', models.DateTimeField(null=True)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tickets', to='webchat.conversation')),
            ],
        ),
    ]

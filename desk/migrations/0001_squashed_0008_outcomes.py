"""The tables as they are after all of the migrations listed, made in one step on a new site."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('desk', '0001_first'),
        ('desk', '0002_taught_turns'),
        ('desk', '0003_invitations'),
        ('desk', '0004_conversations_started'),
        ('desk', '0005_taught_changes'),
        ('desk', '0006_tried_bots'),
        ('desk', '0007_plainer_role'),
        ('desk', '0008_outcomes'),
    ]

    dependencies = [
        ('docbot', '0001_squashed_0015_training_run_without_given'),
        ('webchat', '0001_squashed_0050_websites_in_rows'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Watermark',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('until', models.DateTimeField()),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('editor', 'Editor'), ('answers', 'Answers people'), ('reads', 'Read only')], max_length=10)),
                ('all_bots', models.BooleanField(default=False)),
                ('expires_at', models.DateTimeField()),
                ('bots', models.ManyToManyField(blank=True, related_name='+', to='webchat.bot')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['expires_at'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='TaughtChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('taught', 'Taught'), ('changed', 'Changed'), ('back', 'Taken back'), ('again', 'Taught again')], max_length=7)),
                ('author', models.CharField(max_length=150)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('taught_answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='docbot.taughtanswer')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='TaughtTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('taught_answer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='docbot.taughtanswer')),
                ('turn', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='taught_turn', to='webchat.turn')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='TriedBot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tried_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='tried', to='webchat.bot')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='AskedQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('surface', models.CharField(choices=[('chat', 'full page'), ('embed', 'widget'), ('kiosk', 'kiosk'), ('portal', 'portal')], max_length=10)),
                ('fingerprint', models.CharField(max_length=32)),
                ('number', models.PositiveIntegerField()),
                ('failed', models.PositiveIntegerField()),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='webchat.bot')),
                ('turn', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='webchat.turn')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('day', 'bot', 'surface', 'fingerprint'), name='one_question_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('surface', models.CharField(choices=[('chat', 'full page'), ('embed', 'widget'), ('kiosk', 'kiosk'), ('portal', 'portal')], max_length=10)),
                ('measure', models.CharField(choices=[('conversations', 'conversations started'), ('answered', 'messages answered'), ('not_sure', 'not sure'), ('not_known', 'didn’t know'), ('failed', 'messages failed'), ('person', 'Person'), ('waiting', 'messages without an outcome yet'), ('reply_time', 'reply times'), ('feedback', 'feedback')], max_length=13)),
                ('name', models.CharField(blank=True, max_length=64)),
                ('number', models.PositiveIntegerField()),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='webchat.bot')),
            ],
            options={
                'verbose_name': 'insight',
                'verbose_name_plural': 'insights',
                'default_permissions': ('view',),
                'constraints': [models.UniqueConstraint(fields=('day', 'bot', 'surface', 'measure', 'name'), name='one_tally_of_a_kind')],
            },
        ),
    ]

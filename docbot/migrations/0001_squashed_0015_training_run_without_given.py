"""The tables as they are after all of the migrations listed, made in one step on a new site."""

import django.db.models.deletion
import django.utils.timezone
import docbot.models.chats
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('docbot', '0001_first'),
        ('docbot', '0002_unanswered_and_stop'),
        ('docbot', '0003_taught_answers'),
        ('docbot', '0004_training_machine'),
        ('docbot', '0005_open_questions_index'),
        ('docbot', '0006_document_url'),
        ('docbot', '0007_language_model'),
        ('docbot', '0008_reading_again'),
        ('docbot', '0009_plainer_texts'),
        ('docbot', '0010_plainer_labels'),
        ('docbot', '0011_typographic_apostrophes'),
        ('docbot', '0012_taught_drafts'),
        ('docbot', '0013_replies_left'),
        ('docbot', '0014_plainer_help'),
        ('docbot', '0015_training_run_without_given'),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Chat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chat_id', models.CharField(default=docbot.models.chats.make_chat_id, editable=False, max_length=64, unique=True, verbose_name='chat id')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='begun')),
                ('last_used_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False, verbose_name='last message')),
            ],
            options={
                'verbose_name': 'chat',
                'verbose_name_plural': 'chat history',
                'ordering': ('-last_used_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('folder', 'Folder'), ('website', 'Website'), ('upload', 'Upload'), ('taught', 'Taught')], max_length=10, verbose_name='kind')),
                ('origin', models.CharField(blank=True, help_text='The folder or start address that it was found below.', max_length=2000, verbose_name='origin')),
                ('location', models.CharField(help_text='Path below its folder, address of the page, or the upload’s name.', max_length=2000, verbose_name='location')),
                ('title', models.CharField(blank=True, max_length=500, verbose_name='title')),
                ('url', models.URLField(blank=True, help_text='What replies link to.', max_length=2000, verbose_name='address')),
                ('language', models.CharField(blank=True, max_length=16, verbose_name='language')),
                ('fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('etag', models.CharField(blank=True, editable=False, max_length=500)),
                ('last_modified', models.CharField(blank=True, editable=False, max_length=100)),
                ('word_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='words')),
                ('trained_at', models.DateTimeField(editable=False, null=True, verbose_name='trained')),
                ('problem', models.TextField(blank=True, help_text='Why it could not be read.', verbose_name='problem')),
            ],
            options={
                'verbose_name': 'document',
                'verbose_name_plural': 'documents',
                'ordering': ('location',),
            },
        ),
        migrations.CreateModel(
            name='TaughtAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question', models.CharField(max_length=300, verbose_name='question')),
                ('paraphrases', models.JSONField(blank=True, default=list, verbose_name='other ways to ask it')),
                ('text', models.TextField(help_text='Markdown.', verbose_name='answer')),
                ('author', models.CharField(max_length=150, verbose_name='author')),
                ('taught_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='taught')),
                ('is_draft', models.BooleanField(default=False, editable=False, verbose_name='draft')),
                ('valid_until', models.DateField(blank=True, help_text='The last day. Leave blank for no end.', null=True, verbose_name='valid until')),
            ],
            options={
                'verbose_name': 'taught answer',
                'verbose_name_plural': 'taught answers',
                'ordering': ('-taught_at', '-pk'),
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='TrainedBot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(help_text='Its name in addresses and commands.', unique=True, verbose_name='short name')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('language', models.CharField(blank=True, help_text='Two letters, such as en. Leave blank to find it in the documents.', max_length=16, verbose_name='language')),
                ('enabled', models.BooleanField(default=True, verbose_name='switched on')),
                ('trial_ends_at', models.DateTimeField(blank=True, help_text='From then on the bot is offline. Leave blank for no trial.', null=True, verbose_name='trial ends')),
                ('credits', models.PositiveIntegerField(blank=True, help_text='Each reply uses one. Leave blank for no limit.', null=True, verbose_name='replies left')),
                ('reads_again', models.CharField(blank=True, choices=[('', 'Only when I ask for it'), ('daily', 'Every day'), ('weekly', 'Every week')], max_length=6, verbose_name='read again')),
                ('read_again_at', models.DateTimeField(editable=False, null=True)),
                ('model_url', models.CharField(blank=True, help_text='Of an OpenAI-compatible server; it usually ends in /v1. Leave blank for the site’s own setting.', max_length=500, verbose_name='address of the language model')),
                ('model_name', models.CharField(blank=True, help_text='As its server lists it.', max_length=200, verbose_name='model')),
                ('sealed_model_key', models.TextField(blank=True, editable=False, verbose_name='key')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
            ],
            options={
                'verbose_name': 'trained bot',
                'verbose_name_plural': 'trained bots',
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Exchange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False, verbose_name='time')),
                ('message', models.TextField(verbose_name='message')),
                ('reply', models.TextField(verbose_name='reply')),
                ('certainty', models.CharField(choices=[('sure', 'Answered'), ('unsure', 'Not sure'), ('unknown', 'Didn’t know')], max_length=10, verbose_name='outcome')),
                ('sources', models.JSONField(default=list, verbose_name='sources')),
                ('milliseconds', models.PositiveIntegerField(default=0, verbose_name='milliseconds')),
                ('via', models.CharField(choices=[('extractive', 'Quoted from the documents'), ('model', 'Written by the model'), ('fallback', 'Quoted, because the model failed')], default='extractive', max_length=10, verbose_name='written by')),
                ('done_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='done')),
                ('chat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exchanges', to='docbot.chat', verbose_name='chat')),
            ],
            options={
                'verbose_name': 'exchange',
                'verbose_name_plural': 'exchanges',
                'ordering': ('chat', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='UnknownQuestion',
            fields=[
            ],
            options={
                'verbose_name': 'unanswered question',
                'verbose_name_plural': 'unanswered questions',
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('docbot.exchange',),
        ),
        migrations.CreateModel(
            name='Passage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(verbose_name='position')),
                ('heading', models.CharField(blank=True, max_length=500, verbose_name='heading')),
                ('text', models.TextField(verbose_name='text')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='docbot.document', verbose_name='document')),
            ],
            options={
                'verbose_name': 'passage',
                'verbose_name_plural': 'passages',
                'ordering': ('document', 'position'),
            },
        ),
        migrations.AddField(
            model_name='document',
            name='taught_answer',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='document', to='docbot.taughtanswer'),
        ),
        migrations.AddField(
            model_name='taughtanswer',
            name='trained_bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taught_answers', to='docbot.trainedbot', verbose_name='trained bot'),
        ),
        migrations.AddField(
            model_name='document',
            name='trained_bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='docbot.trainedbot', verbose_name='trained bot'),
        ),
        migrations.AddField(
            model_name='chat',
            name='trained_bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chats', to='docbot.trainedbot', verbose_name='trained bot'),
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Who uses it: “website”, “Telegram bridge”.', max_length=100, verbose_name='name')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('prefix', models.CharField(editable=False, max_length=16, verbose_name='begins with')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
                ('last_used_at', models.DateTimeField(editable=False, null=True, verbose_name='last used')),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='revoked')),
                ('due', models.FloatField(default=0, editable=False)),
                ('trained_bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to='docbot.trainedbot', verbose_name='trained bot')),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='TrainingRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('machine', models.CharField(blank=True, editable=False, max_length=200)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='started')),
                ('heartbeat', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='last heard from')),
                ('finished_at', models.DateTimeField(editable=False, null=True, verbose_name='finished')),
                ('total', models.PositiveIntegerField(null=True, verbose_name='documents')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='read')),
                ('current', models.CharField(blank=True, max_length=500, verbose_name='reading')),
                ('problems', models.JSONField(default=list, verbose_name='problems')),
                ('changes', models.JSONField(default=list, verbose_name='changes')),
                ('failure', models.TextField(blank=True, verbose_name='failure')),
                ('stop_asked', models.BooleanField(default=False, editable=False)),
                ('trained_bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='docbot.trainedbot', verbose_name='trained bot')),
            ],
            options={
                'verbose_name': 'training',
                'verbose_name_plural': 'trainings',
                'ordering': ('-started_at', '-pk'),
            },
        ),
        migrations.AddIndex(
            model_name='exchange',
            index=models.Index(fields=['certainty', 'done_at'], name='docbot_exchange_open'),
        ),
        migrations.AddConstraint(
            model_name='passage',
            constraint=models.UniqueConstraint(fields=('document', 'position'), name='docbot_passage_position_once'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.UniqueConstraint(fields=('trained_bot', 'location'), name='docbot_document_location_once'),
        ),
        migrations.AddConstraint(
            model_name='trainingrun',
            constraint=models.UniqueConstraint(condition=models.Q(('finished_at__isnull', True)), fields=('trained_bot',), name='docbot_one_run_at_a_time'),
        ),
    ]

"""The owner's words in each of a bot's languages."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('webchat', '0015_word_search'),
    ]

    operations = [
        migrations.AddField(
            model_name='bot',
            name='languages',
            field=models.CharField(blank=True, help_text='In which your words can be written too. What is missing there, visitors read in the default.', max_length=100, verbose_name='more languages'),
        ),
        migrations.CreateModel(
            name='BotWords',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('greeting', models.TextField(blank=True, help_text='Shown above an empty conversation. Markdown.', verbose_name='greeting')),
                ('suggestions', models.TextField(blank=True, help_text='One on each line.', verbose_name='suggested questions')),
                ('launcher_label', models.CharField(blank=True, help_text='Beside the widget’s button. Blank: the button alone.', max_length=60, verbose_name='launcher’s label')),
                ('teaser', models.CharField(blank=True, help_text='A line that appears beside the launcher after a while.', max_length=140, verbose_name='teaser')),
                ('closed_notice', models.TextField(blank=True, help_text='Shown while it is closed. Markdown. Blank: a sentence of ours.', verbose_name='closed notice')),
                ('privacy_note', models.TextField(blank=True, help_text='Stands below the greeting. Markdown, such as a link.', verbose_name='privacy note')),
                ('consent', models.TextField(blank=True, help_text='What a visitor has to agree to before the first message. Markdown. Blank: nothing is asked.', verbose_name='consent')),
                ('handover_next', models.CharField(blank=True, help_text='Told beside the form. Blank: a person reads the message and answers by e-mail.', max_length=300, verbose_name='what happens next')),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français'), ('es', 'Español'), ('pt', 'Português'), ('it', 'Italiano'), ('nl', 'Nederlands'), ('pl', 'Polski'), ('ar', 'العربية'), ('hi', 'हिन्दी'), ('ja', '日本語'), ('zh-hans', '简体中文')], max_length=10, verbose_name='language')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='translations', to='webchat.bot')),
            ],
            options={
                'verbose_name': 'words',
                'verbose_name_plural': 'words',
                'constraints': [models.UniqueConstraint(fields=('bot', 'language'), name='words_once_in_a_language')],
            },
        ),
    ]

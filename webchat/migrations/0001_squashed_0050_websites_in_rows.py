"""The tables as they are after all of the migrations listed, made in one step on a new site."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
import webchat.models.customers
from django.conf import settings
from django.db import migrations, models

# Without the text itself, which stays in the turn: an entry is removed by the words that it was made of.
SQLITE = [
    """CREATE VIRTUAL TABLE webchat_turn_words USING fts5(
        message, reply, content='webchat_turn', content_rowid='id', detail=none,
        tokenize='unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER webchat_turn_words_added AFTER INSERT ON webchat_turn BEGIN
        INSERT INTO webchat_turn_words(rowid, message, reply) VALUES (new.id, new.message, new.reply);
    END""",
    """CREATE TRIGGER webchat_turn_words_deleted AFTER DELETE ON webchat_turn BEGIN
        INSERT INTO webchat_turn_words(webchat_turn_words, rowid, message, reply)
            VALUES ('delete', old.id, old.message, old.reply);
    END""",
    """CREATE TRIGGER webchat_turn_words_changed AFTER UPDATE OF message, reply ON webchat_turn
        WHEN old.message IS NOT new.message OR old.reply IS NOT new.reply BEGIN
        INSERT INTO webchat_turn_words(webchat_turn_words, rowid, message, reply)
            VALUES ('delete', old.id, old.message, old.reply);
        INSERT INTO webchat_turn_words(rowid, message, reply) VALUES (new.id, new.message, new.reply);
    END""",
    "CREATE VIRTUAL TABLE webchat_turn_vocabulary USING fts5vocab('webchat_turn_words', 'row')",
]
POSTGRESQL = [
    "CREATE INDEX webchat_turn_words ON webchat_turn USING gin (to_tsvector('simple', message || ' ' || reply))"
]


def index(apps, schema_editor):
    """Index the words of messages and replies."""
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('webchat', '0001_first'),
        ('webchat', '0002_chores'),
        ('webchat', '0003_people'),
        ('webchat', '0004_human'),
        ('webchat', '0005_kept_and_counted'),
        ('webchat', '0006_limits_and_circuits'),
        ('webchat', '0007_proof_of_work'),
        ('webchat', '0008_periodic_tasks'),
        ('webchat', '0009_circuit_visitors'),
        ('webchat', '0010_answered_in_person'),
        ('webchat', '0011_replies_by_email'),
        ('webchat', '0012_files'),
        ('webchat', '0013_page_url'),
        ('webchat', '0014_roles'),
        ('webchat', '0015_word_search'),
        ('webchat', '0016_bot_words'),
        ('webchat', '0017_widget_theme'),
        ('webchat', '0018_circuit_upstream_url'),
        ('webchat', '0019_shares_text'),
        ('webchat', '0020_teaser_rules'),
        ('webchat', '0021_tells_page'),
        ('webchat', '0022_questions_to_teach'),
        ('webchat', '0023_visitor_details'),
        ('webchat', '0024_holidays'),
        ('webchat', '0025_texts'),
        ('webchat', '0026_abilities'),
        ('webchat', '0027_notifications'),
        ('webchat', '0028_sealed_push_key'),
        ('webchat', '0029_help_texts'),
        ('webchat', '0030_push_browser'),
        ('webchat', '0031_detail_purposes'),
        ('webchat', '0032_search_vocabulary'),
        ('webchat', '0033_face_help'),
        ('webchat', '0034_plainer_texts'),
        ('webchat', '0035_plainer_labels'),
        ('webchat', '0036_plainer_choices'),
        ('webchat', '0037_typographic_apostrophes'),
        ('webchat', '0038_bot_being_deleted'),
        ('webchat', '0039_website_keys'),
        ('webchat', '0040_site_settings'),
        ('webchat', '0041_words_for_a_program'),
        ('webchat', '0042_unsure_turns_by_time'),
        ('webchat', '0043_handed_over'),
        ('webchat', '0044_unsure_turns_with_keys'),
        ('webchat', '0045_plainer_help'),
        ('webchat', '0046_started_over_anywhere'),
        ('webchat', '0047_longest_times'),
        ('webchat', '0048_line_ends'),
        ('webchat', '0049_next_questions'),
        ('webchat', '0050_websites_in_rows'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Allowance',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('window', models.BigIntegerField(help_text='Which window is counted: its number since the epoch.')),
                ('used', models.PositiveIntegerField(default=0)),
                ('ends_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('switched_on', models.BooleanField(default=True, help_text='While it is off, nothing is sent to the bot, and the page says so. What visitors have typed is kept.', verbose_name='switched on')),
                ('closed', models.BooleanField(default=False, help_text='Closed until you open it again, whatever the hours say.', verbose_name='closed')),
                ('hours', models.TextField(blank=True, help_text='A line for some days: Mon-Fri 9:00-12:00, 13:00-17:00. Leave blank for always open.', verbose_name='business hours')),
                ('holidays', models.TextField(blank=True, help_text='A line for each: 2026-12-24 – 2027-01-01, or with other hours: 2026-12-31 9:00-12:00.', verbose_name='holidays')),
                ('time_zone', models.CharField(blank=True, help_text='Such as Europe/Berlin. Leave blank for the site’s own.', max_length=64, verbose_name='time zone')),
                ('answers_when_closed', models.BooleanField(default=True, help_text='The bot goes on answering; only people are away.', verbose_name='answers while closed')),
                ('accent', models.CharField(blank=True, help_text='Such as #2f5bd0. Shades that everyone can read are derived from it.', max_length=7, validators=[django.core.validators.RegexValidator('#[0-9a-fA-F]{6}\\Z', 'Use a colour such as #2f5bd0.')], verbose_name='accent colour')),
                ('face', models.ImageField(blank=True, help_text='A picture, cropped to a square. Leave blank for the first letter of the name.', upload_to='faces', verbose_name='face')),
                ('logo', models.ImageField(blank=True, help_text='Shown at the top, before the name.', upload_to='logos', verbose_name='logo')),
                ('people_answer', models.BooleanField(default=False, help_text='Team members answer in the same conversation, from the inbox.', verbose_name='answered in person')),
                ('takes_files', models.BooleanField(default=False, help_text='While a person answers, they and the visitor can send each other pictures and PDFs of up to 10 MB. Nothing of them goes to the bot’s service.', verbose_name='files')),
                ('notifies_visitors', models.BooleanField(default=False, help_text='On the full page and in the portal, visitors can ask for a notification when a person has answered. It holds no text. It goes through the service of the browser’s maker, such as Google, Mozilla or Apple.', verbose_name='notifications')),
                ('queue_minutes', models.PositiveSmallIntegerField(default=5, help_text='Minutes. When nobody has answered by then, the form is offered.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)], verbose_name='longest wait')),
                ('handover', models.BooleanField(default=False, help_text='Visitors may leave their e-mail address and a message for a person.', verbose_name='requests for a person')),
                ('handover_email', models.EmailField(blank=True, help_text='By e-mail, if this site has a mail server.', max_length=254, verbose_name='requests go to')),
                ('offers_person_when_not_known', models.BooleanField(default=True, verbose_name='offer a person beside a reply that didn’t know')),
                ('offers_person_after_thumbs_down', models.BooleanField(default=True, verbose_name='offer a person after two thumbs down')),
                ('offers_person_after_failures', models.BooleanField(default=True, verbose_name='offer a person after two failures')),
                ('offers_person_when_asked_for', models.BooleanField(default=True, verbose_name='offer a person when a message asks for one')),
                ('asks_details', models.CharField(blank=True, choices=[('', 'no'), ('before', 'before the first message'), ('after', 'after the first reply, if they like'), ('instead', 'instead of a chat: only a form')], default='', help_text='On the page and in the widget. You see it beside the conversation; the bot’s service never does.', max_length=8, verbose_name='ask visitors about themselves')),
                ('asks_name', models.CharField(blank=True, choices=[('', 'no'), ('optional', 'yes, optional'), ('required', 'yes, required')], default='optional', max_length=8, verbose_name='name')),
                ('asks_email', models.CharField(blank=True, choices=[('', 'no'), ('optional', 'yes, optional'), ('required', 'yes, required')], default='', max_length=8, verbose_name='e-mail address')),
                ('alarm_email', models.EmailField(blank=True, help_text='An e-mail address, told when the bot fails or its daily limit is reached.', max_length=254, verbose_name='alarms go to')),
                ('webhook_url', models.URLField(blank=True, help_text='It is told of requests and alarms, at an address with https://. Developers call this a webhook.', verbose_name='address of your program')),
                ('sends_questions', models.BooleanField(default=False, help_text='To your program: each question that the bot couldn’t answer, wasn’t sure of or got a thumb down for.', verbose_name='send questions to teach')),
                ('sealed_webhook_secret', models.TextField(blank=True, editable=False, verbose_name='your program’s secret')),
                ('base_url', models.URLField(blank=True, help_text='The part before /api/public/chat in the service’s documentation. Leave blank for the address set for the whole site.', verbose_name='address of the service')),
                ('sealed_key', models.TextField(blank=True, editable=False, verbose_name='key')),
                ('origins', models.TextField(blank=True, help_text='Such as https://www.example.com, or https://*.example.com for all below it. If there is none, no website can show the bot.', verbose_name='websites that may show it')),
                ('launcher_icon', models.CharField(choices=[('chat', 'speech bubble'), ('question', 'question mark'), ('spark', 'spark')], default='chat', max_length=8, verbose_name='button’s icon')),
                ('launcher_position', models.CharField(choices=[('end', 'bottom right'), ('start', 'bottom left')], default='end', help_text='On pages in Arabic, the sides are swapped.', max_length=5, verbose_name='button’s place')),
                ('widget_theme', models.CharField(choices=[('auto', 'same as the visitor’s system'), ('light', 'light'), ('dark', 'dark')], default='auto', help_text='Choose light or dark if your website is always one of the two.', max_length=5, verbose_name='widget’s colours')),
                ('tells_page', models.BooleanField(default=False, help_text='Adds a line above the first message with the page of your website that the visitor is on. The visitor sees it and can leave it out. For services that make use of it; trained bots don’t.', verbose_name='tell the bot which page the visitor is on')),
                ('shares_text', models.BooleanField(default=False, help_text='The scripts of the page around the widget get the text of messages and replies. While it is off, they only learn that something was said. Tell your visitors.', verbose_name='let your website read the messages')),
                ('teaser_after', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MaxValueValidator(3600)], verbose_name='seconds until the teaser')),
                ('greeting', models.TextField(blank=True, help_text='Shown above an empty conversation. **Two stars** make words bold.', verbose_name='greeting')),
                ('can_help', models.CharField(blank=True, help_text='Below the greeting, after “I can help with”, such as: opening hours, prices, repairs.', max_length=200, verbose_name='what it can help with')),
                ('cannot_help', models.CharField(blank=True, help_text='Beside it, after “I can’t help with”, such as: orders that you have placed.', max_length=200, verbose_name='what it can’t help with')),
                ('suggestions', models.TextField(blank=True, help_text='One on each line.', verbose_name='suggested questions')),
                ('next_questions', models.TextField(blank=True, help_text='One on each line. Below the newest reply stand the first three that the visitor hasn’t asked yet, unless the bot itself offers some.', verbose_name='questions to ask next')),
                ('launcher_label', models.CharField(blank=True, help_text='Such as: Ask us. Leave blank for the button alone.', max_length=60, verbose_name='text beside the button')),
                ('teaser', models.CharField(blank=True, help_text='A line that appears beside the button after a while.', max_length=140, verbose_name='teaser')),
                ('closed_notice', models.TextField(blank=True, help_text='Shown while it is closed. Leave blank for a standard sentence.', verbose_name='closed notice')),
                ('privacy_note', models.TextField(blank=True, help_text='Shown below the greeting. Write a link like this: [our privacy notice](https://www.example.com/privacy).', verbose_name='privacy note')),
                ('consent', models.TextField(blank=True, help_text='What a visitor has to agree to before the first message. Leave blank to ask nothing.', verbose_name='consent')),
                ('handover_next', models.CharField(blank=True, help_text='Shown beside the form. Leave blank for: A person will read your message and answer by e-mail.', max_length=300, verbose_name='what happens next')),
                ('own_details', models.TextField(blank=True, help_text='One on each line. A * makes it required, and after a | you can say what it is for: Order number * | So that we find your order.', verbose_name='your own questions')),
                ('name_purpose', models.CharField(blank=True, help_text='Shown below the field, such as: So that we know how to address you.', max_length=200, verbose_name='what the name is for')),
                ('email_purpose', models.CharField(blank=True, help_text='Shown below the field, such as: So that we can write to you if we get cut off.', max_length=200, verbose_name='what the e-mail address is for')),
                ('details_purpose', models.CharField(blank=True, help_text='Shown above all fields, such as: So that we can find your order.', max_length=300, verbose_name='why you ask')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français'), ('es', 'Español'), ('pt', 'Português'), ('it', 'Italiano'), ('nl', 'Nederlands'), ('pl', 'Polski'), ('ar', 'العربية'), ('hi', 'हिन्दी'), ('ja', '日本語'), ('zh-hans', '简体中文')], help_text='Of the page around the conversation. Leave blank for the visitor’s own.', max_length=10, verbose_name='language')),
                ('languages', models.CharField(blank=True, help_text='Your texts can be written in these, too. What is missing, visitors read in the default language.', max_length=100, verbose_name='more languages')),
                ('slug', models.SlugField(help_text='The last part of the page’s address: /chat/…/', unique=True, verbose_name='address')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('contact', models.CharField(blank=True, help_text='An e-mail address or a web address, offered to visitors whom the bot can’t help.', max_length=200, verbose_name='contact')),
                ('in_portal', models.BooleanField(default=False, help_text='People who have signed in find it in the portal.', verbose_name='open to customers')),
                ('daily_budget', models.PositiveIntegerField(blank=True, help_text='After this many messages in a day, nothing more is sent to the bot. Leave blank for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='messages per day')),
                ('asks_for_proof', models.BooleanField(default=False, help_text='Slows down floods of automatic messages: each one costs its sender’s device up to a second of work. While it is ticked, nobody can write to the bot without JavaScript.', verbose_name='protect it from floods of messages')),
                ('retention_days', models.PositiveSmallIntegerField(blank=True, help_text='Days after the last message; then they are deleted. Leave blank to keep them until you delete them.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='keep conversations for')),
                ('is_being_deleted', models.BooleanField(default=False, editable=False)),
            ],
            options={
                'verbose_name': 'bot',
                'verbose_name_plural': 'bots',
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='Circuit',
            fields=[
                ('upstream_url', models.CharField(db_column='address', max_length=255, primary_key=True, serialize=False)),
                ('failed', models.JSONField(default=dict)),
                ('probes', models.PositiveIntegerField(default=0)),
                ('last_failure_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('open_until', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PeriodicTask',
            fields=[
                ('name', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('due_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='PushKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sealed_pem', models.TextField(editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mail_host', models.CharField(blank=True, max_length=253, verbose_name='server')),
                ('mail_encryption', models.CharField(choices=[('starttls', 'STARTTLS, usually port 587'), ('tls', 'TLS, usually port 465'), ('none', 'None, usually port 25: only for a server on your own network')], default='starttls', max_length=8, verbose_name='encryption')),
                ('mail_port', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(65535)], verbose_name='port')),
                ('mail_user', models.CharField(blank=True, max_length=254, verbose_name='user name')),
                ('sealed_mail_password', models.TextField(blank=True, editable=False)),
                ('mail_from', models.CharField(blank=True, max_length=254, verbose_name='sender')),
                ('time_zone', models.CharField(blank=True, max_length=64, verbose_name='time zone')),
                ('url', models.CharField(blank=True, max_length=254, verbose_name='address')),
            ],
            options={
                'verbose_name': 'This site',
                'verbose_name_plural': 'This site',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='SpentToken',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cause', models.CharField(choices=[('key_refused', 'key or address refused'), ('bot_disabled', 'switched off at its service'), ('budget_near', 'budget nearly used up'), ('budget_spent', 'budget used up'), ('failures', 'many failures'), ('undelivered', 'a request for a person could not be delivered')], max_length=20, verbose_name='cause')),
                ('number', models.PositiveIntegerField()),
                ('raised_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
                ('facts', models.JSONField(default=dict)),
                ('held_back', models.PositiveIntegerField(default=0, verbose_name='happened again')),
                ('held_back_before', models.PositiveIntegerField(default=0, help_text='After the alarm before this one.')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alarms', to='webchat.bot', verbose_name='bot')),
            ],
            options={
                'verbose_name': 'alarm',
                'verbose_name_plural': 'alarms',
                'ordering': ['-raised_at'],
            },
        ),
        migrations.CreateModel(
            name='BotWords',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('greeting', models.TextField(blank=True, help_text='Shown above an empty conversation. **Two stars** make words bold.', verbose_name='greeting')),
                ('can_help', models.CharField(blank=True, help_text='Below the greeting, after “I can help with”, such as: opening hours, prices, repairs.', max_length=200, verbose_name='what it can help with')),
                ('cannot_help', models.CharField(blank=True, help_text='Beside it, after “I can’t help with”, such as: orders that you have placed.', max_length=200, verbose_name='what it can’t help with')),
                ('suggestions', models.TextField(blank=True, help_text='One on each line.', verbose_name='suggested questions')),
                ('next_questions', models.TextField(blank=True, help_text='One on each line. Below the newest reply stand the first three that the visitor hasn’t asked yet, unless the bot itself offers some.', verbose_name='questions to ask next')),
                ('launcher_label', models.CharField(blank=True, help_text='Such as: Ask us. Leave blank for the button alone.', max_length=60, verbose_name='text beside the button')),
                ('teaser', models.CharField(blank=True, help_text='A line that appears beside the button after a while.', max_length=140, verbose_name='teaser')),
                ('closed_notice', models.TextField(blank=True, help_text='Shown while it is closed. Leave blank for a standard sentence.', verbose_name='closed notice')),
                ('privacy_note', models.TextField(blank=True, help_text='Shown below the greeting. Write a link like this: [our privacy notice](https://www.example.com/privacy).', verbose_name='privacy note')),
                ('consent', models.TextField(blank=True, help_text='What a visitor has to agree to before the first message. Leave blank to ask nothing.', verbose_name='consent')),
                ('handover_next', models.CharField(blank=True, help_text='Shown beside the form. Leave blank for: A person will read your message and answer by e-mail.', max_length=300, verbose_name='what happens next')),
                ('own_details', models.TextField(blank=True, help_text='One on each line. A * makes it required, and after a | you can say what it is for: Order number * | So that we find your order.', verbose_name='your own questions')),
                ('name_purpose', models.CharField(blank=True, help_text='Shown below the field, such as: So that we know how to address you.', max_length=200, verbose_name='what the name is for')),
                ('email_purpose', models.CharField(blank=True, help_text='Shown below the field, such as: So that we can write to you if we get cut off.', max_length=200, verbose_name='what the e-mail address is for')),
                ('details_purpose', models.CharField(blank=True, help_text='Shown above all fields, such as: So that we can find your order.', max_length=300, verbose_name='why you ask')),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français'), ('es', 'Español'), ('pt', 'Português'), ('it', 'Italiano'), ('nl', 'Nederlands'), ('pl', 'Polski'), ('ar', 'العربية'), ('hi', 'हिन्दी'), ('ja', '日本語'), ('zh-hans', '简体中文')], max_length=10, verbose_name='language')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='translations', to='webchat.bot')),
            ],
            options={
                'verbose_name': 'words',
                'verbose_name_plural': 'words',
            },
        ),
        migrations.CreateModel(
            name='CannedReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shortcut', models.SlugField(max_length=40, verbose_name='shortcut')),
                ('text', models.TextField(help_text='Markdown.', verbose_name='text')),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='canned_replies', to='webchat.bot', verbose_name='bot')),
            ],
            options={
                'verbose_name': 'canned reply',
                'verbose_name_plural': 'canned replies',
                'ordering': ['shortcut'],
            },
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('led_by', models.CharField(choices=[('bot', 'the bot'), ('queue', 'the queue'), ('person', 'a person')], default='bot', editable=False, max_length=6, verbose_name='led by')),
                ('led_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('changes', models.PositiveIntegerField(default=0, editable=False, help_text='Counts the changes that open pages have to be told about.')),
                ('resolved_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='closed')),
                ('reply_email', models.EmailField(blank=True, help_text='Where a person’s reply goes when the visitor has left.', max_length=254, verbose_name='e-mail address')),
                ('language', models.CharField(blank=True, editable=False, help_text='Of the page, when it began.', max_length=10, verbose_name='language')),
                ('visitor_seen_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('visitor_typing_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('team_typing_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('visitor_read_to', models.PositiveBigIntegerField(default=0, editable=False)),
                ('team_read_to', models.PositiveBigIntegerField(default=0, editable=False)),
                ('surface', models.CharField(choices=[('chat', 'full page'), ('embed', 'widget'), ('kiosk', 'kiosk'), ('portal', 'portal')], default='chat', max_length=10, verbose_name='place')),
                ('visitor', models.CharField(help_text='A hash: of the session’s key, or a person’s.', max_length=64, verbose_name='visitor')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, help_text='Names it in addresses.', unique=True)),
                ('title', models.CharField(blank=True, help_text='The person’s own. Blank: the first message.', max_length=80, verbose_name='title')),
                ('page_url', models.CharField(blank=True, editable=False, help_text='Of the website around the widget.', max_length=500, verbose_name='page')),
                ('chat_id', models.CharField(blank=True, editable=False, max_length=1024)),
                ('is_present', models.BooleanField(default=True, editable=False, help_text='The one that its surface shows by itself; others are opened by name.')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now, help_text='Kept up to date in people’s conversations.', verbose_name='last message')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('consented_at', models.DateTimeField(blank=True, null=True, verbose_name='agreed')),
                ('consented_to', models.TextField(blank=True, help_text='The bot’s consent text at that time.', verbose_name='agreed to')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='webchat.bot')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'permissions': [('export_conversation', 'Can export conversations'), ('answer_conversation', 'Can answer visitors in person')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('question', models.JSONField(blank=True, default=dict, help_text='What is sent of the turn.')),
                ('channel', models.CharField(choices=[('email', 'e-mail'), ('webhook', 'your program'), ('push', 'notification')], max_length=10, verbose_name='channel')),
                ('to_site', models.BooleanField(default=False, help_text='To the site’s own addresses instead of the bot’s.')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('given_up', 'given up')], default='waiting', max_length=10, verbose_name='state')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('next_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='next attempt')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('alarm', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webchat.alarm')),
            ],
            options={
                'verbose_name': 'delivery',
                'verbose_name_plural': 'deliveries',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='at')),
                ('went_to', models.CharField(blank=True, max_length=254, verbose_name='to')),
                ('outcome', models.CharField(max_length=100, verbose_name='outcome')),
                ('ms', models.PositiveIntegerField(default=0, verbose_name='milliseconds')),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='webchat.delivery')),
            ],
            options={
                'verbose_name': 'attempt',
                'verbose_name_plural': 'attempts',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('message', 'message'), ('note', 'internal note'), ('queued', 'asked for a person'), ('left', 'stopped waiting'), ('joined', 'joined'), ('handed_over', 'handed over to a colleague'), ('handed_back', 'handed back to the bot'), ('closed', 'closed')], max_length=12, verbose_name='kind')),
                ('name', models.CharField(blank=True, help_text='The team member’s, at that time.', max_length=80, verbose_name='name')),
                ('text', models.TextField(blank=True, verbose_name='text')),
                ('after_turn', models.PositiveBigIntegerField(editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='written')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='webchat.conversation')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='delivery',
            name='entry',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='delivery', to='webchat.entry'),
        ),
        migrations.CreateModel(
            name='Handover',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('surface', models.CharField(choices=[('chat', 'full page'), ('embed', 'widget'), ('kiosk', 'kiosk'), ('portal', 'portal')], max_length=10, verbose_name='place')),
                ('visitor', models.CharField(db_index=True, max_length=64, verbose_name='visitor')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('message', models.TextField(verbose_name='message')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('is_suspect', models.BooleanField(default=False, help_text='A field that people can’t see was filled in: nobody was told.', verbose_name='spam')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='sent')),
                ('done_at', models.DateTimeField(blank=True, null=True, verbose_name='done')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handovers', to='webchat.bot', verbose_name='bot')),
                ('conversation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='handovers', to='webchat.conversation')),
            ],
            options={
                'verbose_name': 'request for a person',
                'verbose_name_plural': 'requests for a person',
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Detail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('name', 'name'), ('email', 'e-mail address'), ('own', 'the owner’s own question')], max_length=5, verbose_name='kind')),
                ('question', models.CharField(blank=True, max_length=120, verbose_name='question')),
                ('text', models.CharField(max_length=254, verbose_name='answer')),
                ('conversation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='details', to='webchat.conversation')),
                ('handover', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='details', to='webchat.handover')),
            ],
            options={
                'verbose_name': 'detail',
                'verbose_name_plural': 'details',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='delivery',
            name='handover',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webchat.handover'),
        ),
        migrations.CreateModel(
            name='IdentityKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What you know it by, such as “shop, 2027”.', max_length=80, verbose_name='name')),
                ('algorithm', models.CharField(choices=[('HS256', 'HS256: a shared secret'), ('RS256', 'RS256: the website’s RSA key'), ('EdDSA', 'EdDSA: the website’s Ed25519 key')], default='HS256', max_length=5, verbose_name='algorithm')),
                ('sealed_secret', models.TextField(blank=True, editable=False)),
                ('public_key', models.TextField(blank=True, help_text='For RS256 and EdDSA: -----BEGIN PUBLIC KEY----- …', verbose_name='public key')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identity_keys', to='webchat.bot', verbose_name='bot')),
            ],
            options={
                'verbose_name': 'website key',
                'verbose_name_plural': 'website keys',
                'ordering': ['bot', '-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('visitor', models.CharField(default=webchat.models.customers._new_visitor, editable=False, max_length=64, unique=True)),
                ('subject', models.CharField(blank=True, max_length=255, verbose_name='ID at your website')),
                ('name', models.CharField(blank=True, max_length=200, verbose_name='name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='people', to='webchat.bot', verbose_name='bot')),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='person', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
            },
        ),
        migrations.AddField(
            model_name='conversation',
            name='person',
            field=models.ForeignKey(blank=True, help_text='Who it is, when the visitor has signed in.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='webchat.person'),
        ),
        migrations.CreateModel(
            name='PushSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=1000)),
                ('public_key', models.CharField(max_length=100)),
                ('auth_secret', models.CharField(max_length=30)),
                ('browser', models.CharField(blank=True, max_length=32)),
                ('is_home', models.BooleanField(default=False)),
                ('told_to', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscriptions', to='webchat.conversation')),
            ],
        ),
        migrations.AddField(
            model_name='delivery',
            name='subscription',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webchat.pushsubscription'),
        ),
        migrations.CreateModel(
            name='ResumeLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='resume_links', to='webchat.conversation')),
            ],
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As visitors see it.', max_length=80, verbose_name='name')),
                ('picture', models.ImageField(blank=True, upload_to='team', verbose_name='picture')),
                ('role', models.CharField(blank=True, choices=[('owner', 'Owner'), ('editor', 'Editor'), ('answers', 'Answers people'), ('reads', 'Read only')], help_text='Leave blank for Django’s permissions alone.', max_length=10, verbose_name='role')),
                ('all_bots', models.BooleanField(default=True, verbose_name='all bots')),
                ('is_available', models.BooleanField(default=False, verbose_name='available')),
                ('seen_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('bots', models.ManyToManyField(blank=True, related_name='team', to='webchat.bot', verbose_name='bots')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='team_member', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'team member',
                'verbose_name_plural': 'team members',
                'ordering': ['name'],
            },
        ),
        migrations.AddField(
            model_name='entry',
            name='team_member',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='webchat.teammember'),
        ),
        migrations.AddField(
            model_name='conversation',
            name='team_member',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='conversations', to='webchat.teammember'),
        ),
        migrations.CreateModel(
            name='TeaserRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=140, verbose_name='text')),
                ('texts', models.JSONField(blank=True, default=dict)),
                ('page', models.CharField(blank=True, help_text='/prices is one page, /shop/* stands for all below it. Leave blank for every page.', max_length=200, verbose_name='pages')),
                ('visitors', models.CharField(blank=True, choices=[('', 'everyone'), ('new', 'first-time visitors'), ('returning', 'returning visitors')], default='', max_length=9, verbose_name='shown to')),
                ('seconds', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MaxValueValidator(3600)], verbose_name='seconds on the page')),
                ('scrolled', models.PositiveSmallIntegerField(default=0, help_text='100 is the end of the page; 0 needs no scrolling.', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='per cent scrolled')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teaser_rules', to='webchat.bot')),
            ],
            options={
                'verbose_name': 'teaser',
                'verbose_name_plural': 'more teasers',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('message', models.TextField(verbose_name='message')),
                ('state', models.CharField(choices=[('pending', 'waiting to be asked'), ('asking', 'being asked'), ('answered', 'answered'), ('failed', 'failed'), ('person', 'with a person')], default='pending', max_length=10, verbose_name='state')),
                ('code', models.CharField(blank=True, max_length=64, verbose_name='error code')),
                ('reply', models.TextField(blank=True, verbose_name='reply')),
                ('outcome', models.CharField(blank=True, choices=[('answered', 'answered'), ('not_sure', 'not sure'), ('not_known', 'didn’t know')], max_length=10, verbose_name='outcome')),
                ('late_reply', models.TextField(blank=True, help_text='Arrived after a person had taken over; never shown to the visitor.', verbose_name='late reply')),
                ('started_over', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='sent')),
                ('asked_at', models.DateTimeField(blank=True, null=True, verbose_name='asked')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('not_before', models.DateTimeField(blank=True, help_text='When the upstream may be asked again.', null=True)),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('feedback', models.SmallIntegerField(blank=True, choices=[(1, 'helpful'), (-1, 'not helpful')], null=True, verbose_name='feedback')),
                ('feedback_reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('feedback_at', models.DateTimeField(blank=True, null=True, verbose_name='feedback given')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='webchat.conversation')),
            ],
            options={
                'verbose_name': 'turn',
                'verbose_name_plural': 'turns',
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='handover',
            name='last_turn',
            field=models.ForeignKey(blank=True, help_text='How far the conversation is shown, as the visitor agreed. Blank: not at all.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='webchat.turn'),
        ),
        migrations.AddField(
            model_name='delivery',
            name='turn',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='delivery', to='webchat.turn'),
        ),
        migrations.CreateModel(
            name='Attachment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(help_text='As it was sent, made presentable.', max_length=100, verbose_name='name')),
                ('content_type', models.CharField(max_length=40, verbose_name='content type')),
                ('size', models.PositiveIntegerField(help_text='Bytes.', verbose_name='size')),
                ('width', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('height', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('file', models.FileField(help_text='Stored under a random name.', upload_to='attachments')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='sent')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='webchat.conversation')),
                ('entry', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='attachment', to='webchat.entry')),
                ('turn', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='attachment', to='webchat.turn')),
            ],
            options={
                'verbose_name': 'attachment',
                'verbose_name_plural': 'attachments',
                'ordering': ['id'],
            },
        ),
        migrations.AddConstraint(
            model_name='alarm',
            constraint=models.UniqueConstraint(fields=('bot', 'cause', 'number'), name='alarms_in_their_order'),
        ),
        migrations.AddConstraint(
            model_name='botwords',
            constraint=models.UniqueConstraint(fields=('bot', 'language'), name='words_once_in_a_language'),
        ),
        migrations.AddConstraint(
            model_name='cannedreply',
            constraint=models.UniqueConstraint(fields=('bot', 'shortcut'), name='one_text_a_shortcut'),
        ),
        migrations.AddConstraint(
            model_name='cannedreply',
            constraint=models.UniqueConstraint(condition=models.Q(('bot', None)), fields=('shortcut',), name='one_text_a_shortcut_of_all'),
        ),
        migrations.AddConstraint(
            model_name='detail',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('conversation', None), ('handover__isnull', False)), models.Q(('conversation__isnull', False), ('handover', None)), _connector='OR'), name='a_detail_is_told_in_one_place'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(condition=models.Q(('user', None)), fields=('bot', 'subject'), name='one_person_a_subject'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', False), ('user', None)), models.Q(('bot', None), ('user__isnull', False)), _connector='OR'), name='one_source_a_person'),
        ),
        migrations.AddConstraint(
            model_name='pushsubscription',
            constraint=models.UniqueConstraint(fields=('conversation', 'url'), name='a_browser_is_told_once'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['conversation', 'id'], name='entries_of_a_conversation'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['kind', 'created_at'], name='entries_by_kind'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['visitor', '-last_at', '-public_id'], name='newest_of_a_visitor'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['started_at'], name='by_start'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['bot', 'started_at'], name='of_a_bot_by_start'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(condition=models.Q(('led_by', 'bot'), _negated=True), fields=['led_by', 'led_since'], name='led_by_people'),
        ),
        migrations.AddConstraint(
            model_name='conversation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('led_by', 'person'), ('team_member__isnull', False)), models.Q(models.Q(('led_by', 'person'), _negated=True), ('team_member', None)), _connector='OR'), name='a_person_leads_alone'),
        ),
        migrations.AddConstraint(
            model_name='conversation',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None), ('is_present', True)), fields=('visitor', 'bot', 'surface'), name='one_open_conversation'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['conversation', 'id'], name='webchat_tur_convers_814b0f_idx'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['ended_at'], name='turns_by_end'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['created_at'], name='turns_by_start'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['state', 'code', 'created_at', 'conversation'], name='turns_by_outcome'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('outcome', 'not_known'), ('outcome', 'not_sure'), _connector='OR'), fields=['outcome', 'created_at', 'conversation', 'id'], name='unsure_turns'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('feedback_at__isnull', False)), fields=['feedback_at'], name='turns_by_feedback'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'asking')), fields=('conversation',), name='one_turn_asked_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['next_at'], name='deliveries_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('alarm__isnull', True), ('entry__isnull', True), ('handover__isnull', False), ('subscription__isnull', True), ('turn__isnull', True)), models.Q(('alarm__isnull', False), ('entry__isnull', True), ('handover__isnull', True), ('subscription__isnull', True), ('turn__isnull', True)), models.Q(('alarm__isnull', True), ('entry__isnull', False), ('handover__isnull', True), ('subscription__isnull', True), ('turn__isnull', True)), models.Q(('alarm__isnull', True), ('entry__isnull', True), ('handover__isnull', True), ('subscription__isnull', True), ('turn__isnull', False)), models.Q(('alarm__isnull', True), ('entry__isnull', True), ('handover__isnull', True), ('subscription__isnull', False), ('turn__isnull', True)), _connector='OR'), name='a_delivery_tells_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('entry__isnull', False), ('turn', None)), models.Q(('entry', None), ('turn__isnull', False)), _connector='OR'), name='an_attachment_has_one_place'),
        ),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]

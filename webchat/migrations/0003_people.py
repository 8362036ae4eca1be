import django.db.models.deletion
import django.utils.timezone
import uuid
import webchat.models.customers
from django.conf import settings
from django.db import migrations, models


def name_and_date(apps, schema_editor):
    """A name of its own for each conversation that is there already, and when its last message was sent."""
    Conversation = apps.get_model('webchat', 'Conversation')
    rows = Conversation.objects.annotate(last=models.Max('turns__created_at')).only('started_at')
    batch = []
    for conversation in rows.iterator(chunk_size=1000):
        conversation.public_id = uuid.uuid4()
        conversation.last_at = conversation.last or conversation.started_at
        batch.append(conversation)
        if len(batch) == 1000:
            Conversation.objects.bulk_update(batch, ['public_id', 'last_at'], batch_size=400)
            batch = []
    Conversation.objects.bulk_update(batch, ['public_id', 'last_at'], batch_size=400)


class Migration(migrations.Migration):

    dependencies = [
        ('webchat', '0002_chores'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='IdentityKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What you know it by, such as “shop, 2027”.', max_length=80, verbose_name='name')),
                ('algorithm', models.CharField(choices=[('HS256', 'HS256: a secret that both sides know'), ('RS256', "RS256: the website's RSA key"), ('EdDSA', "EdDSA: the website's Ed25519 key")], default='HS256', max_length=5, verbose_name='algorithm')),
                ('sealed_secret', models.TextField(blank=True, editable=False)),
                ('public_key', models.TextField(blank=True, help_text='For RS256 and EdDSA: -----BEGIN PUBLIC KEY----- …', verbose_name='public key')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='made')),
            ],
            options={
                'verbose_name': 'identity key',
                'verbose_name_plural': 'identity keys',
                'ordering': ['bot', '-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('visitor', models.CharField(default=webchat.models.customers._new_visitor, editable=False, max_length=64, unique=True)),
                ('subject', models.CharField(blank=True, max_length=255, verbose_name='subject')),
                ('name', models.CharField(blank=True, max_length=200, verbose_name='name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
            },
        ),
        migrations.CreateModel(
            name='SpentToken',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='conversation',
            name='one_open_conversation',
        ),
        migrations.AddField(
            model_name='bot',
            name='in_portal',
            field=models.BooleanField(default=False, help_text='People who have signed in find it in the portal.', verbose_name='open to customers'),
        ),
        migrations.AddField(
            model_name='conversation',
            name='is_present',
            field=models.BooleanField(default=True, editable=False, help_text='The one that its surface shows by itself; others are opened by name.'),
        ),
        migrations.AddField(
            model_name='conversation',
            name='last_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text="Kept up to date in people's conversations.", verbose_name='last message'),
        ),
        migrations.AddField(
            model_name='conversation',
            name='public_id',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(name_and_date, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='conversation',
            name='public_id',
            field=models.UUIDField(default=uuid.uuid4, editable=False, help_text='Names it in addresses.', unique=True),
        ),
        migrations.AddField(
            model_name='conversation',
            name='title',
            field=models.CharField(blank=True, help_text="The person's own. Blank: the first message.", max_length=80, verbose_name='title'),
        ),
        migrations.AlterField(
            model_name='conversation',
            name='visitor',
            field=models.CharField(help_text="A hash: of the session's key, or a person's.", max_length=64, verbose_name='visitor'),
        ),
        migrations.AddField(
            model_name='identitykey',
            name='bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identity_keys', to='webchat.bot'),
        ),
        migrations.AddField(
            model_name='person',
            name='bot',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='people', to='webchat.bot'),
        ),
        migrations.AddField(
            model_name='person',
            name='user',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='person', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='conversation',
            name='person',
            field=models.ForeignKey(blank=True, help_text='Who it is, when the visitor has signed in.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='webchat.person'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['visitor', '-last_at', '-public_id'], name='newest_of_a_visitor'),
        ),
        migrations.AddConstraint(
            model_name='conversation',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None), ('is_present', True)), fields=('visitor', 'bot', 'surface'), name='one_open_conversation'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(condition=models.Q(('user', None)), fields=('bot', 'subject'), name='one_person_a_subject'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', False), ('user', None)), models.Q(('bot', None), ('user__isnull', False)), _connector='OR'), name='one_source_a_person'),
        ),
    ]

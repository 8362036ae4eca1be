import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('kiosk', '0008_plainer_help'),
    ]

    operations = [
        migrations.RenameModel(old_name='Ticket', new_name='TransferCode'),
        migrations.AlterField(
            model_name='transfercode',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transfer_codes', to='webchat.conversation'),
        ),
    ]

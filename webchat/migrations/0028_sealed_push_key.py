from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("webchat", "0027_notifications")]

    operations = [migrations.RenameField("pushkey", "sealed", "sealed_pem")]

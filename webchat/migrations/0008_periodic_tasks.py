from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("webchat", "0007_proof_of_work")]

    operations = [migrations.RenameModel("Chore", "PeriodicTask")]

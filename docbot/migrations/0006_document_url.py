from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("docbot", "0005_open_questions_index")]
    operations = [migrations.RenameField("document", "address", "url")]

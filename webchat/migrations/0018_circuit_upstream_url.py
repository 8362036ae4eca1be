"""Only the field's name: the column keeps its own, which processes of the version before still ask during an update."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webchat", "0017_widget_theme")]
    operations = [
        migrations.AlterField(
            "circuit",
            "address",
            models.CharField(db_column="address", max_length=255, primary_key=True, serialize=False),
        ),
        migrations.RenameField("circuit", "address", "upstream_url"),
    ]

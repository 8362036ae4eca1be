"""What the desk calls a customer is one in the code, too. Tables and columns keep their names."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def rename_permissions(apps, schema_editor):
    """Let teams keep the permissions that Django names after the model."""
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="webchat")
    for action in ("add", "change", "delete", "view"):
        permissions.filter(codename=f"{action}_person").update(
            codename=f"{action}_customer", name=f"Can {action} customer"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("webchat", "0053_plain_names"),
    ]

    operations = [
        migrations.AlterModelTable("person", "webchat_person"),
        migrations.RenameModel("Person", "Customer"),
        migrations.AlterField(
            "conversation",
            "person",
            models.ForeignKey(
                blank=True,
                db_column="person_id",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="conversations",
                to="webchat.customer",
            ),
        ),
        migrations.RenameField("conversation", "person", "customer"),
        migrations.AlterField(
            "customer",
            "user",
            models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="customer",
                to=settings.AUTH_USER_MODEL,
                verbose_name="account",
            ),
        ),
        migrations.AlterField(
            "customer",
            "bot",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="customers",
                to="webchat.bot",
                verbose_name="bot",
            ),
        ),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
    ]

"""Gives every team member a role, or leaves them the permissions that they have; nobody sees more bots than before."""

from django.db import migrations, models

MAY_ANSWER = ("webchat", "answer_conversation")


def give_roles(apps, schema_editor):
    """Superusers become owners; whoever may answer visitors and nothing else answers people."""
    User = apps.get_model("auth", "User")
    TeamMember = apps.get_model("webchat", "TeamMember")
    for user in User.objects.filter(is_staff=True):
        name = f"{user.first_name} {user.last_name}".strip() or user.username
        member, _made = TeamMember.objects.get_or_create(user=user, defaults={"name": name[:80]})
        has = {permission for group in user.groups.all() for permission in group.permissions.all()}
        has |= set(user.user_permissions.all())
        if user.is_superuser:
            member.role, member.all_bots = "owner", True
            member.bots.clear()
        else:
            member.all_bots = not member.bots.exists()
            if {(permission.content_type.app_label, permission.codename) for permission in has} == {MAY_ANSWER}:
                member.role = "answers"
                user.user_permissions.clear()
                user.groups.clear()
        member.save()


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("webchat", "0013_page_url"),
    ]

    operations = [
        migrations.AddField(
            model_name="teammember",
            name="role",
            field=models.CharField(
                blank=True,
                choices=[
                    ("owner", "Owner"),
                    ("editor", "Editor"),
                    ("answers", "Answers people"),
                    ("reads", "Reads"),
                ],
                help_text="Blank: Django's permissions alone.",
                max_length=10,
                verbose_name="role",
            ),
        ),
        migrations.AddField(
            model_name="teammember",
            name="all_bots",
            field=models.BooleanField(default=True, verbose_name="all bots"),
        ),
        migrations.AlterField(
            model_name="teammember",
            name="bots",
            field=models.ManyToManyField(blank=True, related_name="team", to="webchat.bot", verbose_name="bots"),
        ),
        migrations.RunPython(give_roles, migrations.RunPython.noop),
    ]

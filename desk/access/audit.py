"""Writes actions other than row changes (exports, tests, sign-ins) into the audit trail."""

from django.conf import settings
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import translation

from docbot.models import TrainedBot
from docbot.signals import done_by_command
from webchat.models import Customer

COMMAND_LINE = "command-line"
FORGOTTEN = "…"  # in place of a name


def record(
    user: AbstractBaseUser, on: Model | type[Model], sentence: str, *names: object, deleted: bool = False
) -> None:
    """Record an action on one row, or on a model if it concerns many. Keep message texts and keys out of it.

    It is stored in English. Each {} becomes a name between isolating characters, which is left out of translation.
    """
    is_row = isinstance(on, Model)
    with translation.override(settings.LANGUAGE_CODE):
        name = str(on)[:200] if is_row else str(on._meta.verbose_name_plural)
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(on),
        object_id=str(on.pk) if is_row else None,
        object_repr=name,
        action_flag=DELETION if deleted else CHANGE,
        change_message=sentence.format(*(f"\u2068{name}\u2069" for name in names)) if names else sentence,
    )


def command_line() -> User:
    """Return the account that stands for management commands; it can't log in."""
    user, made = User.objects.get_or_create(username=COMMAND_LINE, defaults={"is_active": False})
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


@receiver(post_delete, sender=Customer)
@receiver(post_delete, sender=User)
def _forget_name(sender: type[Model], instance: Model, **kwargs: object) -> None:
    """Keep the entries about a deleted customer, without their name."""
    on = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(sender), object_id=instance.pk)
    on.update(object_repr=FORGOTTEN)


@receiver(done_by_command)
def _record_command(sender: object, trained_bot: TrainedBot, sentence: str, **kwargs: object) -> None:
    record(command_line(), trained_bot, sentence)

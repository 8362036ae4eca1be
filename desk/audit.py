"""The audit trail: what owners did beside changing rows, in the same list as their changes."""

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

COMMAND_LINE = "command-line"


def record(user: AbstractBaseUser, on: Model | type[Model], sentence: str, *, deleted: bool = False) -> None:
    """`on`: the row, or the model when it was about many. No message text and no key stands in the sentence."""
    is_row = isinstance(on, Model)
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(on),
        object_id=str(on.pk) if is_row else None,
        object_repr=str(on)[:200] if is_row else str(on._meta.verbose_name_plural),
        action_flag=DELETION if deleted else CHANGE,
        change_message=sentence,
    )


def command_line() -> User:
    """Who it was when somebody with access to the machine did it: an account that can't log in."""
    user, made = User.objects.get_or_create(username=COMMAND_LINE, defaults={"is_active": False})
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user

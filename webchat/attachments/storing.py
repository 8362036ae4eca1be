"""Stores what was sent: the file first, then the turn or message that it belongs to; or neither."""

import datetime
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from webchat.attachments.content import Content
from webchat.conversation.accept import KeyAlreadyUsed
from webchat.limits import rates
from webchat.models import Attachment, Bot, Conversation, Entry, TeamMember, Turn
from webchat.models.conversations.attachments import FOLDER

MOST_OF_A_VISITOR = 50  # in one conversation
STORED_IN = ((Attachment, "file"), (Bot, "face"), (Bot, "logo"), (TeamMember, "picture"))
ABANDONED_AFTER = datetime.timedelta(days=1)


class NoPersonThere(Exception):
    """No person leads the conversation, or its bot takes no files."""


class TooManyFiles(Exception):
    """The visitor has sent as many files as a conversation takes."""


def store_from_visitor(conversation: Conversation, key: uuid.UUID, content: Content, limits: Iterable) -> Turn:
    """Store a file as the visitor's message to the person who leads; the same key twice is the same message.

    Raises NoPersonThere, TooManyFiles, KeyAlreadyUsed, rates.TooManyMessages.
    """
    try:
        with _kept(content) as path, transaction.atomic():
            rates.count_message(conversation.visitor, limits)
            if not (conversation.bot.takes_files and conversation.lock_for_person()):
                raise NoPersonThere
            if conversation.attachments.filter(entry=None).count() >= MOST_OF_A_VISITOR:
                raise TooManyFiles
            conversation.touch()
            turn = Turn.objects.begin(conversation, key, content.name)
            _attach(conversation, path, content, turn=turn)
            return turn
    except IntegrityError as error:
        known = Turn.objects.filter(key=key, conversation=conversation, attachment__isnull=False).first()
        if known is None:
            raise KeyAlreadyUsed from error
        return known


def store_from_person(
    conversation: Conversation, member: TeamMember, key: uuid.UUID, text: str, content: Content
) -> Entry:
    """Store a person's message with a file; the same key twice is the same message. Raises NotLeading."""
    with _kept(content) as path, transaction.atomic():
        entry = conversation.write_message(member, key, text)
        if entry.file is None:
            _attach(conversation, path, content, entry=entry)
        else:
            default_storage.delete(path)
        return entry


def delete_abandoned() -> None:
    """Periodic task: delete files without a row: pictures that were replaced, and what a process that died has left."""
    before = timezone.now() - ABANDONED_AFTER
    for model, name in STORED_IN:
        field = model._meta.get_field(name)
        files = _files(field.upload_to, lambda path: default_storage.get_modified_time(path) < before)
        for path in files - set(model._base_manager.values_list(name, flat=True)):
            default_storage.delete(path)


@contextmanager
def _kept(content: Content) -> Iterator[str]:
    """Store the file before its row, and delete it again if there will be no row; yield its path."""
    ending = PurePosixPath(content.name).suffix
    path = default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}{ending}", ContentFile(content.data))
    try:
        yield path
    except BaseException:
        default_storage.delete(path)
        raise


def _attach(conversation: Conversation, path: str, content: Content, **place: Turn | Entry) -> None:
    Attachment.objects.create(
        conversation=conversation,
        name=content.name,
        content_type=content.content_type,
        size=len(content.data),
        width=content.width,
        height=content.height,
        file=path,
        **place,
    )


def _files(folder: str, chosen: Callable[[str], bool]) -> set[str]:
    try:
        names = default_storage.listdir(folder)[1]
    except FileNotFoundError:
        return set()
    return {path for name in names if chosen(path := f"{folder}/{name}")}

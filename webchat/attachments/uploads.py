"""Which request may bring a file: only the one URL in the page of a conversation with a person.

The URL holds a token, so that this is known before anything of the body is read. The token gives no access: the view
checks the visitor's session as every other does.
"""

from django.core import signing
from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from webchat.attachments.content import MOST_BYTES
from webchat.models import Conversation, Leader, Surface

URL_NAME = "send-file"
FIELD = "file"
OTHER_FIELDS = 64 * 1024  # bytes: the other fields of the form
MOST_BODY = MOST_BYTES + OTHER_FIELDS
_SALT = "webchat send file"


def takes_files(conversation: Conversation | None, surface: str) -> bool:
    """Return whether the visitor may send a file now; a kiosk keeps no files of its visitors."""
    with_person = conversation is not None and conversation.led_by == Leader.PERSON and conversation.ended_at is None
    return with_person and conversation.bot.takes_files and surface != Surface.KIOSK


def upload_url(conversation: Conversation, surface: str) -> str:
    """Return where the visitor's page sends a file."""
    token = signing.dumps(conversation.pk, salt=_SALT)
    return reverse(f"chat:{URL_NAME}", args=[conversation.bot.slug, token], current_app=surface)


def conversation_in(token: str) -> int | None:
    """Return the id of the conversation that the token was made for."""
    try:
        return signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None


def is_expected(request: HttpRequest) -> bool:
    """Return whether the request may bring a file. One statement, and none for other URLs."""
    if request.method != "POST" or f"/{URL_NAME}/" not in request.path_info:
        return False
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return False
    number = conversation_in(match.kwargs["token"]) if match.url_name == URL_NAME else None
    if number is None:
        return False
    conversation = Conversation.objects.filter(pk=number).select_related("bot").first()
    return takes_files(conversation, match.namespace)


def is_too_large(request: HttpRequest) -> bool:
    """Return whether the body was larger than one file may be, so that its file was not read."""
    handler = request.upload_handlers[0]
    return isinstance(handler, OneFile) and handler.is_too_large


class OneFile(FileUploadHandler):
    """Goes before Django's own upload handlers: accepts the form's one file and nothing else.

    Of a body that is too large, only what comes before the file is read: the text that stays in the composer.
    """

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.has_begun = self.is_too_large = False

    def handle_raw_input(self, input_data, META, content_length, boundary, encoding=None) -> None:
        self.is_too_large = content_length > MOST_BODY

    def new_file(self, field_name: str, *args: object, **kwargs: object) -> None:
        super().new_file(field_name, *args, **kwargs)
        if self.is_too_large:
            raise StopUpload(connection_reset=True)  # the rest of the body is not read
        if field_name != FIELD or self.has_begun:
            raise SuspiciousOperation("One file, and no other.")  # not skipped: Django closes all files then
        self.has_begun = True

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None

"""Limits how many requests compute at a time, how large their bodies are, and which may bring files."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.files.uploadhandler import (
    FileUploadHandler,
    MemoryFileUploadHandler,
    SkipFile,
    TemporaryFileUploadHandler,
)
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse

from outbound import concurrency_limit
from webchat.attachments import uploads

DESK, ENDPOINT = "/admin/", "/api/public/"
MULTIPART = "multipart/form-data"  # the one kind of form that can bring files


class NoFiles(FileUploadHandler):
    """Refuses a multipart body that is too large before reading it, and drops files."""

    def handle_raw_input(self, input_data, META, content_length, boundary, encoding=None) -> None:
        if content_length > settings.FORM_MAX_BYTES:
            raise RequestDataTooBig("Forms outside the desk are short.")

    def new_file(self, *args: object, **kwargs: object) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Required by the base class; never called, because new_file skips the file."""

    def file_complete(self, file_size: int) -> None:
        return None


class RequestLimitsMiddleware:
    """Runs before everything that reads a form, but after NothingNewMiddleware, whose answers need no limit.

    The chat endpoint has its own limit, DOCBOT_REQUEST_MAX_BYTES.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.content_type == MULTIPART and not request.path_info.startswith(DESK):
            request.upload_handlers = _handlers(request)
        with concurrency_limit.computing():
            return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: tuple, kwargs: dict) -> None:
        """Check here, not in __call__: the error page needs the resolved view to keep the text in the composer."""
        # No browser sends this character, and PostgreSQL can't look for it.
        if "%00" in request.META["QUERY_STRING"] or "\0" in "".join(request.COOKIES.values()):
            raise BadRequest("A NUL character in the query or in a cookie.")
        length = request.headers.get("Content-Length") or "0"
        if length == "0" or request.path_info.startswith(ENDPOINT):  # without a body there is no user to look up
            return
        if request.path_info.startswith(DESK):
            if request.user.is_staff:
                return
            request.upload_handlers = [NoFiles(request)]
        if request.content_type == MULTIPART and isinstance(request.upload_handlers[0], uploads.OneFile):
            # It may come slowly: read it before anything else, without a database connection.
            close_old_connections()
            with concurrency_limit.waiting():
                request.POST  # noqa: B018 - reads the body
        elif length.isdecimal() and int(length) > settings.FORM_MAX_BYTES:
            raise RequestDataTooBig("Forms outside the desk are short.")


def _handlers(request: HttpRequest) -> list[FileUploadHandler]:
    """Choose the upload handlers before the body is read: in a frame the session is a field of the form."""
    if not uploads.is_expected(request):
        return [NoFiles(request)]
    close_old_connections()
    return [uploads.OneFile(request), MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]

"""Limits requests: small bodies without files outside the desk, and UTF-8 only."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, HttpResponse

DESK, ENDPOINT = "/admin/", "/api/public/"


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
    """Runs before everything that reads a form. The chat endpoint has its own limit, DOCBOT_REQUEST_MAX_BYTES."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(DESK):
            request.upload_handlers = [NoFiles(request)]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: tuple, kwargs: dict) -> None:
        """Check here, not in __call__: the error page needs the resolved view to keep the text in the composer."""
        if request.path_info.startswith((DESK, ENDPOINT)):
            return
        length = request.headers.get("Content-Length") or "0"
        if length.isdecimal() and int(length) > settings.FORM_MAX_BYTES:
            raise RequestDataTooBig("Forms outside the desk are short.")


_CHARSET = re.compile(r";\s*charset[^;]*", re.IGNORECASE)
_UTF_8 = re.compile(r';\s*charset\s*=\s*"?utf-?8"?\s*', re.IGNORECASE)


def always_utf_8(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """WSGI middleware: treat text as UTF-8, whatever charset the Content-Type names.

    Django decodes the query string with that charset before it can show an error page, and some of Python's codecs
    can't decode a form. The chat endpoint still sees that another charset was named.
    """

    def with_utf_8(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        content_type = environ.get("CONTENT_TYPE", "")
        if named := _CHARSET.findall(content_type):
            unknown = "" if all(map(_UTF_8.fullmatch, named)) else "; charset=unknown"
            environ["CONTENT_TYPE"] = _CHARSET.sub("", content_type) + unknown
        return application(environ, start_response)

    return with_utf_8

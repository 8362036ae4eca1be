"""Hands out a file so that nothing in it can run: sandboxed, never sniffed, and a PDF only as a download.

In a frame a picture is requested without a cookie, so its URL has a token that is valid for some minutes.
"""

from django.core import signing
from django.http import FileResponse, Http404, HttpResponse

from webchat.conversation.responses import private
from webchat.models import Attachment

POLICY = "sandbox; default-src 'none'"
SECONDS = 5 * 60
_SALT = "webchat picture in a frame"


def hand_out(attachment: Attachment, *, as_download: bool = False) -> HttpResponse:
    """Respond with the file, to somebody who may see it. Raises Http404 if it is gone."""
    try:
        file = attachment.file.open("rb")
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(
        file,
        content_type=attachment.content_type,
        as_attachment=as_download or not attachment.is_picture,
        filename=attachment.name,
    )
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    return private(response)


def frame_token(attachment: Attachment) -> str:
    return signing.dumps(str(attachment.key), salt=_SALT)


def is_valid_in_frame(attachment: Attachment, token: str) -> bool:
    try:
        return signing.loads(token, salt=_SALT, max_age=SECONDS) == str(attachment.key)
    except signing.BadSignature:
        return False

"""Finds out what a file is by its content alone: pictures are re-encoded, PDFs checked, everything else refused.

The name and the type that a browser sends decide nothing.
"""

import io
import re
import threading
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.core.files.uploadedfile import UploadedFile
from PIL import Image

from outbound import concurrency_limit
from webchat.appearance import pictures

MOST_BYTES = 10 * 1024 * 1024
LONGEST_SIDE = 2560  # px, enough to read a scanned page; larger pictures are scaled down
LONGEST_NAME = 80  # characters, without its ending
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
PDF = "application/pdf"
ACCEPT = f"image/jpeg,image/png,image/webp,image/gif,{PDF}"

_drawing = threading.Lock()  # one at a time: a picture takes up to 310 MB
# A PDF ends by saying where its table of objects is (ISO 32000-1, 7.5.5).
_PDF_END = re.compile(rb"startxref\s+(\d{1,10})\s+%%EOF")
_PDF_TABLE = re.compile(rb"\s*(?:xref\b|\d+\s+\d+\s+obj\b)")
_PDF_TAIL = 2048  # bytes at the end that contain it


class Unusable(Exception):
    """The file isn't accepted; `code` says why: TOO_LARGE, TOO_MANY_PIXELS or UNKNOWN_CONTENT."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Content:
    """A file that may be stored and shown. `width` and `height` are a picture's."""

    name: str
    content_type: str
    data: bytes
    width: int | None = None
    height: int | None = None


def check(given: UploadedFile) -> Content:
    """Return what of the file may be stored. Raises Unusable."""
    if given.size > MOST_BYTES:
        raise Unusable("TOO_LARGE")
    given.seek(0)
    data = given.read()
    if data.startswith(b"%PDF-"):
        if not _is_pdf(data):
            raise Unusable("UNKNOWN_CONTENT")
        return Content(presentable(given.name, ".pdf"), PDF, data)
    return _redrawn(given.name, data)


def presentable(name: str | None, ending: str) -> str:
    """Return the name to show: no folders, nothing invisible or that reverses text, and the ending of the content."""
    last = re.split(r"[/\\]", name or "")[-1]
    seen = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in last)
    stem = PurePosixPath(" ".join(seen.split()).strip(" .")).stem
    return (stem[:LONGEST_NAME].strip(" .") or "file") + ending


def _is_pdf(data: bytes) -> bool:
    """Return whether it begins and ends as a PDF, and has its table of objects where it says.

    Path not taken: opening it with a PDF library in the serving process. It is only ever handed out as a download.
    """
    ends = _PDF_END.findall(data[-_PDF_TAIL:])
    return bool(ends) and _PDF_TABLE.match(data, int(ends[-1])) is not None


def _redrawn(name: str | None, data: bytes) -> Content:
    """Re-encode the first picture of the file from its pixels: nothing else in the file is kept."""
    try:
        with concurrency_limit.waiting(), _drawing:  # other threads compute: Pillow releases the interpreter lock
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            if pictures.is_too_large(picture):
                raise Unusable("TOO_MANY_PIXELS")
            is_photo = picture.format in pictures.PHOTOS
            picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a large photo is decoded at a smaller size
            picture = pictures.upright(picture)
            picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            picture = picture.convert("RGB" if is_photo else "RGBA")
            picture.info.clear()
            written = io.BytesIO()
            picture.save(written, "JPEG" if is_photo else "WEBP", quality=88, method=2)
    except Image.DecompressionBombError as error:
        raise Unusable("TOO_MANY_PIXELS") from error
    except pictures.UNREADABLE as error:
        raise Unusable("UNKNOWN_CONTENT") from error
    ending, content_type = (".jpg", "image/jpeg") if is_photo else (".webp", "image/webp")
    return Content(presentable(name, ending), content_type, written.getvalue(), *picture.size)

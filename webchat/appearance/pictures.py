"""An owner's pictures, made small and harmless: re-encoded from their pixels, so that nothing else is kept."""

import hashlib
import io

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

FACE = (256, 256)  # px
LOGO = (512, 96)
MOST_BYTES = 5 * 1024 * 1024
MOST_PIXELS = 40_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")


def face(given: UploadedFile) -> ContentFile:
    """Return a square cut out of the middle. Raises ValidationError."""
    return _as_webp(ImageOps.fit(_opened(given), FACE))


def logo(given: UploadedFile) -> ContentFile:
    """Return the whole picture, made to fit. Raises ValidationError."""
    picture = _opened(given)
    picture.thumbnail(LOGO)
    return _as_webp(picture)


def _opened(given: UploadedFile) -> Image.Image:
    unreadable = ValidationError(_("Choose a picture as PNG, JPEG, WebP or GIF, of at most 5 MB."))
    if given.size > MOST_BYTES:
        raise unreadable
    try:
        given.seek(0)
        picture = Image.open(given, formats=FORMATS)
        if picture.width * picture.height > MOST_PIXELS:
            raise unreadable
        return ImageOps.exif_transpose(picture).convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise unreadable from error


def _as_webp(picture: Image.Image) -> ContentFile:
    """Return a file named after its content, so that its URL changes with it."""
    written = io.BytesIO()
    picture.save(written, "WEBP", quality=85)
    content = written.getvalue()
    return ContentFile(content, name=f"{hashlib.sha256(content).hexdigest()[:16]}.webp")

"""An owner's pictures, made small and harmless: re-encoded from their pixels, so that nothing else is kept."""

import hashlib
import io
import struct

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from PIL import ExifTags, Image

FACE = (256, 256)  # px
LOGO = (512, 96)
DARK = 80  # of 255: shades below it are lost on a dark page
MOST_BYTES = 5 * 1024 * 1024
# A large photo is decoded at a smaller size; any other picture whole, which takes up to 20 bytes a pixel meanwhile.
MOST_PIXELS_OF_A_PHOTO, MOST_PIXELS = 40_000_000, 16_000_000
PHOTOS = ("JPEG", "MPO")  # MPO: a phone's JPEG with a second picture in it
# Of a picture that travels in a form: Django takes 2.5 MB. The first size is enough for a face at the largest zoom.
UNCUT, UNCUT_NOISE, MOST_UNCUT_BYTES = (1024, 1024), (512, 512), 1024 * 1024
DRAFT = (2048, 2048)  # px, at least, of an owner's photo: enough for a face at the largest zoom
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
# What Pillow raises for damaged pictures.
UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, TypeError, struct.error)
_TURNS = {  # by EXIF's orientation
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def face(given: UploadedFile, zoom: float = 1, across: float = 50, down: float = 50) -> ContentFile:
    """Return a square cut out of the picture: as large as fits at zoom 1, and by default of the middle.

    `across` and `down` say where it is, in per cent from the left and from the top. Raises ValidationError.
    """
    picture = _opened(given)
    side = min(picture.size) / zoom
    left, top = (picture.width - side) * across / 100, (picture.height - side) * down / 100
    return _as_webp(picture.resize(FACE, box=(left, top, left + side, top + side)))


def logo(given: UploadedFile) -> ContentFile:
    """Return the whole picture, made to fit; the name of one that is lost on a dark page begins with "dark-".

    Raises ValidationError.
    """
    picture = _opened(given)
    picture.thumbnail(LOGO)
    return _as_webp(picture, "dark-" if _is_dark(picture) else "")


def uncut(given: UploadedFile) -> ContentFile:
    """Return the whole picture, small enough to travel in a form. Raises ValidationError."""
    picture = _opened(given)
    picture.thumbnail(UNCUT)
    written = _as_webp(picture)
    if written.size > MOST_UNCUT_BYTES:
        picture.thumbnail(UNCUT_NOISE)
        written = _as_webp(picture)
    return written


def upright(picture: Image.Image) -> Image.Image:
    """Return the picture turned as its camera says.

    Path not taken: Pillow's exif_transpose, which also rewrites the other metadata and fails if some of it is damaged.
    """
    picture.load()
    method = _TURNS.get(picture.getexif().get(ExifTags.Base.Orientation))
    return picture if method is None else picture.transpose(method)


def is_too_large(picture: Image.Image) -> bool:
    """Return whether it has more pixels than we decode. Nothing has been decoded by then."""
    most = MOST_PIXELS_OF_A_PHOTO if picture.format in PHOTOS else MOST_PIXELS
    return picture.width * picture.height > most


def _opened(given: UploadedFile) -> Image.Image:
    unreadable = ValidationError(_("Choose a picture as PNG, JPEG, WebP or GIF, of at most 5 MB."))
    if given.size > MOST_BYTES:
        raise unreadable
    try:
        given.seek(0)
        picture = Image.open(given, formats=FORMATS)
        if is_too_large(picture):
            raise ValidationError(_("This picture has too many pixels."))
        picture.draft("RGB", DRAFT)
        return upright(picture).convert("RGBA")
    except (*UNREADABLE, Image.DecompressionBombError) as error:
        raise unreadable from error


def _is_dark(picture: Image.Image) -> bool:
    """Return whether much of a logo is dark, without a ground of its own."""
    visible = picture.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0)
    shades = picture.convert("L").histogram(visible)
    return sum(shades[:DARK]) > sum(shades) / 3 and sum(shades) < picture.width * picture.height * 0.95


def _as_webp(picture: Image.Image, start: str = "") -> ContentFile:
    """Return a file named after its content, so that its URL changes with it."""
    written = io.BytesIO()
    picture.save(written, "WEBP", quality=85)
    content = written.getvalue()
    return ContentFile(content, name=f"{start}{hashlib.sha256(content).hexdigest()[:16]}.webp")

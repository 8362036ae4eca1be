"""Files to send: valid, disguised and malicious ones."""

import io
import struct
import zlib

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image
from PIL.PngImagePlugin import PngInfo

PDF = b"""%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [] /Count 0 >>
endobj
xref
0 3
0000000000 65535 f
0000000009 00000 n
0000000058 00000 n
trailer
<< /Size 3 /Root 1 0 R >>
startxref
110
%%EOF
"""
HTML = b"<!doctype html><script>alert(document.domain)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), **more: object) -> bytes:
    mode = "RGB" if kind == "JPEG" else "RGBA"
    file = io.BytesIO()
    Image.new(mode, size, "red").save(file, kind, **more)
    return file.getvalue()


def large_picture() -> bytes:
    """Return a picture of three megabytes: an upload too large to be kept in memory."""
    file = io.BytesIO()
    Image.effect_noise((1000, 1000), 200).convert("RGB").save(file, "PNG", compress_level=0)
    return file.getvalue()


def with_secrets(kind: str) -> bytes:
    """Return a picture with a location, a comment, and text after its end."""
    exif = Image.Exif()
    exif[0x010E] = "a secret place"
    more: dict[str, object] = {"exif": exif.tobytes()}
    if kind == "PNG":
        more["pnginfo"] = PngInfo()
        more["pnginfo"].add_text("Comment", "a secret place")
    if kind == "JPEG":
        more["comment"] = b"a secret place"
    return picture(kind, **more) + b"a secret place" + HTML


def bomb(side: int = 20_000) -> bytes:
    """Return a PNG of some kilobytes that decompresses to gigabytes of pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((side // 8 + 1) * 64), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def upload(content: bytes, name: str = "photo.png", content_type: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type)

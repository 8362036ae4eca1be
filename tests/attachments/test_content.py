"""Files are checked by their content: PDFs are kept as they are, pictures are redrawn, all else is refused."""

import io
import struct

import pytest
from PIL import Image

from tests.attachments.files import HTML, PDF, SVG, bomb, picture, upload, with_secrets
from webchat.attachments import content

UNKNOWN = "UNKNOWN_CONTENT"


@pytest.mark.parametrize(
    ("kind", "becomes", "ending"), [("JPEG", "image/jpeg", ".jpg"), ("GIF", "image/webp", ".webp")]
)
def test_a_picture_is_re_encoded(kind, becomes, ending):
    checked = content.check(upload(picture(kind), "My photo.exe", "application/x-msdownload"))
    assert (checked.name, checked.content_type) == (f"My photo{ending}", becomes)
    assert (checked.width, checked.height) == (40, 30)
    assert Image.open(io.BytesIO(checked.data)).size == (40, 30)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_only_the_pixels_of_a_picture_are_kept(kind):
    given = with_secrets(kind)
    assert b"a secret place" in given
    drawn = content.check(upload(given)).data
    assert b"secret" not in drawn
    assert b"script" not in drawn
    assert not Image.open(io.BytesIO(drawn)).getexif()


def test_a_photo_that_was_taken_sideways_is_turned_upright_also_if_its_exif_data_is_damaged():
    exif = Image.Exif()
    exif[0x0112] = 6
    program = struct.pack("<HHII", 0x0131, 12, 1, 0)  # the tag "Software" as a number instead of text
    damaged = b"Exif\0\0II*\0\x08\0\0\0\x02\0" + struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + program + bytes(4)
    for data in (exif.tobytes(), damaged):
        checked = content.check(upload(picture("JPEG", (40, 20), exif=data)))
        assert (checked.width, checked.height) == (20, 40)


def test_a_large_picture_is_scaled_down():
    checked = content.check(upload(picture("JPEG", (6000, 3000))))
    assert max(checked.width, checked.height) <= content.LONGEST_SIDE
    assert checked.width == 2 * checked.height


def test_a_pdf_is_kept_as_it_is():
    checked = content.check(upload(PDF, "Invoice 7.PDF", "text/html"))
    assert (checked.name, checked.content_type, checked.data) == ("Invoice 7.pdf", "application/pdf", PDF)


@pytest.mark.parametrize(
    ("code", "given"),
    {
        "nothing": (UNKNOWN, lambda: b""),
        "a page that is called a picture": (UNKNOWN, lambda: HTML),
        "a drawing that can run scripts": (UNKNOWN, lambda: SVG),
        "a picture that was cut off": (UNKNOWN, lambda: picture("JPEG", (400, 400))[:200]),
        "a page behind a PDF's first bytes": (UNKNOWN, lambda: b"%PDF-1.4\n" + HTML),
        "a PDF without its cross-reference table": (UNKNOWN, lambda: PDF.replace(b"\n110\n", b"\n9999999\n")),
        "a PDF that was cut off": (UNKNOWN, lambda: PDF[:100]),
        "a bomb": ("TOO_MANY_PIXELS", lambda: bomb()),
        "too many pixels": ("TOO_MANY_PIXELS", lambda: picture("PNG", (4001, 4000))),
        "eleven megabytes": ("TOO_LARGE", lambda: picture("PNG") + bytes(11 * 1024 * 1024)),
    }.values(),
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_anything_else_is_refused(code, given):
    with pytest.raises(content.Unusable) as refused:
        content.check(upload(given()))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("given", "shown"),
    {
        "../../etc/passwd": "passwd.pdf",
        "C:\\Users\\ada\\scan.pdf": "scan.pdf",
        "invoice\u202efdp.exe": "invoice fdp.pdf",
        "a\r\nSet-Cookie: x.pdf": "a Set-Cookie: x.pdf",
        "": "file.pdf",
        f"{'x' * 300}.pdf": f"{'x' * 80}.pdf",
    }.items(),
)
def test_a_file_name_is_cleaned_so_that_it_misleads_nobody(given, shown):
    assert content.presentable(given, ".pdf") == shown

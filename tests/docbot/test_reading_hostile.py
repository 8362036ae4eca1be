"""Broken, encrypted and malicious files: each is named with a reason, in bounded time and memory."""

import io
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import pytest

from docbot.reading import Unreadable
from docbot.reading.sandboxed_reader import Reader
from tests.docbot.made_files import docx, epub, pdf, zipped

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "laugh">'
    + "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 12))
    + "]>"
)
STOLEN = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY stolen SYSTEM "file:///etc/passwd">]>'


@cache
def zip_bomb() -> bytes:
    return zipped({"word/document.xml": b"\0" * (60 << 20)})


def encrypted_zip() -> bytes:
    content = bytearray(zipped({"word/document.xml": "x"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the encryption flag in the central directory
    return bytes(content)


def many_members() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"{number}", b"")
    return buffer.getvalue()


def lying_member() -> bytes:
    """Return an archive that declares 10 bytes for a member of 9 MB."""
    content = bytearray(zipped({"word/document.xml": b"\0" * (9 << 20)}))
    place = content.index(b"PK\x01\x02")
    content[place + 24 : place + 28] = (10).to_bytes(4, "little")
    return bytes(content)


def workbook_of_laughs() -> bytes:
    return zipped({"[Content_Types].xml": LAUGHS + "<Types>&l11;</Types>", "xl/workbook.xml": LAUGHS + "<x>&l11;</x>"})


HOSTILE = [
    ("bomb.docx", zip_bomb, "zip bombs"),
    ("bomb.xlsx", zip_bomb, "zip bombs"),
    ("bomb.epub", zip_bomb, "zip bombs"),
    ("many.docx", many_members, "to too much"),
    ("lying.docx", lying_member, "damaged"),
    ("locked.docx", encrypted_zip, "encrypted with a password"),
    ("locked.xlsx", lambda: OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted with a password"),
    ("old.docx", lambda: OLE + b"Word.Document.8", "it is an old Office file"),
    ("laughs.docx", lambda: docx(("", "&l11;"), doctype=LAUGHS), "XML entities"),
    ("stolen.docx", lambda: docx(("", "&stolen;"), doctype=STOLEN), "XML entities"),
    ("laughs.xlsx", workbook_of_laughs, "XML entities|damaged"),
    ("laughs.pptx", workbook_of_laughs, "damaged"),
    ("empty.docx", lambda: docx(), "no text"),
    ("not.docx", lambda: zipped({"a.txt": "hello"}), "damaged"),
    ("not.pptx", lambda: zipped({"a.txt": "hello"}), "damaged"),
    ("not.xlsx", lambda: zipped({"a.txt": "hello"}), "damaged"),
    ("not.epub", lambda: zipped({"a.txt": "hello"}), "damaged"),
    ("half.docx", lambda: docx(("", "Text."))[:-100], "damaged"),
    ("drm.epub", lambda: epub("x", encryption="http://www.w3.org/2001/04/xmlenc#aes128-cbc"), "DRM"),
    ("locked.pdf", lambda: pdf([(10, "Secret")], is_locked=True), "encrypted with a password"),
    ("half.pdf", lambda: pdf([(10, "Text")])[:200], "damaged"),
    ("noise.pdf", lambda: b"%PDF-1.7\n" + bytes(range(256)) * 50, "damaged"),
    ("blank.pdf", lambda: pdf([]), "no text"),
    ("is.md", lambda: pdf([(10, "Text")]), "but it is a PDF"),
    ("is.pdf", lambda: b"# Markdown\n\nText.", "but it is not a PDF"),
    ("is.txt", lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "it is a picture"),
    ("is.csv", lambda: zipped({"a": "b"}), "zip archive"),
    ("binary.txt", lambda: bytes(range(256)) * 10, "binary data"),
    ("empty.vtt", lambda: b"WEBVTT\n\n", "no text"),
    ("none.srt", lambda: b"This is no subtitle.", "no text|damaged"),
    ("empty.csv", lambda: b",,,\n,,,\n", "no text"),
    ("program.exe", lambda: b"MZ", "can’t be read"),
]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with closing(Reader(seconds=20, megabytes=700)) as reader:
        yield reader


@pytest.mark.parametrize(("name", "make", "reason"), HOSTILE, ids=[name for name, _, _ in HOSTILE])
def test_a_file_that_cannot_be_read_says_why(reader, name, make, reason):
    content = make()
    with pytest.raises(Unreadable, match=reason) as refused:
        reader.read(content, name)
    assert "Error" not in str(refused.value)  # an exception's name
    assert reader.read(b"# Still\n\nAlive.", "a.md").title == "Still"


DEEP = [
    ("deep.html", b"<div>" * 100_000 + b"Text."),
    ("deep.md", b"> " * 20_000 + b"Text."),
    ("deep.html", b"<ul><li>" * 20_000 + b"Text."),
    ("deep.html", b"<table><tr><td>" * 5_000 + b"Text."),
    ("links.md", b"[a](" * 50_000),
    ("stars.md", b"*a **b " * 30_000),
    ("cells.html", b"<table><tr><td colspan=1000000000 rowspan=1000000000>A<td>B</table>"),
    ("long.txt", b"word" * 2_000_000),
    ("lines.txt", b"a\n" * 300_000),
    ("rows.csv", b"a,b,c\n" * 100_000),
    ("quote.csv", b'"' + b"a,b\n" * 300_000),
    ("tags.html", b"<a " * 500_000),
]


@pytest.fixture(scope="module")
def impatient_reader() -> Iterator[Reader]:
    with closing(Reader(seconds=3, megabytes=700)) as reader:
        yield reader


@pytest.mark.parametrize(("name", "content"), DEEP)
def test_a_file_made_to_take_forever_ends_in_time(impatient_reader, name, content):
    """Whether it is read doesn't matter, as long as it ends and the next file is read."""
    began = time.monotonic()
    with suppress(Unreadable):
        impatient_reader.read(content, name)
    assert time.monotonic() - began < 10
    assert impatient_reader.read(b"# Still\n\nAlive.", "a.md").title == "Still"


@pytest.mark.parametrize(
    ("seconds", "megabytes", "name", "content", "reason"),
    [
        (1, 1024, "slow.md", b"# Title\n\n" + b"*a **b `c [d](e) <f> \n" * 300_000, "takes too long"),
        (60, 256, "many.csv", b"a,b,c,d,e,f,g,h\n" * 3_000_000, "too much memory"),
    ],
    ids=["time", "memory"],
)
def test_a_reader_that_takes_too_much_is_killed_and_the_next_file_is_read(seconds, megabytes, name, content, reason):
    with closing(Reader(seconds=seconds, megabytes=megabytes)) as reader:
        with pytest.raises(Unreadable, match=reason):
            reader.read(content, name)
        assert reader.read(b"# Still\n\nAlive.", "a.md").title == "Still"


def test_the_reading_process_has_no_secrets_in_its_environment(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "very secret")
    with closing(Reader(seconds=5, megabytes=700)) as reader:
        reader.read(b"Text.", "a.txt")
        environment = Path(f"/proc/{reader._process.pid}/environ").read_text()
    assert "very secret" not in environment

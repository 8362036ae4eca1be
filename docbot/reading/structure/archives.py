"""Opens zip archives, which Office files and e-books are, unless they are encrypted or made to fill the memory."""

import io
import zipfile
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from docbot.reading import Unreadable

MOST_MEMBERS = 10_000
MOST_BYTES = 500 << 20  # unpacked
MOST_RATIO = 200  # unpacked to packed; text in a large spreadsheet reaches 50
HARMLESS = 20 << 20  # unpacked bytes below which the ratio doesn't matter


def opened(content: bytes) -> zipfile.ZipFile:
    """Open the archive; no member may unpack to more than it says, nor all of them to more than memory allows."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    if any(member.flag_bits & 1 for member in members):
        raise Unreadable("it is encrypted with a password")
    # zipfile stops at the size that a member declares, so the declared sizes bound what unpacking gives.
    if len(members) > MOST_MEMBERS or unpacked > MOST_BYTES:
        raise Unreadable("it unpacks to too much", f"{unpacked >> 20:,} MB in {len(members):,} parts")
    packed = min(sum(member.compress_size for member in members), len(content))
    if unpacked > HARMLESS and unpacked > MOST_RATIO * packed:
        raise Unreadable("it unpacks to too much", f"{unpacked // max(packed, 1):,} times its size, as zip bombs do")
    return archive


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of one member; empty if there is none with that name."""
    return archive.read(name) if name in archive.namelist() else b""


def xml(archive: zipfile.ZipFile, name: str) -> Element:
    """Parse one member; an empty element if there is none with that name."""
    content = member(archive, name)
    return fromstring(content) if content else Element("none")


def text(root: Element, name: str) -> str:
    """Return the text of the first element with this name, in any namespace."""
    found = root.find(f".//{{*}}{name}")
    return " ".join("".join(found.itertext()).split()) if found is not None else ""

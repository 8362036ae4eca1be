"""Small files of every kind that docbot reads, made here so that the tests need no binary fixtures."""

import io
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(
    *paragraphs: tuple[str, str], table: Sequence[Sequence[str]] = (), title: str = "", doctype: str = ""
) -> bytes:
    """Return a Word document of (style, text) paragraphs, with a table at its end."""
    styles = dict.fromkeys(style for style, _ in paragraphs if style)
    body = ""
    for style, text in paragraphs:
        marked = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        body += f"<w:p>{marked}<w:r><w:t>{text}</w:t></w:r></w:p>"
    if table:
        rows = ("".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row) for row in table)
        body += "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{types}"><Default Extension="rels" ContentType="application/'
            'vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{main}.document.main+xml"/>'
            f'<Override PartName="/word/styles.xml" ContentType="{main}.styles+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{relation}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" '
            f'Type="{relation}/styles" Target="styles.xml"/></Relationships>',
            "word/styles.xml": f'<w:styles xmlns:w="{W}">'
            + "".join(
                f'<w:style w:type="paragraph" w:styleId="{style}"><w:name w:val="{style}"/></w:style>'
                for style in styles
            )
            + "</w:styles>",
            "word/document.xml": f'{doctype}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
            "docProps/core.xml": '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
            f'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title>'
            "</cp:coreProperties>",
        }
    )


def epub(*chapters: str, title: str = "", encryption: str = "") -> bytes:
    """Return an e-book whose chapters are given as HTML bodies."""
    opf = "http://www.idpf.org/2007/opf"
    members: dict[str, str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": f'<package xmlns="{opf}" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f"<dc:title>{title}</dc:title><dc:language>en-GB</dc:language></metadata><manifest>"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        + "".join(
            f'<item id="c{number}" href="text/c%20{number}.xhtml" media-type="application/xhtml+xml"/>'
            for number in range(len(chapters))
        )
        + '</manifest><spine><itemref idref="nav"/>'
        + "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
        + "</spine></package>",
        "OEBPS/nav.xhtml": "<html><body><p>Table of contents that nobody wants to read</p></body></html>",
    }
    for number, chapter in enumerate(chapters):
        members[f"OEBPS/text/c {number}.xhtml"] = (
            '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
            f"<body>{chapter}</body></html>"
        )
    if encryption:
        members["META-INF/encryption.xml"] = (
            '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod '
            f'Algorithm="{encryption}"/></enc:EncryptedData></encryption>'
        )
    return zipped(members)


# Size, text, font: F1 regular, F2 bold. Several texts are a table's row, each in a frame.
Line = tuple[float, str] | tuple[float, str, str] | tuple[float, Sequence[str]]


def pdf(*pages: Sequence[Line], title: str = "", is_locked: bool = False) -> bytes:
    """Return a PDF of lines from top to bottom, each with its font size; no password opens a locked one."""
    objects: list[bytes] = [b"", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>")
    objects.append(f"<</Title({title})>>".encode())
    kids = []
    for lines in pages:
        stream = _page(lines)
        number = len(objects) + 1
        kids.append(f"{number + 1} 0 R")
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>" % number
        )
    objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    encrypt = ""
    if is_locked:
        objects.append(f"<</Filter/Standard/V 1/R 2/O<{'6f' * 32}>/U<{'75' * 32}>/P -4>>".encode())
        encrypt = f"/Encrypt {len(objects)} 0 R/ID[<{'69' * 16}><{'69' * 16}>]"
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(f"trailer<</Size {len(objects) + 1}/Root 1 0 R/Info 5 0 R{encrypt}>>\n".encode())
    out.write(b"startxref\n%d\n%%%%EOF" % table)
    return out.getvalue()


def _page(lines: Sequence[Line]) -> bytes:
    parts = []
    place = 800.0
    for size, text, *font in lines:
        place -= 1.2 * size if text else size
        cells = [text] if isinstance(text, str) else text
        for left, cell in zip(range(60, 560, 100), cells, strict=False):
            escaped = cell.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            if cells is text:
                parts.append(f"{left - 4} {place - 0.3 * size:.1f} 100 {1.2 * size:.1f} re S")
            if cell:
                parts.append(f"BT /{font[0] if font else 'F1'} {size} Tf {left} {place:.1f} Td ({escaped}) Tj ET")
    return "\n".join(parts).encode("cp1252")

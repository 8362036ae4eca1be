"""The documents of twelve small businesses that don't exist, each in several formats.

`shop/` holds their content: `.md`, `.html` and `.csv` as they are; for Word and PDF (`.docx.txt`, `.pdf.txt`) the text,
with `#` before a heading; for a workbook (`.xlsx/`) a table for each sheet.
"""

import csv
import shutil
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

SHOP = Path(__file__).parent / "shop"
WORD = {"#": "Heading1", "##": "Heading2"}
LARGE = {"#": 22, "##": 15}  # points


def write_documents(business: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source in (SHOP / business).iterdir():
        made = folder / source.name.removesuffix(".txt")
        if source.name.endswith(".docx.txt"):
            made.write_bytes(word(source.read_text(encoding="utf-8").splitlines()))
        elif source.name.endswith(".pdf.txt"):
            made.write_bytes(print_pages(source.read_text(encoding="utf-8").split("\n\f\n")))
        elif source.is_dir():
            workbook(source).save(made)
        else:
            shutil.copyfile(source, made)


def heading(line: str) -> tuple[str, str]:
    """Split a line into its heading marks ("" if it is no heading) and its text."""
    marks, _, text = line.partition(" ")
    return (marks, text) if marks in WORD else ("", line)


def word(lines: list[str]) -> bytes:
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    paragraphs = [heading(line) for line in lines if not line.startswith("| ")]
    return docx(*((WORD.get(marks, ""), text) for marks, text in paragraphs), table=rows, title=paragraphs[0][1])


def print_pages(pages: list[str]) -> bytes:
    printed = [[print_line(*heading(line)) for line in page.splitlines()] for page in pages]
    return pdf(*printed, title=printed[0][0][1])


def print_line(marks: str, text: str) -> tuple:
    """Print one line, a heading in its own size and font."""
    return (LARGE[marks], text, "F2") if marks else (11, text)


def workbook(folder: Path) -> Workbook:
    made = Workbook()
    made.remove(made.active)
    for table in sorted(folder.iterdir()):
        sheet = made.create_sheet(table.stem)
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                sheet.append([as_number(cell) for cell in row])
    return made


def as_number(cell: str) -> str | int | float:
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell

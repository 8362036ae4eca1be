"""Reading office documents, e-books, PDFs, spreadsheets and subtitles."""

import datetime
import io

import openpyxl
import pytest
from PIL import Image
from pptx import Presentation

from docbot.content import ReadDocument, Section
from docbot.reading import Unreadable, read
from tests.docbot.made_files import docx, epub, pdf

LINE = "This is a line of the usual text that is long enough to be broken at the"


def save_to_bytes(maker: object) -> bytes:
    buffer = io.BytesIO()
    maker.save(buffer)
    return buffer.getvalue()


def test_a_word_document_keeps_title_headings_and_tables():
    content = docx(
        ("Title", "Handbook"),
        ("heading 1", "Holidays"),
        ("", "Everybody has 28 days."),
        ("heading 2", "Are they paid?"),
        ("", "Yes."),
        ("heading 1", "Hours"),
        table=[["Day", "From", "To"], ["Monday", "9", "17"]],
    )
    assert read(content, "a.docx") == ReadDocument(
        "Handbook",
        (
            Section("Holidays", "Everybody has 28 days."),
            Section("Holidays › Are they paid?", "Yes.", "faq"),
            Section("Hours", "Day: Monday; From: 9; To: 17", "table"),
        ),
    )


@pytest.mark.parametrize(("title", "named"), [("The book", "The book"), ("Document1", "My report")])
def test_a_word_document_of_several_chapters_is_not_named_after_the_first(title, named):
    content = docx(("heading 1", "One"), ("", "Text."), ("heading 1", "Two"), ("", "Text."), title=title)
    assert read(content, "my-report.docx").title == named


def test_slides_are_read_with_title_bullets_tables_and_notes():
    show = Presentation()
    first = show.slides.add_slide(show.slide_layouts[0])
    first.shapes.title.text = "Our company"
    second = show.slides.add_slide(show.slide_layouts[1])
    second.shapes.title.text = "Prices"
    second.placeholders[1].text = "Cheap\nGood"
    second.notes_slide.notes_text_frame.text = "Smile."
    table = second.shapes.add_table(2, 3, 0, 9_000_000, 100, 100).table
    for column, (name, value) in enumerate((("Plan", "Basic"), ("Price", "5"), ("Seats", "1"))):
        table.cell(0, column).text, table.cell(1, column).text = name, value
    document = read(save_to_bytes(show), "a.pptx")
    assert document.title == "Our company"
    assert document.sections == (
        Section("Prices", "- Cheap\n- Good"),
        Section("Prices", "Plan: Basic; Price: 5; Seats: 1", "table"),
        Section("Prices", "Smile."),
    )


def test_an_e_book_is_read_in_order_without_its_table_of_contents():
    document = read(epub("<h1>One</h1><p>First.</p>", "<h1>Two</h1><p>Second.</p>", title="The book"), "a.epub")
    assert document == ReadDocument("The book", (Section("One", "First."), Section("Two", "Second.")), "en")


def test_a_pdf_is_read_with_headings_by_size_paragraphs_without_hyphens_and_lists():
    content = pdf(
        [
            (20, "The manual"), (10, ""), (10, LINE), (10, "end and goes on here with informa-"), (10, "tion in it."),
            (10, ""), (14, "Install it"), (10, ""), (10, LINE), (10, "end."), (10, "• one"), (10, "• two"), (10, ""),
            (10, "Afterwards", "F2"), (10, ""), (10, "It runs."),
        ]
    )  # fmt: skip
    assert read(content, "a.pdf") == ReadDocument(
        "The manual",
        (
            Section("", f"{LINE} end and goes on here with information in it."),
            Section("Install it", f"{LINE} end.\n\n- one\n- two"),
            Section("Install it › Afterwards", "It runs."),
        ),
    )


def test_framed_tables_in_a_pdf_are_tables_across_pages_and_a_frame_around_text_is_none():
    head = (10, ("Item", "Price", "Contains"))
    content = pdf(
        [(14, "Prices"), (10, ""), (10, LINE), (10, ""), head, (10, ("Scone", "£2.20", "Wheat"))],
        [head, (10, ("Rye loaf", "£4", ""))],
        [
            (10, ("Bagel", "£1", "Wheat")),
            (10, ("Bun", "90p", "Wheat")),
            (10, ""),
            (10, "Order a day before."),
            (10, ""),
            (10, ("Open daily.",)),
        ],
    )
    rows = (
        "Item: Scone; Price: £2.20; Contains: Wheat",
        "Item: Rye loaf; Price: £4",
        "Item: Bagel; Price: £1; Contains: Wheat",
        "Item: Bun; Price: 90p; Contains: Wheat",
    )
    assert read(content, "a.pdf").sections == (
        Section("", LINE),
        Section("", "\n".join(rows), "table"),
        Section("", "Order a day before.\nOpen daily."),
    )


def test_text_repeated_on_every_page_of_a_pdf_is_left_out():
    names = ("anise", "basil", "cumin", "dill", "elder")
    content = pdf(
        *[[(9, "ACME manual"), (10, f"We sell {name} here."), (9, f"Page {n} of 5")] for n, name in enumerate(names)],
        title="Spices",
    )
    document = read(content, "a.pdf")
    assert document.title == "Spices"
    assert "ACME" not in document.sections[0].text
    assert "of 5" not in document.sections[0].text
    assert all(f"We sell {name} here." in document.sections[0].text for name in names)


def test_a_sentence_continues_across_pages():
    content = pdf([(10, LINE)], [(10, "end of a page and goes on.")])
    assert read(content, "a.pdf").sections[0].text == f"{LINE} end of a page and goes on."


def test_a_scanned_pdf_says_what_to_do():
    buffer = io.BytesIO()
    Image.new("RGB", (50, 50)).save(buffer, "PDF")
    with pytest.raises(Unreadable, match="OCR"):
        read(buffer.getvalue(), "a.pdf")


def test_a_workbook_is_read_sheet_by_sheet_with_the_names_of_its_columns():
    book = openpyxl.Workbook()
    prices = book.active
    prices.title = "Prices"
    rows = [
        ["Our prices"], [], ["Plan", "Price", "Since", "Discount"], ["Basic", 5, datetime.datetime(2024, 1, 2), 0.25],
        ["Pro", 10.5, None, None], ["Team", 12.5, None, None], ["Büro", 30, None, None], ["Duo", 7, None, None],
        ["Credit", -5, None, None], ["Swiss", 9, None, None],
    ]  # fmt: skip
    for row in rows:
        prices.append(row)
    formats = ("#,##0.00\\ [$€-407]", "[$£-809]#,##0", '"$"0.00', "[$€]0", "[$CHF] 0")
    for number, shown in enumerate(formats, start=6):
        prices[f"B{number}"].number_format = shown
    prices["D4"].number_format = "0%"
    faq = book.create_sheet("FAQ")
    faq.append(["Question", "Answer"])
    faq.append(["Can I cancel?", "Yes."])
    book.create_sheet("Secret").sheet_state = "hidden"
    book["Secret"].append(["Nobody", "may", "see"])
    document = read(save_to_bytes(book), "a.xlsx")
    assert document.sections == (
        Section("Prices", "Our prices", "table"),
        Section(
            "Prices",
            "Plan: Basic; Price: 5; Since: 2024-01-02; Discount: 25%\nPlan: Pro; Price: 10.5\n"
            "Plan: Team; Price: 12.50 €\nPlan: Büro; Price: £30\nPlan: Duo; Price: $7\n"
            "Plan: Credit; Price: -5 €\nPlan: Swiss; Price: 9 CHF",
            "table",
        ),
        Section("FAQ › Can I cancel?", "Yes.", "faq"),
    )


TABLES = [
    b"Name,Phone,City\nAnna,123,Bonn\n",
    b"Name;Phone;City\nAnna;123;Bonn\n",
    b"sep=|\nName|Phone|City\nAnna|123|Bonn\n",
    '"Name","Phone","City"\n"Anna","123","Bonn"\n'.encode("utf-16"),
    b"\xef\xbb\xbfName;Phone;City\r\nAnna;123;Bonn\r\n\r\n",
]


@pytest.mark.parametrize("content", TABLES)
def test_a_csv_file_is_read_with_any_separator(content):
    assert read(content, "a.csv").sections == (Section("", "Name: Anna; Phone: 123; City: Bonn", "table"),)


def test_questions_and_answers_in_a_table_are_an_faq():
    content = b'#,Frage,Thema,Antwort\n1,"Was, wann?",A,"Ja, ""nie"""\n2,,,\n'
    assert read(content, "a.csv").sections == (Section("Was, wann?", 'Ja, "nie"', "faq"),)


SUBTITLES = [
    "WEBVTT\n\nNOTE a note\n\n1\n00:01:01.000 --> 00:01:03.000\n<v Bob>Hello and\n\n00:01:03.000 --> 00:01:05.000 "
    "align:start\nwelcome to the show. &amp; so on.\n",
    "\ufeff1\n00:01:01,000 --> 00:01:03,000\n<i>Hello and</i>\n\n2\n00:01:03,000 --> 00:01:05,000\nHello and\n"
    "welcome to the show. & so on.\n",
]


@pytest.mark.parametrize("text", SUBTITLES)
def test_subtitles_are_joined_into_sentences_below_their_time(text):
    document = read(text.encode(), "how_to_start.vtt" if "WEBVTT" in text else "how_to_start.srt")
    assert document == ReadDocument("How to start", (Section("1:01", "Hello and welcome to the show. & so on."),))


def test_a_long_video_has_a_section_about_every_minute():
    cues = "\n".join(
        f"{n}\n00:{n // 12:02}:{n % 12 * 5:02},000 --> 00:{n // 12:02}:{n % 12 * 5 + 4:02},000\n"
        f"This is the sentence number {n} of the whole film.\n"
        for n in range(60)
    )
    document = read(cues.encode(), "a.srt")
    assert [section.heading for section in document.sections] == ["0:00", "1:05", "2:10", "3:15", "4:20"]

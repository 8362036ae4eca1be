"""Reading documents of each kind: title, headings, and the text below them."""

from textwrap import dedent

import pytest

from docbot.content import ReadDocument, Section
from docbot.reading import Unreadable, read


def markdown(text: str, name: str = "some_notes.md") -> ReadDocument:
    return read(dedent(text).encode(), name)


def only(document: ReadDocument) -> Section:
    (section,) = document.sections
    return section


def outline(document: ReadDocument) -> list[tuple[str, str]]:
    return [(section.kind, section.heading) for section in document.sections]


TITLES = [
    ("# The guide\n\nText.", "notes.md", "The guide"),
    ("---\ntitle: 'From the front'\n---\nText and more.", "notes.md", "From the front"),
    ("---\ntitle: From the front\n---\n# From the page\n\nText.", "notes.md", "From the page"),
    ("+++\ntitle = \"Of Hugo\"\n+++\nText.", "notes.md", "Of Hugo"),
    ("Just text.", "getting_started-quickly.md", "Getting started quickly"),
    ("Just text.", "API Reference.md", "API Reference"),
    ("Amazon River\nIt is a river in South America, and a long one.", "0027bff8d2a891ff.md", "Amazon River"),
    ("Opening hours\n\nFrom nine to five.", "opening_hours.txt", "Opening hours"),
    ("Manual\n======\n\nText.", "a.rst", "Manual"),
    ("<title>Prices | Example Inc</title><p>Text.", "a.html", "Prices"),
    ("<title>Prices | Example Inc</title><h1>All prices</h1><p>Text.", "a.html", "All prices"),
    (b'<meta charset="windows-1251"><h1>\xd6\xe5\xed\xfb</h1><p>Text.', "a.html", "Цены"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "title"), TITLES)
def test_a_documents_title_is_read_from_its_content(text, name, title):
    assert read(text if isinstance(text, bytes) else text.encode(), name).title == title


def test_headings_include_the_headings_above_them_but_not_the_title():
    document = markdown("# Guide\n\nOne.\n\n## Keys\n\nTwo.\n\n### Rotate\n\nThree.\n\n## Limits {#l}\n\nFour.\n")
    assert outline(document) == [("prose", ""), ("prose", "Keys"), ("prose", "Keys › Rotate"), ("prose", "Limits")]


FAQS = [
    "## Can I cancel?\n\nYes, at any time.",
    "**Can I cancel?**\n\nYes, at any time.",
    "**Can I cancel?** Yes, at any time.",
    "**Can I cancel?**\nYes, at any time.",
    "Q: Can I cancel?\nA: Yes, at any time.",
    "Q: Can I cancel?\n\nA: Yes, at any time.",
    "<details><summary>Can I cancel?</summary>\n\nYes, at any time.\n\n</details>",
    "<dl><dt>Can I cancel?</dt><dd>Yes, at any time.</dd></dl>",
]


@pytest.mark.parametrize("text", FAQS)
def test_a_question_with_a_short_answer_is_an_faq(text):
    assert only(markdown(text)) == Section("Can I cancel?", "Yes, at any time.", "faq")


def test_a_question_with_a_long_text_below_is_an_ordinary_section():
    assert only(markdown("## Why so?\n\n" + "Because of many reasons. " * 80)).kind == "prose"


def test_a_table_is_read_as_rows_with_the_names_of_its_columns():
    document = markdown("## Prices\n\nAll of them:\n\n|Plan|Price|\n|-|-|\n|Basic|5 *euros*|\n|Pro||\n")
    assert document.sections == (
        Section("Prices", "All of them:"),
        Section("Prices", "Plan: Basic; Price: 5 euros\nPlan: Pro", "table"),
    )


TEXTS = [
    ("Some [text](https://a.b), ![a picture](c.png), <b>bold</b> & `code`.", "Some text, a picture, bold & `code`."),
    ("It looks so.\n\n![A screen with a list](c.png)\n\nThen close it.", "It looks so.\n\nThen close it."),
    ("- one\n- two\n  - *three*\n- four\n", "- one\n- two\n  - three\n- four"),
    ("3. three\n4. four\n\n   more\n", "3. three\n4. four\n   more"),
    ("Before:\n\n```python\nif a:\n\n    b()\n```\n\nAfter.", "Before:\n\n```python\nif a:\n\n    b()\n```\n\nAfter."),
    ("````\na\n```\nb\n````", "````\na\n```\nb\n````"),
    ("<script>alert(1)</script><style>a{}</style>Text <!-- hidden --> here.", "Text here."),
    ("> [!NOTE]\n> Quoted.", "Quoted."),
    ("Sluice\n: It lets water in.", "- Sluice: It lets water in."),
    (":::tip\n\nA tip.\n\n:::", "A tip."),
    (
        '!!! note "Mind"\n    A note\n    of two lines.\n\n    And more.\n\nAfter.',
        "A note of two lines.\n\nAnd more.\n\nAfter.",
    ),
    ("```js\nimport a from 'a'\n::: b\n```", "```js\nimport a from 'a'\n::: b\n```"),
    ("Text.\n{: .wide}", "Text."),
    ("One.\\\nTwo.", "One.\nTwo."),
    ("a\u200bb\u00adc\U000e0041d \ufeffe\x07f", "abcd ef"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_markdown_becomes_plain_text(text, expected):
    assert only(markdown(text)).text == expected


WRAPPED = [
    # Wrapped at the width of the page: one line again.
    (
        "A paragraph that was broken at a width of about sixty\ncharacters is one line again: its breaks\nmean nought.",
        "A paragraph that was broken at a width of about sixty characters is one line again: its breaks mean nought.",
    ),
    # Wrapped by hand, and edited since.
    (
        "They rename and delete their conversations, and download them as HTML or\n"
        "JSON. Our page for the customers lists all that they have ever asked us about.",
        "They rename and delete their conversations, and download them as HTML or "
        "JSON. Our page for the customers lists all that they have ever asked us about.",
    ),
    # Each line is separate.
    ("Street 5\n1234 Town\nTel. 567", "Street 5\n1234 Town\nTel. 567"),
    # One sentence a line.
    ("It is so.\nAnd it will be so.", "It is so.\nAnd it will be so."),
]


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
@pytest.mark.parametrize(("text", "expected"), WRAPPED)
def test_lines_are_joined_where_the_line_break_has_no_meaning(text, expected, name):
    document = read(f"# T\n\n{text}".encode() if name == "a.md" else f"Title\n=====\n\n{text}".encode(), name)
    assert document.sections[-1].text.replace("\n\n", "\n") == expected


def test_plain_text_has_headings_that_are_underlined_or_stand_alone():
    text = """\
        User manual
        ===========

        Installation
        ------------
        Run the installer.

        * one
        * two
          goes on

        Use
        ---
        Start it.
    """
    document = read(dedent(text).encode(), "x.txt")
    assert document.title == "User manual"
    assert document.sections == (
        Section("Installation", "Run the installer.\n\n- one\n- two goes on"),
        Section("Use", "Start it."),
    )


def test_in_text_without_headings_a_short_line_above_a_long_paragraph_is_a_heading():
    text = (
        "Bring supplies\n"
        + "You need an air pump. " * 15
        + "\nStay hydrated\n"
        + "Drink water. " * 30
        + "\nHave fun\nBye."
    )
    document = read(text.encode(), "trip.txt")
    assert outline(document) == [("prose", "Bring supplies"), ("prose", "Stay hydrated")]
    assert document.sections[1].text.endswith("Have fun\n\nBye.")


PAGE = """
<!doctype html><html lang="de-AT"><head><title>Preise | Firma</title></head><body>
<div class="cookie-banner">We use cookies.</div>
<nav><a href="/">Home</a><a href="/about">About us</a></nav>
<header><a>Logo</a></header>
{content}
<footer>Imprint, privacy, newsletter</footer></body></html>
"""
CONTENT = """
<h1>Preise</h1><p>Wir haben für jeden etwas, vom kleinen Verein bis zum großen Betrieb.</p>
<h2>Was kostet es?<a class="headerlink" href="#x">¶</a></h2><p>Fünf Euro im Monat.</p>
<h2>Kann ich kündigen?</h2><p>Ja, jederzeit.</p>
<h2>Vergleich</h2><table><tr><th>Tarif</th><th>Preis</th></tr><tr><td rowspan="2">Klein</td><td>5</td></tr>
<tr><td>6</td></tr></table>
"""


@pytest.mark.parametrize("around", ["<main>{}</main>", "<div>{}</div>", "<article>{}</article>", "<div id=content>{}"])
def test_a_page_is_read_without_navigation_and_other_boilerplate(around):
    document = read(PAGE.format(content=around.format(CONTENT)).encode(), "preise.html")
    assert (document.title, document.language) == ("Preise", "de")
    assert Section("Was kostet es?", "Fünf Euro im Monat.", "faq") in document.sections
    assert Section("Vergleich", "Tarif: Klein; Preis: 5\nTarif: Klein; Preis: 6", "table") in document.sections
    everything = " ".join(section.text for section in document.sections)
    for word in ("cookies", "About us", "Imprint", "Logo"):
        assert word not in everything


def test_a_layout_table_is_read_as_text():
    page = "<table role=presentation><tr><td><h2>One</h2><p>First.</p></td><td><h2>Two</h2>Second.</td></tr></table>"
    assert outline(read(page.encode(), "old.html")) == [("prose", "One"), ("prose", "Two")]


def test_a_table_without_column_names_takes_them_from_its_first_row():
    page = "<h1>T</h1><table><tr><td>Plan<td>Price<td>Seats<tr><td>Basic<td>5<td>1</table>"
    assert only(read(page.encode(), "a.html")).text == "Plan: Basic; Price: 5; Seats: 1"


def test_a_table_of_two_columns_without_names_is_a_list_of_facts():
    page = "<h1>T</h1><table><tr><td>Telephone<td>123<tr><td>Mail<td>a@b.c</table>"
    assert only(read(page.encode(), "a.html")).text == "Telephone: 123\nMail: a@b.c"


ENCODED = [
    ("utf-8-sig", ""),
    ("utf-16", ""),
    ("utf-16-le", ""),
    ("cp1252", ""),
    ("cp1252", "Die Straße in Köln heißt Öhringer Weg."),
    ("cp1251", "Привет, как дела? Это обычный русский текст, в котором достаточно слов, чтобы узнать кодировку."),
    (
        "shift_jis",
        "これは日本語の文章です。文字コードを推測するには、十分な長さの文章が必要です。よろしくお願いします。",
    ),
]


@pytest.mark.parametrize(("encoding", "text"), ENCODED)
def test_text_is_read_in_any_encoding(encoding, text):
    text = text or "The café serves crêpes; naïve people say déjà vu when they come back for more of them."
    assert only(read(text.encode(encoding), "a.txt")).text == text


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
def test_a_file_without_text_says_so(name):
    empty = [b"", b"  \n ", b"\xef\xbb\xbf", b"\xff\xfe"]
    tags = [b"<html></html>", b"<!-- nothing -->", b"<script>x</script>", b"<h1>Title</h1>"]
    for content in empty + tags * (name == "a.html"):
        with pytest.raises(Unreadable, match=r"empty|no text"):
            read(content, name)


def test_short_lines_above_sentences_or_below_blank_lines_are_headings_if_there_are_several():
    arriving, leaving = "Arriving\nRooms are ready from 3 pm.", "Leaving\n\nPlease leave by 10 am. Bags may stay."
    text = f"Welcome to the farm\n\n{arriving}\n\n{leaving}\n\nMay I smoke?\nNo"
    assert outline(read(text.encode(), "welcome.txt"))[1:] == [
        ("prose", "Arriving"),
        ("prose", "Leaving"),
        ("faq", "May I smoke?"),
    ]


def test_lines_that_stand_alone_or_numbered_above_text_are_headings_also_above_short_lines():
    hours = "Monday to Friday 9 am to 5 pm\nSunday closed\nIn winter the farm is shut, but the phone is staffed."
    text = f"Hours\n\n{hours}\n\nThe way\n\nBus 3 stops here.\n\nPhone\n\nCall Anna until 5 pm."
    assert outline(read(text.encode(), "farm.txt")) == [("prose", "Hours"), ("prose", "The way"), ("prose", "Phone")]
    rules = "1. Noise\nPlease be quiet after ten.\n\n2. Dogs\nKeep dogs on a lead.\n\n3. Fires\nNo fires are allowed."
    assert [one.heading for one in read(rules.encode(), "rules.txt").sections] == ["1. Noise", "2. Dogs", "3. Fires"]


NO_HEADINGS = {
    "a list with blank lines": "1. Peel the fruit\n\n2. Cut it\n\n3. Boil it for an hour\n\n4. Fill the jars",
    "the only one": "Anna Pryce\nShe runs the farm with Tom.\n\nThey have goats.",
    "lines of a poem": "The night is long\nThe stars wake up.\n\nI hum\nI think of you.\n\nI sleep\nI dream now.",
    "the beginnings of sentences": "The tenant\n\npays the rent on the first day.\n\nThe landlord\n\n"
    "repairs the roof and the boiler.\n\nBoth parties\n\nmay end this contract in a quarter.",
}


@pytest.mark.parametrize("text", NO_HEADINGS.values(), ids=NO_HEADINGS)
def test_a_short_line_above_a_sentence_is_no_heading_if_it_is(text):
    assert outline(read(text.encode(), "farm.txt")) == [("prose", "")]

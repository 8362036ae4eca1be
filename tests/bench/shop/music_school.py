"""The documents of a music school that doesn't exist, in six formats."""

# ruff: noqa: E501 - the lines of the documents

import csv
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

GUIDE = """# Larkfield Music School: for pupils and parents

## Trial lessons

The first half hour with a teacher costs £10 and commits you to nothing. Book it online or at the desk; we lend you the instrument.

## Office

The office is staffed from Monday to Thursday, 1 pm to 7 pm, and on Saturday mornings from 9 to 12. Leave a message on 01632 960 655 at other times.

## Missed lessons

If a pupil can't come, tell us by noon of the day before and we find another time. Lessons that are missed without notice are paid for. When the teacher is ill you get
a substitute or your money.

## Terms and holidays

We teach 36 weeks a year in three terms: from September to December, from January to Easter, and from May to July. There are no lessons in the school holidays.

## Age

Early music groups take children from 18 months with a parent. For violin and piano five is a good age to begin, for brass and woodwind eight, when the front teeth are in. There is
no upper limit: our oldest beginner was 81.

## Parking and bus

Drop children off in the yard. The car park of the church opposite is free for us after 4 pm. Buses 4 and 9 stop at Larkfield Green.

## Practice rooms

Pupils may use a practice room for nothing while the office is staffed. The grand piano in the hall is for exam candidates only.
"""

TERMS = """<!doctype html><html lang="en"><head><title>Fees and terms</title></head><body>
<nav><a href="/">Home</a> <a href="/teachers">Teachers</a></nav>
<main><h1>Fees and terms</h1>
<h2>Paying</h2>
<p>Fees are due at the start of each term, by bank transfer or direct debit. You can spread them over three months at no charge. We take no cash.</p>
<h2>Reductions</h2>
<p>The second child of a family pays 10 % less, the third 20 % less. Families on universal credit pay half; show us the letter.</p>
<h2>Leaving</h2>
<p>Give notice in writing half a term before the end of a term. Otherwise the next term is charged.</p>
<h2>Recording and photographs</h2>
<p>We film concerts. Tell us if your child must not be seen.</p></main>
<footer>Larkfield Music Trust, charity 9960655</footer></body></html>
"""

HIRE = (
    ("Heading1", "Hiring an instrument"),
    ("Heading2", "How it works"),
    (
        "",
        "Instruments are let by the term against a deposit of £60. They are insured while you have them, but not in an unlocked car.",
    ),
    ("Heading2", "Repairs"),
    (
        "",
        "Strings, reeds and valve oil are yours to buy. Bring anything else that breaks to us; please don't glue it yourself.",
    ),
    ("Heading2", "Buying it later"),
    ("", "Half of what you have paid in hire in the first year is taken off the price if you buy the instrument."),
)
HIRED = (
    ("Instrument", "A term"),
    ("Violin, all sizes", "£27"),
    ("Cello", "£42"),
    ("Trumpet", "£36"),
    ("Clarinet", "£33"),
    ("Digital piano", "£75"),
)

EVENTS = (
    (
        (22, "Exams, concerts and ensembles", "F2"),
        (11, ""),
        (15, "Exams", "F2"),
        (11, "We hold graded exams in March, June and November. Your teacher enters you, six"),
        (11, "weeks before. The board's fee is on top of ours."),
        (11, ""),
        (15, "Concerts", "F2"),
        (11, "Each pupil plays once a year in the hall. Admission is free; there is a bucket."),
        (11, ""),
        (15, "Youth orchestra", "F2"),
        (11, "Fridays from 5 pm to 6.30 pm, from grade 3 on. It is free for our pupils, £30 a term"),
        (11, "for others. Auditions are in the second week of September."),
        (11, ""),
        (15, "Adult choir", "F2"),
        (11, "Tuesdays at 7.30 pm. You needn't read music, and nobody sings alone. £55 a term."),
    ),
)

PRICES = (
    ("Lesson", "Minutes", "Price a lesson", "Price a term"),
    ("Individual", 20, "£16", "£192"),
    ("Individual", 30, "£23", "£276"),
    ("Individual", 45, "£34", "£408"),
    ("Pair, each", 30, "£13", "£156"),
    ("Early music group", 40, "£7.50", "£90"),
    ("Theory class", 60, "£6", "£72"),
    ("Online", 30, "£21", "£252"),
)

TEACHERS = (
    ("Teacher", "Instruments", "Days", "Adults"),
    ("Ines Calder", "violin, viola", "Monday to Wednesday", "yes"),
    ("Tom Okafor", "trumpet, trombone", "Thursday, Saturday", "yes"),
    ("Mei Lindqvist", "piano", "Monday to Friday", "no"),
    ("Paul Rastrick", "piano, organ", "Saturday", "yes"),
    ("Zoe Hartnell", "clarinet, saxophone, flute", "Tuesday, Friday", "yes"),
)


def write_documents(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "terms.html").write_text(TERMS, encoding="utf-8")
    (folder / "hire.docx").write_bytes(docx(*HIRE, table=HIRED, title="Hiring an instrument"))
    (folder / "events.pdf").write_bytes(pdf(*EVENTS, title="Exams, concerts and ensembles"))
    workbook = Workbook()
    workbook.active.title = "Lesson prices"
    for row in PRICES:
        workbook.active.append(row)
    workbook.save(folder / "prices.xlsx")
    with (folder / "teachers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(TEACHERS)

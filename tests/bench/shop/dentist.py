"""The documents of a dentist's practice that doesn't exist, in six formats."""

# ruff: noqa: E501 - the lines of the documents

import csv
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

FAQ = """# Millgate Dental: for our patients

## Joining the practice

We have places for private patients at once. The list for NHS patients is closed at the moment; children under 18 whose parent
is already with us are still taken on the NHS. Fill in the form at the desk or on our website and bring a photo ID.

## When we are here

Monday to Thursday we see patients from 8 am to 6.30 pm, on Friday until 4 pm. Every first Saturday of the month is for hygienist
appointments only, 9 am to 1 pm. We close for lunch from 1 to 2 pm and on bank holidays.

## In an emergency

Ring 01632 960 772 before 9 am and we will see you the same day. At night and at weekends call 111. For bleeding that doesn't stop, or a
swelling that makes it hard to breathe, go to A&E at once.

## A tooth was knocked out

Hold it by the crown, not the root. Rinse it in milk, put it back or keep it in milk, and be with us within an hour. Milk teeth are never put back.

## Missed and late appointments

If you can't come, tell us 24 hours before. Otherwise we charge £25 for each quarter of an hour that was kept for you. If you are more than ten
minutes late we may have to make a new appointment.

## Nervous patients

Tell us when you book. We take more time, stop whenever you raise a hand, and can offer sedation: happy gas, or a tablet an hour before. You
need somebody to take you home after the tablet, and must not drive until the next day.

## How to find us

The practice is at 3 Corn Street, above the pharmacy, opposite the town hall. A lift goes up from the side entrance in Quay Lane. There is no car
park of our own; the multi-storey in Quay Lane is free for the first hour.

## Making a complaint

Write to our practice manager, Ms Adeyemi. You get an acknowledgement within three working days and an answer within ten.
"""

PLAN = """<!doctype html><html lang="en"><head><title>Millgate Care Plan</title></head><body>
<nav><a href="/">Home</a> <a href="/team">Team</a></nav>
<main><h1>Millgate Care Plan</h1>
<h2>What you get</h2>
<p>For £17.50 a month the plan covers two check-ups and two hygienist visits a year, X-rays, and 15 % off all other treatment except implants.
Accidents and emergencies abroad are insured up to £1,000.</p>
<h2>Children</h2>
<p>Children of members cost £6 a month until they turn 18.</p>
<h2>Joining and leaving</h2>
<p>Payment is by direct debit on the first of the month. There is no joining fee. You can leave with a month's notice; if you have used
more than you have paid for, we ask for the difference.</p>
<h2>Paying for treatment without the plan</h2>
<p>We take cards and cash, but no cheques. Treatment over £300 may be spread over twelve months at no interest. A deposit of £50 is taken
for appointments longer than an hour.</p></main>
<footer>Millgate Dental LLP</footer></body></html>
"""

AFTERCARE = (
    ("Heading1", "After your treatment"),
    ("Heading2", "After an extraction"),
    (
        "",
        "Bite on the gauze for twenty minutes. Don't rinse, smoke or drink alcohol for 24 hours. From the second day on rinse gently with warm salt water four times a day. Some soreness is normal for three to four days; pain that begins on the third day may be a dry socket, so ring us.",
    ),
    ("Heading2", "After a filling"),
    (
        "",
        "White fillings are hard when you leave, silver ones need a day. Wait until the numbness has gone before you eat, about three hours. Sensitivity to cold may last two weeks.",
    ),
    ("Heading2", "After whitening"),
    (
        "",
        "For two days avoid coffee, tea, red wine, curry and tobacco. Sensitive teeth calm down within a week; use the toothpaste we gave you.",
    ),
    ("Heading2", "Looking after a denture"),
    (
        "",
        "Take it out at night and keep it in water. Brush it over a full basin, with soap and not with toothpaste. If it rubs, don't file it yourself.",
    ),
    ("Heading2", "Which painkiller?"),
    (
        "",
        "Paracetamol, up to eight tablets of 500 mg in 24 hours, or ibuprofen if you may take it. Never aspirin: it makes bleeding worse.",
    ),
)
GUARANTEE = (
    ("Work", "Guarantee"),
    ("White filling", "1 year"),
    ("Crown or bridge", "3 years"),
    ("Implant", "5 years"),
    ("Denture", "1 year"),
)

CHILDREN = (
    (
        (22, "Children at Millgate Dental", "F2"),
        (11, ""),
        (15, "The first visit", "F2"),
        (11, "Bring your child before the first birthday, even if there is only one tooth."),
        (11, "We count teeth, ride the chair up and down, and give out stickers."),
        (11, ""),
        (15, "Brushing", "F2"),
        (11, "Brush twice a day with a smear of paste until three, then with a pea of it."),
        (11, "Help until they are seven. Spit, don't rinse."),
        (11, ""),
        (15, "Braces", "F2"),
        (11, "Our orthodontist, Dr Brandt, comes every second Wednesday. Assessment at eleven"),
        (11, "or twelve is free. Fixed braces take 18 to 24 months. They are paid for by the NHS"),
        (11, "in severe cases; otherwise they cost £2,900, retainers included."),
        (11, ""),
        (15, "Mouthguards", "F2"),
        (11, "We make them for rugby, hockey and boxing in two visits, in club colours."),
    ),
)

PRICES = (
    ("Treatment", "Minutes", "Private price", "NHS band"),
    ("New patient examination", 40, "£68", "1"),
    ("Check-up", 20, "£45", "1"),
    ("Hygienist, scale and polish", 30, "£62", ""),
    ("White filling, small", 30, "£115", "2"),
    ("White filling, large", 45, "£165", "2"),
    ("Root canal, front tooth", 60, "£390", "2"),
    ("Root canal, molar", 90, "£560", "2"),
    ("Extraction", 30, "£130", "2"),
    ("Porcelain crown", 60, "£695", "3"),
    ("Implant with crown", 120, "£2,650", ""),
    ("Whitening, home trays", 30, "£320", ""),
    ("Mouthguard", 20, "£75", ""),
    ("Night guard for grinding", 30, "£240", ""),
)
BANDS = (("NHS band", "You pay"), ("1", "£27.40"), ("2", "£75.30"), ("3", "£326.70"))

TEAM = (
    ("Name", "Role", "Days", "Languages"),
    ("Dr Helen Marsh", "dentist, owner", "Monday to Wednesday", "English, French"),
    ("Dr Samir Qureshi", "dentist, root canals", "Tuesday to Friday", "English, Urdu"),
    ("Dr Lena Brandt", "orthodontist", "every second Wednesday", "English, German"),
    ("Joanna Pike", "hygienist", "Monday, Thursday, first Saturday", "English, Polish"),
    ("Grace Adeyemi", "practice manager", "Monday to Friday", "English"),
)


def write_documents(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "patients.md").write_text(FAQ, encoding="utf-8")
    (folder / "plan.html").write_text(PLAN, encoding="utf-8")
    (folder / "aftercare.docx").write_bytes(docx(*AFTERCARE, table=GUARANTEE, title="After your treatment"))
    (folder / "children.pdf").write_bytes(pdf(*CHILDREN, title="Children at Millgate Dental"))
    workbook = Workbook()
    for title, rows in (("Private prices", PRICES), ("NHS charges", BANDS)):
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    del workbook["Sheet"]
    workbook.save(folder / "prices.xlsx")
    with (folder / "team.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(TEAM)

"""The documents of a small kayak shop that doesn't exist, in six formats, for questions as its customers ask them."""

# ruff: noqa: E501 - the lines of the documents

import csv
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

FAQ = """# Saltmarsh Kayaks: questions we hear often

## Opening times

| Day | Shop | Hire desk |
|---|---|---|
| Monday | closed | closed |
| Tuesday to Friday | 9.30 am to 6 pm | 10 am to 5 pm |
| Saturday | 9 am to 5.30 pm | 8 am to 6 pm |
| Sunday | 10 am to 4 pm | 8 am to 6 pm |

From November to February the hire desk is closed; the shop keeps its hours.

## Where are you?

You will find us at 14 Staithe Lane, Port Ellery, between the lifeboat station and the old smokehouse. Customers park free
behind the building for two hours. The number 40 bus stops at the harbour, three minutes on foot. The whole ground floor,
the changing rooms and one of the pontoons can be used with a wheelchair.

## How can I reach you?

Call 01632 960 441 while the shop is open, or write to hello@saltmarshkayaks.example. We answer letters within one working
day. For emergencies on the water always call 999 and ask for the coastguard, not us.

## Can I try a boat before I buy it?

Yes. Every new boat in the shop can be paddled for an hour from our pontoon for £15. The £15 are taken off the price if you
buy any boat within thirty days. Bring a towel and shoes that may get wet; paddle and buoyancy aid are lent free of charge.

## Do you buy used kayaks?

We take your old boat in part payment for a new one if it is less than ten years old and has no repaired cracks. Send us
three photographs, and we make an offer within two days. We do not pay cash for boats, and we do not take inflatables.

## Can I bring my dog?

Dogs are welcome in the shop. On hired boats dogs may come along in open canoes only, never in kayaks, and they need a
buoyancy aid of their own, which we hire for £4 a day.

## Gift vouchers

Vouchers come in any amount from £20, printed or by e-mail, and are valid for three years. They pay for boats, kit, hire and
courses alike. A voucher cannot be exchanged for money; what is left after a purchase stays on it.

## Is there a discount for clubs and schools?

Clubs that are members of Paddle UK get 10 % off everything but boats, and 5 % off boats. Schools and scout groups hire at
half price from Tuesday to Thursday. Students get nothing off, sorry.
"""

DELIVERY = """<!doctype html><html lang="en"><head><title>Delivery and returns</title></head><body>
<nav><a href="/">Home</a> <a href="/boats">Boats</a> <a href="/hire">Hire</a></nav>
<main><h1>Delivery and returns</h1>
<h2>What delivery costs</h2>
<p>Accessories and clothing are sent by parcel for £4.95, and for nothing if you spend more than £60. Boats travel on our own
van: £45 within 50 miles, £95 anywhere else on the British mainland. We do not deliver boats to islands; you can collect
them at the ferry port of your choice for £120.</p>
<h2>How long it takes</h2>
<p>Parcels that are ordered before 2 pm leave the same day and arrive after one to three working days. Boats that are in stock
come within two weeks. The van goes round the north on Wednesdays and the south on Fridays; you get a text message with a
time window of two hours the evening before.</p>
<h2>Collecting from the shop</h2>
<p>Click and collect is free. We write to you when your order is ready, mostly within two hours, and keep it for 14 days. Bring
the order number and, for boats, straps: roof racks are your own responsibility, but we help with lifting.</p>
<h2>Sending something back</h2>
<p>You have 30 days to return anything unused, with its labels, for a full refund. Postage back is yours to pay unless the
article was faulty or wrong. Money goes back to the card that you paid with within five working days after we have received the
parcel. Boats can be returned only if they have never touched water. Cut-to-length spare parts and used wetsuit socks cannot be
returned.</p>
<h2>Damaged on arrival</h2>
<p>Look the boat over while the driver is there, and note any damage on his sheet. For parcels, send us a photograph within
48 hours. We replace what is damaged at our cost.</p>
<h2>Abroad</h2>
<p>We post accessories to the Republic of Ireland, Germany, Spain and France for £14.50; customs charges are paid by the
recipient. Boats are not sent abroad.</p>
<h2>Paying</h2>
<p>We accept Visa, Mastercard, Apple Pay, PayPal and bank transfer, but neither American Express nor cheques. Purchases over £400
can be paid in ten monthly instalments without interest, after a credit check by Lowtide Finance.</p></main>
<footer>Saltmarsh Kayaks Ltd, registered in England 09960441</footer></body></html>
"""

WARRANTY = (
    ("Heading1", "Warranty and workshop"),
    ("Heading2", "How long the warranty lasts"),
    (
        "",
        "Boats made of polyethylene have a warranty of five years on the hull, those of fibreglass or carbon two years. Seats, "
        "hatches, footrests and rudders are covered for one year, paddles and clothing for two.",
    ),
    ("Heading2", "What is not covered"),
    (
        "",
        "The warranty does not cover wear, scratches, fading by the sun, damage from roof racks that were done up too tight, or "
        "boats that were hired out by their owner. It goes over to a second owner if you send us the bill of sale.",
    ),
    ("Heading2", "How do I make a claim?"),
    ("", "1. Take photographs of the damage and of the serial number, which stands under the rear deck on the right."),
    ("", "2. Send both with your receipt to workshop@saltmarshkayaks.example."),
    ("", "3. Wait for our answer, which comes within five working days, before you repair anything yourself."),
    ("", "4. Bring the boat in, or let our van fetch it for £30."),
    ("Heading2", "Repairs"),
    (
        "",
        "The workshop welds polyethylene, laminates fibreglass and replaces rudder lines, whatever brand the boat is and wherever "
        "it was bought. An estimate is free. Small repairs take a week, hull repairs three weeks; from April to July "
        "allow twice that. We do not repair inflatable boats.",
    ),
    ("Heading2", "Yearly service"),
    (
        "",
        "For £65 we check hatches, seals, lines and fittings and wash the hull inside and out. Customers who bought their boat "
        "from us get the first service free.",
    ),
    ("Heading2", "Winter storage"),
    (
        "",
        "From October to March we store boats under cover for £18 a month, insured against fire and theft up to £3,000. You can "
        "fetch your boat any Saturday if you tell us two days before.",
    ),
)
REPAIR_PRICES = (
    ("Repair", "Price"),
    ("Weld a crack up to 10 cm", "£55"),
    ("Weld a longer crack", "£95"),
    ("Replace a hatch cover", "£38"),
    ("Replace rudder lines", "£49"),
    ("Fibreglass patch, per hand-sized piece", "£80"),
)

COURSES = (
    (
        (22, "Courses and tours", "F2"),
        (11, ""),
        (15, "First strokes", "F2"),
        (11, "Half a day for people who have never sat in a kayak. Three hours on the"),
        (11, "sheltered creek, at most six people with one coach. You learn to get in and out,"),
        (11, "paddle straight, turn, and climb back in after a capsize. Every Saturday and Sunday"),
        (11, "from April to October at 9.30 am. Adults pay £48, under-16s £32."),
        (11, ""),
        (15, "Sea skills weekend", "F2"),
        (11, "Two days on tides, wind, rescues and navigation. You should have paddled"),
        (11, "at least five times before. The price of £165 includes boat, drysuit and lunch."),
        (11, "Dates: 9 to 10 May, 13 to 14 June, 5 to 6 September."),
        (11, ""),
        (15, "Rolling clinic", "F2"),
        (11, "Ninety minutes in the heated pool of the leisure centre, every second Thursday"),
        (11, "at 7.30 pm from November to March. It costs £28, nose clip included."),
        (11, ""),
        (15, "Seal watching tour", "F2"),
        (11, "We paddle to the sandbank in double kayaks and watch the seals from 50 metres."),
        (11, "Four hours, from May to September on Sundays; the start depends on the tide."),
        (11, "£55 a person. The youngest child we take is eight years old, with a parent in the same boat."),
    ),
    (
        (15, "Who can take part?", "F2"),
        (11, "You must be able to swim 50 metres in clothes. Children from ten years may join"),
        (11, "First strokes, and need a parent on land or on the water. The sea skills weekend is"),
        (11, "for people over 16. Tell us about asthma, epilepsy and pregnancy when you book."),
        (11, "Our kayaks carry paddlers up to 125 kg."),
        (11, ""),
        (15, "What to bring", "F2"),
        (11, "- swimwear and a warm top that is not cotton"),
        (11, "- shoes that may get wet"),
        (11, "- a towel and dry clothes"),
        (11, "- a drink and a snack"),
        (11, "- sun cream, and a string for your glasses"),
        (11, "Wetsuits, helmets and buoyancy aids are included in every course."),
        (11, ""),
        (15, "Cancelling and bad weather", "F2"),
        (11, "You can cancel or move a booking for nothing up to seven days before. Later we keep"),
        (11, "half of the price, and on the last day all of it. If we cancel because of wind above"),
        (11, "force 4, fog or thunder, you choose between another date and your money."),
    ),
)

BOATS = (
    ("Boat", "Type", "Material", "Length (m)", "Weight (kg)", "Seats", "Price", "In stock"),
    ("Curlew 290", "recreational kayak", "polyethylene", 2.9, 19, 1, "£429", 6),
    ("Curlew 380 Duo", "recreational kayak", "polyethylene", 3.8, 31, 2, "£699", 2),
    ("Redshank Sit-on", "sit-on-top kayak", "polyethylene", 3.1, 24, 1, "£389", 9),
    ("Redshank Angler", "fishing kayak", "polyethylene", 3.6, 34, 1, "£899", 1),
    ("Tern 480", "sea kayak", "polyethylene", 4.8, 26, 1, "£1,150", 3),
    ("Tern 510 GF", "sea kayak", "fibreglass", 5.1, 23, 1, "£2,290", 0),
    ("Tern 510 Carbon", "sea kayak", "carbon", 5.1, 18, 1, "£3,450", 1),
    ("Bittern 460", "open canoe", "polyethylene", 4.6, 36, 3, "£979", 2),
    ("Sprite Junior", "children's kayak", "polyethylene", 2.2, 11, 1, "£249", 0),
)
KIT = (
    ("Article", "Sizes", "Price", "In stock"),
    ("Staithe buoyancy aid", "S, M, L, XL", "£64", 22),
    ("Staithe junior buoyancy aid", "20-40 kg", "£49", 7),
    ("Two-piece alloy paddle", "210-230 cm", "£45", 30),
    ("Carbon touring paddle", "215 cm", "£219", 4),
    ("Spray deck, nylon", "one size", "£39", 12),
    ("Long John wetsuit 3 mm", "XS to XXL", "£89", 16),
    ("Drysuit Fathom", "S to XL", "£495", 0),
    ("Dry bag 20 l", "20 l", "£18", 40),
    ("Kayak trolley", "up to 60 kg", "£72", 5),
    ("Roof rack J-bars, pair", "for bars up to 80 mm", "£58", 11),
)

HIRE = (
    ("Boat for hire", "People", "2 hours", "Half day", "Full day", "Deposit"),
    ("Single kayak", "1", "£18", "£28", "£42", "£50"),
    ("Double kayak", "2", "£28", "£42", "£64", "£80"),
    ("Sit-on-top", "1", "£15", "£24", "£36", "£50"),
    ("Open canoe", "3", "£32", "£48", "£75", "£100"),
    ("Paddleboard", "1", "£16", "£25", "£38", "£50"),
)

GERMAN = """# Saltmarsh Kayaks auf Deutsch

## Wann haben Sie geöffnet?

Der Laden ist von Dienstag bis Freitag von 9.30 bis 18 Uhr geöffnet, samstags von 9 bis 17.30 Uhr und sonntags von 10 bis
16 Uhr. Montags ist geschlossen.

## Liefern Sie nach Deutschland?

Zubehör schicken wir für 14,50 Pfund nach Deutschland. Den Zoll zahlt der Empfänger. Boote verschicken wir nicht ins Ausland.

## Brauche ich Vorkenntnisse, um ein Kajak zu mieten?

Nein. Auf dem Creek darf jeder paddeln, der schwimmen kann. Wer aufs Meer hinaus will, muss uns einen Kurs oder einen
Paddelpass zeigen. Die Kaution wird bei der Rückgabe erstattet, wenn nichts beschädigt ist.

## Kann ich meinen Kurs verschieben?

Bis sieben Tage vorher kostet das nichts. Danach behalten wir die Hälfte des Preises, am letzten Tag den ganzen.
"""

SPANISH = """# Saltmarsh Kayaks en español

## ¿Cuál es el horario de la tienda?

La tienda abre de martes a viernes de 9.30 a 18 horas, los sábados de 9 a 17.30 y los domingos de 10 a 16. Los lunes cerramos.

## ¿Qué necesito para alquilar un kayak?

Un documento de identidad y la fianza, que se devuelve al traer el barco en buen estado. Los menores de 16 años necesitan la
firma de un adulto. El chaleco y la pala están incluidos en el precio.

## ¿Hay visitas para ver focas?

Sí, los domingos de mayo a septiembre. La excursión dura cuatro horas y cuesta 55 libras por persona. Los niños pueden venir a
partir de ocho años.

## ¿Puedo devolver un artículo?

Tiene 30 días para devolver lo que no ha usado, con su etiqueta. Los gastos de envío de la devolución los paga el cliente.
"""


def write_documents(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("questions.md", FAQ),
        ("deutsch.md", GERMAN),
        ("espanol.md", SPANISH),
        ("delivery.html", DELIVERY),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "warranty.docx").write_bytes(docx(*WARRANTY, table=REPAIR_PRICES, title="Warranty and workshop"))
    (folder / "courses.pdf").write_bytes(pdf(*COURSES, title="Courses and tours"))
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "Boats"
    for row in BOATS:
        sheet.append(row)
    sheet = workbook.create_sheet("Clothing and kit")
    for row in KIT:
        sheet.append(row)
    workbook.save(folder / "price list.xlsx")
    with (folder / "hire prices.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(HIRE)

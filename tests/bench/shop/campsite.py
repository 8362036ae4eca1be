"""The documents of a campsite that doesn't exist, in six formats."""

# ruff: noqa: E501 - the lines of the documents

import csv
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

GUIDE = """# Alderbrook Camping: guests' guide

## Arriving and leaving

Pitches are yours from 2 pm, pods and safari tents from 4 pm. Please leave pitches by 11 am and pods by 10 am. The barrier closes at
10 pm; if you are held up, ring the warden on 01632 960 318 and you can sleep on the meadow beside the gate until morning.

## Reception

Reception is open from 8.30 am to 12 noon and from 1.30 to 8 pm, in April and October until 6 pm. Outside these hours the warden lives in the
cottage with the green door.

## Season

The site opens on the Friday before Easter and closes on the last Sunday of October. The pods can be booked all year round except in January.

## Dogs

Two dogs a pitch are welcome at £4 a night each. They stay on a lead, and are not allowed in pods, in the play area or in the bathing
pond. The orchard field is free of dogs.

## Fires and barbecues

Fires are only lit in the fire bowls, which you borrow at reception for a deposit of £20. A net of logs costs £7. Gas and charcoal barbecues have to
stand at least 30 cm above the grass. When the flag at the gate is red, no fire is lit at all.

## Quiet

From 10.30 pm to 7 am it is quiet: no music, no generators and no driving on the site. Groups who keep others awake are sent home without
a refund.

## Showers and washing

The showers are hot, free and open day and night; there is a family bathroom and one for wheelchairs in the stone barn. Washing machines take
tokens of £5, the dryer £3, from reception. Dishes are washed in the lean-to behind the barn.

## Rubbish and the toilet cassette

Glass, tins, paper and food waste go into the marked bins by the barn. Empty your chemical toilet only at the point behind the workshop, where
there is fresh water, too.
"""

BOOKING = """<!doctype html><html lang="en"><head><title>Booking terms – Alderbrook Camping</title></head><body>
<nav><a href="/">Home</a> <a href="/prices">Prices</a></nav>
<main><h1>Booking terms</h1>
<h2>Deposit and balance</h2>
<p>We ask for a quarter of the price when you book. The rest is due four weeks before you arrive. If you book later than that, everything is
due at once.</p>
<h2>If your plans change</h2>
<p>Until four weeks before arrival you get back all but £15. Between four weeks and seven days we return half. After that, and if you leave
early, nothing is returned, but we gladly move your stay to another date in the same season if you tell us three days ahead.</p>
<h2>If we have to close</h2>
<p>Should the river flood the site, you choose between your money and a voucher that is valid for two years.</p>
<h2>Who can book</h2>
<p>The person who books has to be 21 or older and stays on the site. Groups of more than twelve, and stag or hen parties, are not taken. Schools and scouts
may use the far meadow in June and September; write to groups@alderbrook.example.</p>
<h2>How long you have to stay</h2>
<p>At weekends we take bookings of two nights or more, on bank holidays three. In July and August pods are let by the week, from Saturday to
Saturday.</p>
<h2>Visitors</h2>
<p>Day visitors pay £3 and leave by 9 pm. They park outside the gate.</p></main>
<footer>Alderbrook Camping, Mill Lane, Nether Alder</footer></body></html>
"""

PODS = (
    ("Heading1", "Pods and safari tents"),
    ("Heading2", "What is inside a pod"),
    (
        "",
        "Each pod has two single beds that can be pushed together, a sofa bed for one child, a fridge, a kettle, a heater and two sockets. There is no toilet; the barn is sixty metres away. Bring sleeping bags or duvets, pillows and towels. Saucepans, plates and cutlery for four are in the chest.",
    ),
    ("Heading2", "What is inside a safari tent"),
    (
        "",
        "A double bed, a bunk bed, a wood stove, a gas hob and a toilet of its own. Bed linen is on the beds; towels are not. There is no electricity, but lamps that charge in the sun.",
    ),
    ("Heading2", "Cleaning"),
    (
        "",
        "Leave them swept and the dishes clean. If a pod needs more than an hour's work we charge £40. Smoking inside costs £150.",
    ),
)
INCLUDED = (
    ("Item", "Pod", "Safari tent"),
    ("Bed linen", "no", "yes"),
    ("Towels", "no", "no"),
    ("Heating", "yes", "wood stove"),
    ("Electricity", "yes", "no"),
    ("Own toilet", "no", "yes"),
    ("Firewood", "no", "one basket"),
)

AROUND = (
    (
        (22, "Getting here and going out", "F2"),
        (11, ""),
        (15, "By car", "F2"),
        (11, "Leave the A592 at Nether Alder and follow the brown signs along Mill Lane. Don't trust"),
        (11, "your sat nav: the ford at Cold Beck is too deep for cars. The lane is narrow; caravans"),
        (11, "longer than seven metres can't get round the bend at the chapel."),
        (11, ""),
        (15, "By train and bus", "F2"),
        (11, "The nearest station is Stainforth, eight miles away. Bus 77 runs from there to our gate"),
        (11, "every two hours, the last one at 5.40 pm, and not on Sundays. A taxi is about £24."),
        (11, ""),
        (15, "Bathing pond", "F2"),
        (11, "The pond is fed by the beck and is cold even in August. There is no lifeguard;"),
        (11, "children under twelve only go in with an adult. Boats and boards stay out."),
        (11, ""),
        (15, "Walks and cycling", "F2"),
        (11, "A path along the river takes you to the pub in forty minutes. Mountain bikes can be"),
        (11, "rented from Tarn Cycles in the village, who bring them to the site for £5."),
        (11, ""),
        (15, "Food", "F2"),
        (11, "The bread van comes at 8 am from Thursday to Sunday. In the school holidays a pizza"),
        (11, "oven is lit on Fridays and Saturdays from 5 pm. The next supermarket is in Stainforth."),
    ),
)

PRICES = (
    ("Pitch", "Sleeps", "Low season, a night", "High season, a night", "Electric hook-up"),
    ("Small tent, meadow", 2, "£16", "£22", "no"),
    ("Large tent, meadow", 6, "£24", "£34", "no"),
    ("Tent, orchard field", 4, "£22", "£30", "no"),
    ("Campervan, hardstanding", 4, "£28", "£38", "yes"),
    ("Caravan, hardstanding", 6, "£30", "£41", "yes"),
    ("Pod", 3, "£52", "£74", "yes"),
    ("Safari tent", 4, "£85", "£125", "no"),
)
EXTRAS = (
    ("Extra", "Price"),
    ("Adult beyond two, a night", "£8"),
    ("Child 3 to 15, a night", "£4"),
    ("Child under 3", "free"),
    ("Second car, a night", "£5"),
    ("Awning, a night", "£3"),
    ("Gazebo, a stay", "£10"),
    ("Late departure until 4 pm", "£12"),
)

SHOP = (
    ("Article", "Price", "Available"),
    ("Gas cartridge, 230 g", "£6.50", "yes"),
    ("Gas bottle, 6 kg", "£38", "no"),
    ("Ice packs frozen, each", "£1", "yes"),
    ("Tent pegs, ten", "£4.50", "yes"),
    ("Adapter for hook-up, hire per stay", "£5", "yes"),
    ("Net of logs", "£7", "yes"),
    ("Oat milk, litre", "£2.20", "no"),
    ("Free-range eggs, six", "£2.40", "yes"),
)


def write_documents(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "booking.html").write_text(BOOKING, encoding="utf-8")
    (folder / "pods.docx").write_bytes(docx(*PODS, table=INCLUDED, title="Pods and safari tents"))
    (folder / "around.pdf").write_bytes(pdf(*AROUND, title="Getting here and going out"))
    workbook = Workbook()
    for title, rows in (("Prices", PRICES), ("Extras", EXTRAS)):
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    del workbook["Sheet"]
    workbook.save(folder / "prices.xlsx")
    with (folder / "shop.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(SHOP)

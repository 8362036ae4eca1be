"""The documents of a veterinary practice that doesn't exist, in six formats; a page in French."""

# ruff: noqa: E501 - the lines of the documents

import csv
from pathlib import Path

from openpyxl import Workbook

from tests.docbot.made_files import docx, pdf

PRACTICE = """# Fernhollow Vets: before you come

## Surgery hours

We see animals by appointment from Monday to Friday, 8.30 am to 6.30 pm, and on Saturdays from 9 am to noon. On Sundays and bank holidays the door is shut.

## Out of hours

If it can't wait, ring 01632 960 118 at any hour. At night you are put through to the animal hospital at Brackwell, 20 minutes away. Being seen there costs £230, before any treatment.

## Booking

Book by telephone on 01632 960 117 or in the app. A consultation takes 15 minutes; for two animals please book two. If you can't make it, let us know by 5 pm the day before, or we charge £20.

## Registering a new pet

Fill in the form on our website and tell us who treated the animal before; we ask them for the notes. It costs nothing. Puppies and kittens under four months get a first check free of charge.

## What we treat

Dogs, cats, rabbits, guinea pigs and other small mammals. For birds and reptiles we refer you to Dr Pembury in Ashford Green. We don't treat horses or farm animals.

## Waiting room

Cats wait upstairs, away from the dogs. Keep dogs on a lead and cats in a closed carrier; we lend you one for a deposit of £10. If your dog is afraid of others, wait in the car and we fetch you.

## Finding us

3 Mill Rise, Fernhollow, behind the garden centre. There are eight spaces at the door, one of them for disabled drivers. The 62 bus goes past once an hour.

## When the time has come

We take as long as you need, and come to your home if you like. You can stay with your animal. Cremation can be arranged, with or without the ashes coming back to you.
"""

MONEY = """<!doctype html><html lang="en"><head><title>Paying and insurance</title></head><body>
<nav><a href="/">Home</a> <a href="/team">Team</a></nav>
<main><h1>Paying and insurance</h1>
<h2>When to pay</h2>
<p>Please pay on the day, by card or cash. We don't send bills. If the estimate is above £300 we ask for half before the operation.</p>
<h2>Insurance</h2>
<p>You pay us and claim from your insurer; we fill in our part of the form for nothing. With PetSure and Hartwell we claim directly, and you only pay the excess.</p>
<h2>The Fernhollow Club</h2>
<p>£14 a month for a dog, £11 for a cat, £8 for a rabbit: yearly vaccination, flea and worm treatment all year, two nail clips and 10 % off everything else. You join for a year;
after that you can stop at a month's notice.</p>
<h2>Help with the cost</h2>
<p>People who get housing benefit or a pension credit can ask the Animal Welfare Fund for help before treatment begins. We have the form at the desk.</p></main>
<footer>Fernhollow Vets Ltd, 9960117</footer></body></html>
"""

OPERATIONS = (
    ("Heading1", "Your pet's operation"),
    ("Heading2", "The evening before"),
    (
        "",
        "No food after 8 pm; water may stay down until the morning. Rabbits and guinea pigs must go on eating, so bring their food along.",
    ),
    ("Heading2", "The day itself"),
    (
        "",
        "Bring the animal between 8.30 and 9 am. We ring you as soon as it is awake. Most go home the same day, from 4 pm.",
    ),
    ("Heading2", "At home afterwards"),
    (
        "",
        "Keep the collar on for ten days and don't let the wound get wet. Walks on the lead only. Stitches come out after ten days, which is included in the price.",
    ),
    ("Heading2", "When to worry"),
    (
        "",
        "Ring us if it bleeds for more than five minutes, if the wound smells, or if your pet has eaten nothing after 24 hours. A little sleepiness on the first evening is normal.",
    ),
)
OPERATION_PRICES = (
    ("Operation", "Male", "Female"),
    ("Neutering a cat", "£75", "£105"),
    ("Neutering a rabbit", "£95", "£130"),
    ("Neutering a dog under 20 kg", "£210", "£290"),
    ("Neutering a dog over 20 kg", "£260", "£365"),
)

TRAVEL = (
    (
        (22, "Travelling with your pet", "F2"),
        (11, ""),
        (15, "Going to the European Union", "F2"),
        (11, "A dog or cat needs a microchip, a rabies jab at least 21 days before you leave, and an"),
        (11, "animal health certificate (£165), which we write within ten days of departure. Book it"),
        (11, "four weeks ahead. It is good for one way in and four months of travelling."),
        (11, ""),
        (15, "Coming back", "F2"),
        (11, "Dogs must be treated against tapeworm by a vet abroad, one to five days before they"),
        (11, "return. Cats need no treatment."),
        (11, ""),
        (15, "Microchips", "F2"),
        (11, "Every dog over eight weeks and every cat over twenty weeks must have one. We put it in"),
        (11, "for £18. If you move house, change the address with the database, not with us."),
    ),
)

PRICES = (
    ("Service", "For", "Price", "Nurse can do it"),
    ("Consultation", "dogs, cats", "£48", "no"),
    ("Consultation", "rabbits, small mammals", "£39", "no"),
    ("Second consultation within 14 days", "all", "£32", "no"),
    ("Vaccination, first course of two", "dogs", "£82", "no"),
    ("Vaccination, yearly", "dogs", "£58", "no"),
    ("Vaccination, yearly", "cats", "£54", "no"),
    ("Nail clip", "all", "£14", "yes"),
    ("Emptying anal glands", "dogs", "£22", "yes"),
    ("Dental scale and polish", "dogs, cats", "£310", "no"),
    ("Blood test", "all", "£96", "yes"),
    ("Repeat prescription", "all", "£17", "no"),
)

TEAM = (
    ("Name", "Role", "Special interest", "Days"),
    ("Dr Aoife Brannigan", "vet, owner of the practice", "surgery", "Monday to Thursday"),
    ("Dr Samir Haddad", "vet", "skin, allergies", "Tuesday to Saturday"),
    ("Dr Lotte Vries", "vet", "rabbits, small mammals", "Monday, Friday"),
    ("Gwen Tully", "head nurse", "puppy classes", "Monday to Friday"),
    ("Jake Osei", "nurse", "weight clinic", "Wednesday to Saturday"),
)

FRENCH = """# Pour nos clients francophones

## Médicaments sur ordonnance

Commandez les renouvellements deux jours ouvrables à l'avance. L'animal doit avoir été examiné au cours des six derniers mois.

## Interprète

Le docteur Brannigan parle français. Demandez-la quand vous prenez rendez-vous.

## Cours pour chiots

Gwen Tully donne un cours pour chiots le jeudi soir à 18 h 45. Quatre séances coûtent 60 £. Le chiot doit avoir reçu son premier vaccin.
"""


def write_documents(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "practice.md").write_text(PRACTICE, encoding="utf-8")
    (folder / "francais.md").write_text(FRENCH, encoding="utf-8")
    (folder / "money.html").write_text(MONEY, encoding="utf-8")
    (folder / "operations.docx").write_bytes(docx(*OPERATIONS, table=OPERATION_PRICES, title="Your pet's operation"))
    (folder / "travel.pdf").write_bytes(pdf(*TRAVEL, title="Travelling with your pet"))
    workbook = Workbook()
    workbook.active.title = "Prices"
    for row in PRICES:
        workbook.active.append(row)
    workbook.save(folder / "prices.xlsx")
    with (folder / "team.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(TEAM)

"""Questions about table rows, from any kind of file: what is quoted, what is computed, what is left alone."""

import io

import openpyxl
import pytest

from docbot.answering.answers import answer
from tests.docbot.asking import ask
from tests.docbot.conftest import index_of
from tests.docbot.made_files import docx

ROWS = (
    ("Boat", "Kind", "Price per day", "Weight", "In stock", "Sail"),
    ("Heron", "Canoe", "£35.00", "28 kg", "4", "no"),
    ("Swift", "Canoe", "£42.50", "24.5 kg", "0", "no"),
    ("Otter", "Kayak", "£29.00", "19000 g", "7", "no"),
    ("Gull", "Dinghy", "£1,180.00", "95 kg", "1", "yes"),
    ("Tern", "Dinghy", "£990", "88 kg", "2", "yes"),
)


def sheet() -> bytes:
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def cells(row: tuple[str, ...], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>"


BODY = "".join(cells(row, "td") for row in ROWS[1:])
PAGE = f"<h1>Boats</h1><p>We let boats.</p><table>{cells(ROWS[0], 'th')}{BODY}</table>"
LINES = "\n".join("|" + "|".join(row) + "|" for row in (ROWS[0], ("-",) * 6, *ROWS[1:]))
FILES = {
    "boats.csv": "\n".join(";".join(row) for row in ROWS).encode(),
    "boats.xlsx": sheet(),
    "boats.md": f"# Boats\n\n{LINES}\n".encode(),
    "boats.html": f"<html><body><main>{PAGE}</main></body></html>".encode(),
    "boats.docx": docx(("Title", "Boats"), ("", "We let boats."), table=ROWS),
}


@pytest.mark.parametrize("name", FILES)
def test_in_any_kind_of_file_one_row_is_a_sentence_and_several_are_a_table_with_its_header(tmp_path, name):
    said = ask(tmp_path, FILES[name], name, "What is the price of the Heron per day?")
    assert said.text.startswith("Heron – Price per day: £35.00\n")
    assert said.certainty == "sure"
    said = ask(tmp_path, FILES[name], name, "Which boats have a sail?")
    assert said.text.startswith("| Boat | Sail |\n|---|---|\n| Gull | yes |\n| Tern | yes |\n\n")


COMPUTED = {
    "the cheapest canoe?": "Heron – Price per day: £35.00",
    "What is your most expensive boat?": "Gull – Price per day: £1,180.00",
    "which boat is the lightest?": "Otter – Weight: 19000 g",
    "Which is the heaviest canoe?": "Heron – Weight: 28 kg",
    "Which boats are under £40 per day?": "| Boat | Price per day |\n|---|---|\n| Heron | £35.00 |\n| Otter | £29.00 |",
    "Which boats cost over 900 pounds?": "| Boat | Price per day |\n|---|---|\n| Gull | £1,180.00 |\n| Tern | £990 |",
    "which canoes are in stock?": "Heron – In stock: 4",
    "Which boats are lighter than 25 kg?": "| Boat | Weight |\n|---|---|\n| Swift | 24.5 kg |\n| Otter | 19000 g |",
    "Which canoes do you sell?": "| Boat | Kind | Price per day | Weight | In stock |",
    "Do you have any canoes under £50 in stock?": "Heron – Price per day: £35.00, In stock: 4",
    "How many dinghies are there?": "**2**\n\n| Boat |\n|---|\n| Gull |\n| Tern |",
    "How many Otters are in stock?": "Otter – In stock: 7",
}


@pytest.mark.parametrize(("message", "begins"), COMPUTED.items(), ids=COMPUTED)
def test_rows_are_compared_counted_and_chosen(tmp_path, message, begins):
    assert ask(tmp_path, FILES["boats.csv"], "boats.csv", message).text.startswith(begins)


def test_text_beside_the_table_is_suggested_next(tmp_path):
    page = f"# Boats\n\n{LINES}\n\n## How do I return a boat?\n\nLeave the keys of the boat at the hut.\n"
    said = ask(tmp_path, page.encode(), "boats.md", "What does the Otter cost per day?").text
    assert "£29.00" in said
    assert said.endswith("- [How do I return a boat?](#ask)")


STAYS = "Stay;Discount\n3 nights;5%\n1 week;10%\n2 weeks;15%\n4 weeks;25%\n"
TERMS = "Course;Length;Starts\nDrums;8 weeks;2 June\nSwimming;2 weeks;1 August\n"
MONTHS = "Room;April;May;June\nHayloft;£70;£78;£98\nDouble;£82;£90;£112\n"
DATES = "Course;Starts;Days\nIntensive;2027-04-05;5\nRefresher;17.04.2027;2\nMotorway day;2027-05-15;1\n"
ON_CONDITION = {
    ("stays.csv", STAYS, "discount for two weeks"): "2 weeks – Discount: 15%\n",
    ("stays.csv", STAYS, "what discount do we get for 7 nights?"): "1 week – Discount: 10%\n",
    ("terms.csv", TERMS, "is there a course for two weeks?"): "Swimming – ",
    ("rooms.csv", MONTHS, "double in may"): "Double – May: £90\n",
    ("courses.csv", DATES, "courses in May"): "Motorway day – ",
    ("courses.csv", DATES, "how many courses are there in April?"): "**2**\n",
    ("courses.csv", DATES, "how many days is the refresher?"): "Refresher – ",
}


@pytest.mark.parametrize(("name", "table", "message"), ON_CONDITION, ids=[one[2] for one in ON_CONDITION])
def test_the_amount_or_month_that_is_named_chooses_row_and_column(tmp_path, name, table, message):
    begins = ON_CONDITION[name, table, message]
    assert ask(tmp_path, table.encode(), name, message).text.startswith(begins)


def test_a_table_of_many_passages_is_compared_as_a_whole(tmp_path):
    rows = "\n".join(f"Model {number};Lamp of brass with a shade;£{400 - number}.00" for number in range(150))
    said = ask(tmp_path, f"Model;Description;Price\n{rows}".encode(), "lamps.csv", "What is the cheapest lamp?")
    assert said.text.startswith("Model 149 – Price: £251.00")


@pytest.mark.parametrize("prices", [("£9", "€8"), ("£9", "on request"), ("£9", "")])
def test_values_that_cannot_be_compared_are_not(tmp_path, prices):
    content = f"Room;Kind;Price\nBlue;Single room;{prices[0]}\nGreen;Single room;{prices[1]}\n".encode()
    said = ask(tmp_path, content, "rooms.csv", "Which is the cheapest single room?").text
    assert not said.startswith(("Blue –", "Green –"))


def test_without_a_price_nothing_is_the_cheapest(tmp_path):
    classes = b"Class;Day;Places\nThrowing;Tuesday;8\nGlazing;Friday;6\n"
    assert ask(tmp_path, classes, "classes.csv", "Which class is the cheapest?").certainty == "unsure"


def test_a_price_is_no_answer_to_how_long_something_takes(tmp_path):
    page = "# Cleaning\n\n## How long it takes\n\nWedding dresses take three weeks, coats four days.\n\n## Prices\n\n"
    rows = "| Item | Price | Note |\n|---|---|---|\n| Wedding dress | £140 | boxed |\n| Coat | £18 | hung |\n"
    said = ask(tmp_path, (page + rows).encode(), "cleaning.md", "How long does a wedding dress take?").text
    assert said.startswith("Wedding dresses take three weeks")


def test_rows_are_not_counted_by_a_word_of_a_sentence_in_them(tmp_path):
    stored = "What;Why\nAddress;so that we can answer visitors by letter\nName;for the badge of each of our visitors\n"
    assert "**" not in ask(tmp_path, stored.encode(), "stored.csv", "How many visitors are there?").text


def test_a_closed_day_answers_for_itself_and_not_for_its_day_of_the_week(tmp_path):
    week = "| Day | Hours |\n|---|---|\n| Monday | 9 am to 5 pm |\n| Friday | 9 am to 8 pm |\n| Sunday | closed |\n"
    closures = (
        "| Date | Why | Open |\n|---|---|---|\n| 2027-12-24 | Christmas Eve | no |\n| 2027-12-31 | New Year | no |\n"
    )
    page = f"# Shop\n\n## Opening hours\n\n{week}\n## Closed days\n\n{closures}"
    assert ask(tmp_path, page.encode(), "shop.md", "Are you open on Friday?").text.startswith("Friday – ")
    said = ask(tmp_path, page.encode(), "shop.md", "Are you open on Christmas Eve?").text
    assert said.startswith("Christmas Eve – Open: no\n")


def test_no_more_than_seven_rows_are_shown_and_all_are_counted(tmp_path):
    rows = "\n".join(f"Model {number};Lamp;£{number}.00" for number in range(1, 41))
    lamps = f"Model;Kind;Price\n{rows}".encode()
    said = ask(tmp_path, lamps, "lamps.csv", "Which lamps cost under £30?").text
    assert said.startswith("**29**\n\n| Model | Price |")
    assert said.count("\n| Model ") == 1 + 7


@pytest.mark.parametrize(
    "message", ["Do you let washing machines?", "What is the cheapest aeroplane?", "landing stage open"]
)
def test_a_table_answers_nothing_that_it_does_not_contain(tmp_path, message):
    assert " – " not in ask(tmp_path, FILES["boats.csv"], "boats.csv", message).text


POOL = """Ticket;Days;Peak;Lanes
Concession;65 and over;£2;1
Adult swim;Monday;£5.90;4
Swim, 4 to 17;Tuesday;£3.90;2
Swim, under-4s;Tuesday;£1;1
Swim in lanes;Sunday;£6.20;5
Sauna, up to 60 minutes;Friday;£9;0
Adult swim;Sunday;£5.20;3
"""
IN_RANGE = {
    "What is the peak price of a swim for a 12 year old?": "Swim, 4 to 17 – Peak: £3.90",
    "Peak price of a swim for a three-year-old?": "Swim, under-4s – Peak: £1",
    "What is the peak price for a 70 year old?": "Concession – Peak: £2",
    "What is the peak price of a sauna of 45 minutes?": "Sauna, up to 60 minutes – Peak: £9",
    "Which tickets have at least three lanes?": (
        "| Ticket | Days | Lanes |\n|---|---|---|\n| Adult swim | Monday | 4 |\n| Swim in lanes | Sunday | 5 |"
    ),
    "Which ticket has the most lanes?": "Swim in lanes – Lanes: 5",
}


@pytest.mark.parametrize(("message", "begins"), IN_RANGE.items(), ids=IN_RANGE)
def test_a_row_is_found_by_a_number_in_its_range_and_by_spelled_out_numbers(tmp_path, message, begins):
    assert ask(tmp_path, POOL.encode(), "tickets.csv", message).text.startswith(begins)


VAN = """Day;Village;Stop;Arrives;Leaves
Monday;Ashby;Green;9.30 am;10.15 am
Monday;Corfield;School;1.15 pm;2 pm
Thursday;Wick End;Post office;9.45 am;10.30 am
Thursday;Stanway;Station;4.30 pm;6 pm
"""
ROOMS = """Room;Seats;Hour;Screen
Oak room;8;£12;no
Weavers' room;20;£18;yes
Great hall;90;£45;yes
"""
DAYS = """Room;Half day;Day
Oak room;£40;£70
Weavers' room;£60;£105
Kitchen;£30;£50
"""
SIZES = """Print;Size;Black;Colour
Copy;A4;£0.15;£0.50
Copy;A3;£0.30;£1.00
Poster;A2;;£9.00
Poster;A1;;£14.00
"""
WEEK = """Day;Library;Cafe
Tuesday;9 am to 6 pm;10 am to 4 pm
Wednesday;closed;closed
Thursday;9 am to 8 pm;10 am to 6 pm
Sunday;closed;closed
"""
STORES = "Room;Screen;Floor\nLocker;yes;1\nSmall room;no;2\nLarge room;yes;2\n"
COURSES = """Course;Day;Peak;Off-peak;Places left
Chalk set;Monday;£2;£2;full
Ropes 1;Monday;£45;£40;fully booked
Ropes 2;Sunday;£95;£90;2
Lizards;Sunday;£12;£8;6
"""
PLANS = "Plan;Price;Machines\nHome;£29;1\nFamily;£59;5\nPro;£99;10\nTeam;£249;50\n"
TEAMS = "Plan;Price;Users\nSolo;£9;1\nStudio;£24;5\nAgency;£59;25\n"
TOOLS = "Tool;Set-up;State\nXero;10 minutes;ready\nSlack;2 minutes;ready\nSage;;planned\n"
TIMES = "Day;Opens;Closes\nMonday to Friday;9 am;6 pm\nSaturday;10 am;4 pm\n"
FERRY = "Sailing;Days;Leaves\nMorning;daily;08:30\nNoon;Saturday and Sunday;12:00\nEvening;Monday to Friday;18:10\n"
CAKES = """Cake;Size;Price;Days ahead
Carrot cake;small;£18;1
Carrot cake;large;£30;1
Wedding cake;two tiers;£180;14
"""
ROWS_ASKED_FOR = {
    "What is the last stop on Thursday?": (
        VAN,
        "Stanway – Day: Thursday, Stop: Station, Arrives: 4.30 pm, Leaves: 6 pm\n\n",
    ),
    "When does the first stop begin on Monday?": (
        VAN,
        "Ashby – Day: Monday, Stop: Green, Arrives: 9.30 am, Leaves: 10.15 am\n\n",
    ),
    "Do you have a room for 50 people?": (ROOMS, "Great hall – Seats: 90, Hour: £45, Screen: yes\n\n"),
    "What is the largest room?": (ROOMS, "Great hall – Seats: 90, Hour: £45, Screen: yes\n\n"),
    "Which rooms have a screen?": (STORES, "| Locker | yes |\n| Large room | yes |\n\n"),
    "How late are you open on a Saturday?": (TIMES, "Saturday – Opens: 10 am, Closes: 4 pm\n"),
    "How late are you?": (WEEK, "| Sunday | closed | closed |\n\n"),  # all week
    "What does the oak room cost for a day?": (DAYS, "Oak room – Day: £70\n"),
    "Which is the cheapest room for a day?": (DAYS, "Kitchen – Day: £50\n"),
    "What does a poster in A1 cost?": (SIZES, "Poster – Size: A1, Colour: £14.00\n"),
    "When do you close today? It's Thursday": (WEEK, "Thursday – Library: 9 am to 8 pm, Cafe: 10 am to 6 pm\n\n"),
    "How much is Ropes 2 at peak time?": (COURSES, "Ropes 2 – Peak: £95\n"),
    "What do the lizards cost off peak?": (COURSES, "Off-peak: £8\n"),
    "Which courses still have places?": (COURSES, "| Ropes 2 | 2 |\n| Lizards | 6 |\n\n"),
    "How many machines has the Pro plan?": (PLANS, "Pro – Machines: 10\n"),
    "The cheapest plan for 20 machines?": (PLANS, "Team – Price: £249, Machines: 50\n"),
    "The cheapest plan for under 20 machines?": (PLANS, "Home – Price: £29"),
    "Which plan has 5 machines?": (PLANS, "Family – Machines: 5\n"),
    "The cheapest plan with 5 users?": (TEAMS, "Studio – Price: £24\n"),
    "We are 12 people: which plan?": (TEAMS, "Agency – Price: £59, Users: 25\n"),
    "Which tool is the quickest?": (TOOLS, "Slack – Set-up: 2 minutes\n"),
    "What is the difference between Pro and Team?": (PLANS, "| Pro | £99 | 10 |\n| Team | £249 | 50 |\n\n"),
    "When does the first sailing leave on Saturday?": (
        FERRY,
        "Morning – Days: daily, Leaves: 08:30\n\n",
    ),
    "Do I have to order a carrot cake in advance?": (CAKES, "Days ahead"),
    "On which days are you closed?": (WEEK, "| Wednesday | closed | closed |\n| Sunday | closed | closed |\n\n"),
}


@pytest.mark.parametrize(("message", "table"), ROWS_ASKED_FOR.items(), ids=ROWS_ASKED_FOR)
def test_the_requested_rows_are_shown(tmp_path, message, table):
    content, shown = table
    assert shown in ask(tmp_path, content.encode(), "table.csv", message).text


def test_when_no_row_matches_every_word_all_near_matches_are_shown(tmp_path):
    rows = "Treatment;Price\nRoot canal, front tooth;£390\nRoot canal, molar;£560\nCheck-up;£45\n"
    said = ask(tmp_path, rows.encode(), "prices.csv", "price of a root canal on a back tooth").text
    assert said.startswith(
        "| Treatment | Price |\n|---|---|\n| Root canal, front tooth | £390 |\n| Root canal, molar | £560 |\n\n"
    )


def test_a_table_with_hardly_a_word_of_the_message_is_no_answer_but_for_a_single_row(tmp_path):
    ages = "Thing: Drill; From age: 18\nThing: Ladder; From age: 16\nThing: Saw; From age: 18"
    one = answer(index_of(tmp_path, ("Prices", "", ages)), "What must my son bring to borrow the drill?", sure=0.01)
    assert one.text.startswith("Drill – From age: 18\n")
    rows = "Stage;Able to;Days\nStage 1;float;Monday\nStage 2;swim 5 metres;Tuesday\nStage 3;swim far;Friday\n"
    said = ask(tmp_path, rows.encode(), "stages.csv", "We had a tummy bug yesterday, when may we swim?").text
    assert "Tuesday" not in said


PRICES = b"""Bike;Half day (\xe2\x82\xac);Full day (\xe2\x82\xac);Sizes;In stock
City bike Tejo;12;18;S, M, L;24
E-bike Alfama;25;38;M, L;9
Child bike Pipoca;8;12;20 inch;7
"""


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Which is the cheapest bike for a full day?", "Child bike Pipoca – Full day (€): 12\n"),
        ("How much is the e-bike for a full day?", "E-bike Alfama – Full day (€): 38\n"),
        (
            "Which bikes cost under 20 euros for a full day?",
            "| Bike | Full day (€) |\n|---|---|\n| City bike Tejo | 18 |",
        ),
        ("How much is an e-bike?", "E-bike Alfama – Half day (€): 25, Full day (€): 38\n"),
        ("The cheapest e-bike?", "E-bike Alfama – Half day (€): 25\n"),
    ],
)
def test_a_unit_in_the_header_applies_to_its_column(tmp_path, message, begins):
    assert ask(tmp_path, PRICES, "prices.csv", message).text.startswith(begins)


HOURS = b"""# Opening times

| Day | Shop | Hire desk |
|---|---|---|
| Monday | closed | closed |
| Saturday | 9 am to 5 pm | 8 am to 6 pm |
| Sunday | 10 am to 4 pm | 8 am to 6 pm |
"""


def test_a_short_table_that_answers_as_a_whole_is_quoted_completely(tmp_path):
    said = ask(tmp_path, HOURS, "hours.md", "What are your opening times?")
    assert said.certainty == "sure"
    table = "| Day | Shop | Hire desk |\n|---|---|---|\n| Monday | closed | closed |\n| Saturday |"
    assert said.text.startswith(table)


SERVICES = b"""Service,For,Price,Minutes
Consultation,"dogs, cats",48,15
Consultation,rabbits,39,20
Vaccination,"dogs, cats",58,10
Vaccination,rabbits,52,10
Nail clip,all,14,5
Dental polish,"dogs, cats",310,90
Blood test,all,96,25
""".replace(b"Price", "Price (£)".encode())


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        (
            "How much is a consultation?",
            "| Service | For | Price (£) |\n|---|---|---|\n| Consultation | dogs, cats | 48 |\n",
        ),
        ("How much is a consultation for rabbits?", "Consultation – For: rabbits, Price (£): 39\n"),
        ("What is the cheapest service?", "Nail clip – Price (£): 14\n"),
        ("How long does it take, the blood test in minutes?", "Blood test – Minutes: 25\n"),
    ],
)
def test_a_price_never_replaces_the_name_of_its_row(tmp_path, message, begins):
    assert ask(tmp_path, SERVICES, "services.csv", message).text.startswith(begins)


CARDS = """Product,Quantity,Paper,Price,Extra sides
Cards,100,400 g,£24,£6
Cards,250,400 g,£32,£8
Cards,500,400 g,£45,£11
Flyers,250,170 g,£38,included
""".encode()


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("How much are 250 cards?", "Cards – Quantity: 250, Price: £32, Extra sides: £8\n"),
        ("The cheapest cards?", "Cards – Quantity: 100, Price: £24\n"),
    ],
)
def test_numbers_in_neighbouring_cells_stay_apart_and_a_column_of_mostly_prices_names_no_row(tmp_path, message, begins):
    assert ask(tmp_path, CARDS, "cards.csv", message).text.startswith(begins)


@pytest.mark.parametrize("column", ["Price in £", "£ for each", "Price"])
def test_a_columns_name_says_that_its_numbers_are_prices(tmp_path, column):
    services = SERVICES.replace("Price (£)".encode(), column.encode())
    for message, names in (("under £39", ["Nail clip"]), ("no more than £39", ["Consultation", "Nail clip"])):
        said = ask(tmp_path, services, "services.csv", f"Which services cost {message}?").text
        assert [
            name for name in ("Consultation", "Vaccination", "Nail clip") if name in said.split("Source")[0]
        ] == names


def test_a_long_table_is_no_answer_if_none_of_its_rows_is_asked_for(tmp_path):
    said = ask(tmp_path, SERVICES, "services.csv", "What is the price of spaying a labrador?")
    assert said.certainty != "sure"


def test_how_long_asks_for_a_length_if_no_column_has_times(tmp_path):
    boats = b"Boat,Material,Length (m)\nTern,plastic,4.8\nTern Carbon,carbon,5.1\nCurlew,plastic,2.9\n"
    assert ask(tmp_path, boats, "boats.csv", "How long is the Curlew?").text.startswith("Curlew – Length (m): 2.9\n")

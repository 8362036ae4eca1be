"""Questions about table rows, from any kind of file: what is quoted, what is computed, what is left alone."""

import pytest

from docbot.answering.answers import answer
from tests.docbot.asking import ask, ask_about
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
BOATS = "\n".join(";".join(row) for row in ROWS)
LINES = "\n".join("|" + "|".join(row) + "|" for row in (ROWS[0], ("-",) * 6, *ROWS[1:]))
FILES = {
    "boats.csv": BOATS,
    "boats.md": f"# Boats\n\n{LINES}\n",
    "boats.docx": docx(("Title", "Boats"), ("", "We let boats."), table=ROWS),
}


@pytest.mark.parametrize("name", FILES)
def test_in_any_kind_of_file_one_row_is_a_sentence_and_several_are_a_table_with_its_header(tmp_path, name):
    said = ask(tmp_path, FILES[name], name, "What is the price of the Heron per day?")
    assert said.text.startswith("Heron – Price per day: £35.00\n")
    assert said.certainty == "sure"
    said = ask(tmp_path, FILES[name], name, "Which boats have a sail?")
    assert said.text.startswith("| Boat | Sail |\n|---|---|\n| Gull | yes |\n| Tern | yes |\n\n")


def test_text_beside_the_table_is_suggested_next(tmp_path):
    page = f"{FILES['boats.md']}\n## How do I return a boat?\n\nLeave the keys of the boat at the hut.\n"
    said = ask_about(tmp_path, page, "What does the Otter cost per day?")
    assert "£29.00" in said
    assert said.endswith("- [How do I return a boat?](#ask)")


STAYS = "Stay;Discount\n3 nights;5%\n1 week;10%\n2 weeks;15%\n4 weeks;25%\n"
TERMS = "Course;Length;Starts\nDrums;8 weeks;2 June\nSwimming;2 weeks;1 August\n"
MONTHS = "Room;April;May;June\nHayloft;£70;£78;£98\nDouble;£82;£90;£112\n"
DATES = "Course;Starts;Days\nIntensive;2027-04-05;5\nRefresher;17.04.2027;2\nMotorway day;2027-05-15;1\n"
POOL = """Ticket;Days;Peak;Lanes
Concession;65 and over;£2;1
Adult swim;Monday;£5.90;4
Swim, 4 to 17;Tuesday;£3.90;2
Swim, under-4s;Tuesday;£1;1
Swim in lanes;Sunday;£6.20;5
Sauna, up to 60 minutes;Friday;£9;0
Adult swim;Sunday;£5.20;3
"""
TICKETS = "Ticket;Price\nAdult;£9\nChild (5–15 years);£4\nUnder 5;free\n"
CAVE = "Ticket;Cave;Cave and museum\nAdult;£9;£12\nUnder 5;free;£2\n"
GROUPS = f"{TICKETS}Group, 12 people or more, each;£7\n"
SHOWS = "Show;Minutes\nThe sky tonight;40\nBlack holes;45\n"
PRICES = """Bike;Half day (€);Full day (€);Sizes;In stock
City bike Tejo;12;18;S, M, L;24
E-bike Alfama;25;38;M, L;9
Child bike Pipoca;8;12;20 inch;7
"""
SERVICES = """Service,For,Price (£),Minutes
Consultation,"dogs, cats",48,15
Consultation,rabbits,39,20
Vaccination,"dogs, cats",58,10
Vaccination,rabbits,52,10
Nail clip,all,14,5
Dental polish,"dogs, cats",310,90
Blood test,all,96,25
"""
CARDS = """Product,Quantity,Paper,Price,Extra sides
Cards,100,400 g,£24,£6
Cards,250,400 g,£32,£8
Cards,500,400 g,£45,£11
Flyers,250,170 g,£38,included
"""
LENGTHS = "Boat,Material,Length (m)\nTern,plastic,4.8\nTern Carbon,carbon,5.1\nCurlew,plastic,2.9\n"
ROOMS = """Room,Seats,Price per hour,Projector,Piano
Turner Room,12,£8,yes,no
Austen Hall,80,£25,yes,yes
Quiet Pod,1,free,no,no
Workshop,16,£12,no,no
"""
# The message, the table, and how the reply begins.
BEGINS = {
    # Rows are compared, counted and chosen.
    "what does it cost for 15 people": (GROUPS, "Group, 12 people or more, each – Price: £7"),
    "how much is a ticket for a 4 year old?": (CAVE, "Under 5 – Cave: free, Cave and museum: £2"),
    "how much is a ticket for my 14 year old daughter?": (TICKETS, "Child (5–15 years) – Price: £4"),
    "whats the shortest show?": (SHOWS, "The sky tonight – Minutes: 40"),
    "and for my 15 year old?": (GROUPS, "Child (5–15 years) – Price: £4"),
    "whats the longest show": (SHOWS, "Black holes – Minutes: 45"),
    "the cheapest canoe?": (BOATS, "Heron – Price per day: £35.00"),
    "What is your most expensive boat?": (BOATS, "Gull – Price per day: £1,180.00"),
    "which boat is the lightest?": (BOATS, "Otter – Weight: 19000 g"),
    "Which is the heaviest canoe?": (BOATS, "Heron – Weight: 28 kg"),
    "Which boats are under £40 per day?": (
        BOATS,
        "| Boat | Price per day |\n|---|---|\n| Heron | £35.00 |\n| Otter | £29.00 |",
    ),
    "Which boats cost over 900 pounds?": (
        BOATS,
        "| Boat | Price per day |\n|---|---|\n| Gull | £1,180.00 |\n| Tern | £990 |",
    ),
    "which canoes are in stock?": (BOATS, "Heron – In stock: 4"),
    "Which boats are lighter than 25 kg?": (
        BOATS,
        "| Boat | Weight |\n|---|---|\n| Swift | 24.5 kg |\n| Otter | 19000 g |",
    ),
    "Which canoes do you sell?": (BOATS, "| Boat | Kind | Price per day | Weight | In stock |"),
    "Do you have any canoes under £50 in stock?": (BOATS, "Heron – Price per day: £35.00, In stock: 4"),
    "How many dinghies are there?": (BOATS, "**2**\n\n| Boat |\n|---|\n| Gull |\n| Tern |"),
    "How many Otters are in stock?": (BOATS, "Otter – In stock: 7"),
    # The amount or month that is named chooses row and column.
    "discount for two weeks": (STAYS, "2 weeks – Discount: 15%\n"),
    "what discount do we get for 7 nights?": (STAYS, "1 week – Discount: 10%\n"),
    "is there a course for two weeks?": (TERMS, "Swimming – "),
    "double in may": (MONTHS, "Double – May: £90\n"),
    "courses in May": (DATES, "Motorway day – "),
    "how many courses are there in April?": (DATES, "**2**\n"),
    "how many days is the refresher?": (DATES, "Refresher – "),
    # A number in a row's range, and numbers in words.
    "What is the peak price of a swim for a 12 year old?": (POOL, "Swim, 4 to 17 – Peak: £3.90"),
    "Peak price of a swim for a three-year-old?": (POOL, "Swim, under-4s – Peak: £1"),
    "What is the peak price for a 70 year old?": (POOL, "Concession – Peak: £2"),
    "What is the peak price of a sauna of 45 minutes?": (POOL, "Sauna, up to 60 minutes – Peak: £9"),
    "Which tickets have at least three lanes?": (
        POOL,
        "| Ticket | Days | Lanes |\n|---|---|---|\n| Adult swim | Monday | 4 |\n| Swim in lanes | Sunday | 5 |",
    ),
    "Which ticket has the most lanes?": (POOL, "Swim in lanes – Lanes: 5"),
    # A unit in the header applies to its column.
    "Which is the cheapest bike for a full day?": (PRICES, "Child bike Pipoca – Full day (€): 12\n"),
    "Which bikes cost under 20 euros for a full day?": (
        PRICES,
        "| Bike | Full day (€) |\n|---|---|\n| City bike Tejo | 18 |",
    ),
    "How much is an e-bike?": (PRICES, "E-bike Alfama – Half day (€): 25, Full day (€): 38\n"),
    "The cheapest e-bike?": (PRICES, "E-bike Alfama – Half day (€): 25\n"),
    # A price never replaces the name of its row.
    "How much is a consultation?": (
        SERVICES,
        "| Service | For | Price (£) |\n|---|---|---|\n| Consultation | dogs, cats | 48 |\n",
    ),
    "How much is a consultation for rabbits?": (SERVICES, "Consultation – For: rabbits, Price (£): 39\n"),
    "What is the cheapest service?": (SERVICES, "Nail clip – Price (£): 14\n"),
    "How long does it take, the blood test in minutes?": (SERVICES, "Blood test – Minutes: 25\n"),
    # Numbers in neighbouring cells stay apart; a column of mostly prices names no row.
    "How much are 250 cards?": (CARDS, "Cards – Quantity: 250, Price: £32, Extra sides: £8\n"),
    "The cheapest cards?": (CARDS, "Cards – Quantity: 100, Price: £24\n"),
    # "How long" asks for a length if no column has times.
    "How long is the Curlew?": (LENGTHS, "Curlew – Length (m): 2.9\n"),
    # A row has what is wanted before it is compared; "free" is the least price.
    "is there a room for 15 people with a projector?": (ROOMS, "Austen Hall – "),
    "what is the cheapest room with a projector": (ROOMS, "Turner Room – Price per hour: £8, Projector: yes"),
    "which room is the cheapest": (ROOMS, "Quiet Pod – Price per hour: free"),
    "a room under 10 pounds?": (
        ROOMS,
        "| Room | Price per hour |\n|---|---|\n| Turner Room | £8 |\n| Quiet Pod | free |",
    ),
    "is there a free room": (ROOMS, "Quiet Pod – "),
}


@pytest.mark.parametrize(("message", "table"), BEGINS.items(), ids=BEGINS)
def test_the_reply_begins_with_the_rows_and_columns_that_are_asked_for(tmp_path, message, table):
    content, begins = table
    assert ask_about(tmp_path, content, message).startswith(begins)


def test_a_table_of_many_passages_is_compared_as_a_whole(tmp_path):
    rows = "\n".join(f"Model {number};Lamp of brass with a shade;£{400 - number}.00" for number in range(150))
    said = ask_about(tmp_path, f"Model;Description;Price\n{rows}", "What is the cheapest lamp?")
    assert said.startswith("Model 149 – Price: £251.00")


@pytest.mark.parametrize("prices", [("£9", "€8"), ("£9", "on request"), ("£9", "")])
def test_values_that_cannot_be_compared_are_not(tmp_path, prices):
    content = f"Room;Kind;Price\nBlue;Single room;{prices[0]}\nGreen;Single room;{prices[1]}\n"
    assert not ask_about(tmp_path, content, "Which is the cheapest single room?").startswith(("Blue –", "Green –"))


def test_without_a_price_nothing_is_the_cheapest(tmp_path):
    classes = "Class;Day;Places\nThrowing;Tuesday;8\nGlazing;Friday;6\n"
    assert ask(tmp_path, classes, "classes.csv", "Which class is the cheapest?").certainty == "unsure"


def test_rows_are_not_counted_by_a_word_of_a_sentence_in_them(tmp_path):
    stored = "What;Why\nAddress;so that we can answer visitors by letter\nName;for the badge of each of our visitors\n"
    assert "**" not in ask_about(tmp_path, stored, "How many visitors are there?")


def test_no_more_than_seven_rows_are_shown_and_all_are_counted(tmp_path):
    rows = "\n".join(f"Model {number};Lamp;£{number}.00" for number in range(1, 41))
    said = ask_about(tmp_path, f"Model;Kind;Price\n{rows}", "Which lamps cost under £30?")
    assert said.startswith("**29**\n\n| Model | Price |")
    assert said.count("\n| Model ") == 1 + 7


@pytest.mark.parametrize("message", ["What is the cheapest aeroplane?", "landing stage open"])
def test_a_table_answers_nothing_that_it_does_not_contain(tmp_path, message):
    assert " – " not in ask_about(tmp_path, BOATS, message)


def test_a_number_of_people_is_not_an_age(tmp_path):
    assert "£4" not in ask_about(tmp_path, TICKETS, "what does it cost for 15 people")


def test_when_no_row_matches_every_word_all_near_matches_are_shown(tmp_path):
    rows = "Treatment;Price\nRoot canal, front tooth;£390\nRoot canal, molar;£560\nCheck-up;£45\n"
    assert ask_about(tmp_path, rows, "price of a root canal on a back tooth").startswith(
        "| Treatment | Price |\n|---|---|\n| Root canal, front tooth | £390 |\n| Root canal, molar | £560 |\n\n"
    )


def test_a_table_with_hardly_a_word_of_the_message_is_no_answer_but_for_a_single_row(tmp_path):
    ages = "Thing: Drill; From age: 18\nThing: Ladder; From age: 16\nThing: Saw; From age: 18"
    one = answer(index_of(tmp_path, ("Prices", "", ages)), "What must my son bring to borrow the drill?", sure=0.01)
    assert one.text.startswith("Drill – From age: 18\n")
    rows = "Stage;Able to;Days\nStage 1;float;Monday\nStage 2;swim 5 metres;Tuesday\nStage 3;swim far;Friday\n"
    assert "Tuesday" not in ask_about(tmp_path, rows, "We had a tummy bug yesterday, when may we swim?")


@pytest.mark.parametrize("column", ["Price in £", "£ for each", "Price"])
def test_a_columns_name_says_that_its_numbers_are_prices(tmp_path, column):
    services = SERVICES.replace("Price (£)", column)
    for message, names in (("under £39", ["Nail clip"]), ("no more than £39", ["Consultation", "Nail clip"])):
        said = ask_about(tmp_path, services, f"Which services cost {message}?").split("Source")[0]
        assert [name for name in ("Consultation", "Vaccination", "Nail clip") if name in said] == names


def test_a_long_table_is_no_answer_if_none_of_its_rows_is_asked_for(tmp_path):
    said = ask(tmp_path, SERVICES, "services.csv", "What is the price of spaying a labrador?")
    assert said.certainty != "sure"

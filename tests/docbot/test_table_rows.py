"""Which rows and which table a question is about, where several share its words."""

import pytest

from docbot.answering.answers import PastExchange, answer
from tests.docbot.asking import ask_about, converse
from tests.docbot.conftest import index_of

VAN = """Day;Village;Stop;Arrives;Leaves
Monday;Ashby;Green;9.30 am;10.15 am
Monday;Corfield;School;1.15 pm;2 pm
Thursday;Wick End;Post office;9.45 am;10.30 am
Thursday;Stanway;Station;4.30 pm;6 pm
"""
ROOMS = "Room;Seats;Hour;Screen\nOak room;8;£12;no\nWeavers' room;20;£18;yes\nGreat hall;90;£45;yes\n"
DAYS = "Room;Half day;Day\nOak room;£40;£70\nWeavers' room;£60;£105\nKitchen;£30;£50\n"
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
MACHINES = "Plan;Price;Machines\nHome;£29;1\nFamily;£59;5\nPro;£99;10\nTeam;£249;50\n"
TEAMS = "Plan;Price;Users\nSolo;£9;1\nStudio;£24;5\nAgency;£59;25\n"
TOOLS = "Tool;Set-up;State\nXero;10 minutes;ready\nSlack;2 minutes;ready\nSage;;planned\n"
TIMES = "Day;Opens;Closes\nMonday to Friday;9 am;6 pm\nSaturday;10 am;4 pm\n"
FERRY = "Sailing;Days;Leaves\nMorning;daily;08:30\nNoon;Saturday and Sunday;12:00\nEvening;Monday to Friday;18:10\n"
CAKES = """Cake;Size;Price;Days ahead
Carrot cake;small;£18;1
Carrot cake;large;£30;1
Wedding cake;two tiers;£180;14
"""
WOMEN = "Room;Price;Per;Women only\nTern;£25;bed;yes\nCabin;£54;room;no\nCaptain;£74;room;no\nGannet;£19;bed;no\n"
PRODUCTS = """Product;Category;Price;Vegan;Weight;Allergens;Days
Rye loaf;Bread;£5.20;yes;1000;rye;Wed Fri
Brioche;Bread;£6.90;no;500;egg;Sat
Vegan roll;Pastry;£3.10;yes;110;soy;Thu
Croissant;Pastry;£1.90;no;70;egg;daily
Carrot cake;Cake;£29;no;1300;walnut;order only
"""
STOCK = "Item;Price;Colour;Material;Width;In stock\nHarbour sofa;£480;grey;wool;152;14\nLeigh desk;£90;red;oak;80;7\n"
TICKETS = "Karte;Preis;Gilt\nTageskarte;9 €;bis 20 Uhr\nJahreskarte;90 €;ab Kauf\n"
PASSES = "Document;Fee;Time\nIdentity card;£37;3 weeks\nPassport;£70;5 weeks\nExpress passport;£102;4 days\n"
INVOICES = """# Settings

## Invoices

| Setting | Default | What it does |
|---|---|---|
| Term | 30 days | when an invoice is due |
| Language | English | of an invoice |

To count from one again each year, switch that on under Settings → Invoices → Numbers, then save it there.
"""
FARES = """# Fares

| Trip | Fare |
|---|---|
| Pony ride | £9 |
| Day ride | £90 |
| Cart with one pony | £40 |
| Cart with two ponies | £50 |
| up to 10 miles | £25 |
| 10 to 25 miles | £40 |

# In May

On the day-ride weekend we leave at nine, two at a time.
"""
CLEANING = """# Cleaning

## How long it takes

Wedding dresses take three weeks, coats four days.

## Prices

| Item | Price | Note |
|---|---|---|
| Wedding dress | £140 | boxed |
| Coat | £18 | hung |
"""
CLOSURES = """# Shop

## Opening hours

| Day | Hours |
|---|---|
| Monday | 9 am to 5 pm |
| Friday | 9 am to 8 pm |
| Sunday | closed |

## Closed days

| Date | Why | Open |
|---|---|---|
| 2027-12-24 | Christmas Eve | no |
| 2027-12-31 | New Year | no |
"""
BEDS = """# Prices

| Bed | Monthly rent |
|---|---|
| Pine | £20 |
| Oak | £30 |

# How long do I have to rent?

One month.
"""
ENTRY = """# Entry

| Ticket | Peak |
|---|---|
| Adult | £14 |
| Child under 14 | £8 |
| Family with a child | £36 |

# Courses

| Course | For | Price |
|---|---|---|
| Squad | youth | £120 |
| Tuesday club | child of 6 | £95 |
"""
# The message, the table or page, and what the reply shows.
SHOWN = {
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
    "How many machines has the Pro plan?": (MACHINES, "Pro – Machines: 10\n"),
    "The cheapest plan for 20 machines?": (MACHINES, "Team – Price: £249, Machines: 50\n"),
    "The cheapest plan for under 20 machines?": (MACHINES, "Home – Price: £29"),
    "Which plan has 5 machines?": (MACHINES, "Family – Machines: 5\n"),
    "The cheapest plan with 5 users?": (TEAMS, "Studio – Price: £24\n"),
    "We are 12 people: which plan?": (TEAMS, "Agency – Price: £59, Users: 25\n"),
    "Which tool is the quickest?": (TOOLS, "Slack – Set-up: 2 minutes\n"),
    "What is the difference between Pro and Team?": (MACHINES, "| Pro | £99 | 10 |\n| Team | £249 | 50 |\n\n"),
    "When does the first sailing leave on Saturday?": (FERRY, "Morning – Days: daily, Leaves: 08:30\n\n"),
    "Do I have to order a carrot cake in advance?": (CAKES, "Days ahead"),
    "On which days are you closed?": (WEEK, "| Wednesday | closed | closed |\n| Sunday | closed | closed |\n\n"),
    # A word that names the rows chooses none beside a column of yes and no.
    "do you have rooms just for women": (WOMEN, "Tern – Women only: yes"),
    # Text under the heading of a table is no reason to leave the table out.
    "which settings are there for invoices": (INVOICES, "| Term | 30 days |"),
    # Words that two rows share, or that documents join, choose the row that is meant.
    "what does it cost for 12 miles": (FARES, "10 to 25 miles – Fare: £40\n"),
    "compare pony ride and day ride": (FARES, "| Trip | Fare |\n|---|---|\n| Pony ride | £9 |\n| Day ride"),
    "how much is the two pony one?": (FARES, "Cart with two ponies – Fare: £50\n"),
    # How many there are of a single row is what is in stock.
    "how many harbour sofas have you got": (STOCK, "Harbour sofa – In stock: 14\n"),
    "wie teuer ist die jahreskarte": (TICKETS, "Jahreskarte – Preis: 90 €\n"),
    # How long something takes is the time in its row, or a text, but no price.
    "How long does an identity card take?": (PASSES, "Identity card – Time: 3 weeks"),
    "how long will the identity card take": (PASSES, "Identity card – Time: 3 weeks"),
    "How long does a wedding dress take?": (CLEANING, "Wedding dresses take three weeks"),
    # "At least" compares no rows here.
    "how long do i have to rent for at least": (BEDS, "One month"),
    # A closed day answers for itself and not for its day of the week.
    "Are you open on Friday?": (CLOSURES, "Friday – "),
    "Are you open on Christmas Eve?": (CLOSURES, "Christmas Eve – Open: no\n"),
    # Of two tables the one with a row of that name answers.
    "how much is it for a child": (ENTRY, "| Child under 14 | £8 |\n"),
    # A short table that answers as a whole is quoted completely.
    "What are your opening hours?": (CLOSURES, "| Day | Hours |\n|---|---|\n| Monday | 9 am to 5 pm |\n| Friday |"),
}


@pytest.mark.parametrize(("message", "table"), SHOWN.items(), ids=SHOWN)
def test_the_requested_rows_are_shown(tmp_path, message, table):
    content, shown = table
    assert shown in ask_about(tmp_path, content, message)


@pytest.mark.parametrize("message", ["do you have anything vegan", "what is vegan here"])
def test_what_a_column_says_yes_to_counts_not_the_word_in_a_name(message, tmp_path):
    said = ask_about(tmp_path, PRODUCTS, message).partition("\n\nSource")[0]
    assert [name for name in ("Rye loaf", "Vegan roll", "Brioche") if name in said] == ["Rye loaf", "Vegan roll"]


def test_a_row_with_many_columns_is_a_list_that_leaves_none_out(tmp_path):
    said = ask_about(tmp_path, PRODUCTS, "tell me about the brioche").partition("\n\nSource")[0]
    assert said.startswith("**Brioche**\n\n- Category: Bread\n- Price: £6.90\n")
    assert said.endswith("- Days: Sat")


def test_a_cell_that_is_asked_for_and_empty_is_shown_as_empty(tmp_path):
    goods = "Product;Category;Allergens\nRye loaf;Bread;rye\nBrioche;Bread;\n"
    assert ask_about(tmp_path, goods, "what allergens are in the brioche").startswith("Brioche – Allergens: –\n")


def test_a_row_that_has_only_one_of_the_words_is_no_answer(tmp_path):
    """ "Wed" is no wedding."""
    assert not ask_about(tmp_path, PRODUCTS, "how much is a wedding cake").startswith("Rye loaf")


def test_of_two_tables_the_one_with_a_row_of_that_very_name_answers(tmp_path):
    courses = "Course: Sourdough; Price: £65\nCourse: Croissants and puff pastry; Price: £80"
    goods = "Product: Rye loaf; Price: £5.20\nProduct: Croissant; Price: £1.90"
    index = index_of(tmp_path, ("Courses", "", courses), ("Products", "", goods))
    assert answer(index, "how much is a croissant").text.startswith("Croissant – Price: £1.90")


MEMBERSHIP = (
    "Type: Off-peak; Price a month: £24; Joining fee: £10\nType: Student; Price a month: £29; Joining fee: none"
)


def test_the_price_of_what_a_table_is_called_is_all_its_prices(tmp_path):
    freezing = ("Membership", "Freezing", "You can freeze your membership. It costs £5 a month.")
    index = index_of(tmp_path, ("Membership", "", MEMBERSHIP), freezing)
    assert answer(index, "how much is a membership").text.startswith("| Type | Price a month |")


def test_a_word_of_a_columns_name_alone_is_no_answer(tmp_path):
    index = index_of(tmp_path, ("Membership", "", MEMBERSHIP), ("New here", "Try it out", "A trial week costs £10."))
    assert not answer(index, "can I try it before I join").text.startswith("| Type | Joining fee |")


def test_a_price_list_that_is_taken_for_another_language_by_its_few_words_is_quoted_as_what_it_is(tmp_path):
    """ "One" is a Polish word, too."""
    boats = "Boat: Rowing boat; One hour: £14; Half a day: £39\nBoat: Electric boat; One hour: £32; Half a day: £95"
    index = index_of(tmp_path, ("Prices", "", boats), language="pl")
    said = answer(index, "How much is the electric boat for half a day?").text
    assert said.startswith("Electric boat – Half a day: £95")


def test_a_time_of_day_names_no_row(tmp_path):
    dates = (
        "Course: General; Level: A2; Hour: 6 pm; Places: 3\nCourse: General; Level: B1; Hour: 7.30 pm; Places: 0\n"
        "Course: General; Level: B2; Hour: 10 am; Places: 5\nCourse: French; Level: A1; Hour: 8 pm; Places: 6"
    )
    said = answer(index_of(tmp_path, ("Calendar", "", dates)), "are there places in general B1?").text
    assert said.startswith("General – Level: B1, Places: 0\n")


PLANS = """# Plans

| Feature | Solo | Team | Business |
|---|---|---|---|
| Price per month | 9 EUR | 24 EUR | 59 EUR |
| Users included | 1 | 5 | 20 |
| Extra user | not possible | 6 EUR | 4 EUR |
| Storage | 1 GB | 20 GB | 200 GB |
| Recurring invoices | no | yes | yes |
| Own domain | no | no | yes |
| Phone support | no | yes | yes |
"""
OF_PLANS = {
    "what is the cheapest plan?": "Solo – Price per month: 9 EUR",
    "which plan has the most storage?": "Business – Storage: 200 GB",
    "how many users can I have on Team?": "Team – Users included: 5",
    "which plans have phone support?": "| Plans | Phone support |\n|---|---|\n| Team | yes |\n| Business | yes |\n\n",
    "does Solo have its own domain?": "Solo – Own domain: no",
    "is there a plan under 30 euros?": (
        "| Plans | Price per month |\n|---|---|\n| Solo | 9 EUR |\n| Team | 24 EUR |\n\n"
    ),
    "compare Solo and Team": "| Plans | Solo | Team |\n|---|---|---|\n| Price per month | 9 EUR | 24 EUR |\n",
}


@pytest.mark.parametrize("corner", ["Feature", " "])
@pytest.mark.parametrize(("message", "begins"), OF_PLANS.items(), ids=OF_PLANS)
def test_plans_that_stand_beside_each_other_are_rows(tmp_path, message, begins, corner):
    assert ask_about(tmp_path, PLANS.replace("Feature", corner), message).startswith(begins)


@pytest.mark.parametrize("column", ["", " Users |"])
def test_rows_below_an_empty_cell_keep_their_names(tmp_path, column):
    more = {" Users |": ("---|", " 1 |", " 5 |")}.get(column, ("", "", ""))
    content = "# Plans\n\n| | Price |{}\n|---|---|{}\n| Solo | 9 EUR |{}\n| Team | 24 EUR |{}\n".format(column, *more)
    assert ask_about(tmp_path, content, "how much is Team?").startswith("Team – Price: 24 EUR")
    assert ask_about(tmp_path, content, "what is the cheapest plan?").startswith("Solo – Price: 9 EUR")


# --- Follow-ups -------------------------------------------------------------------------------------------------------

BOATS = "Boat;Price per day;Weight\nGull;£1,180.00;95 kg\nTern;£990;88 kg\n"
LESSONS = "Course;Price;Length;Dates\nTaster;£25;90 minutes;every Saturday\nClinic;£35;2 hours;12 March\n"
POTTERY = "Course;Teacher;Price;Places left\nThrowing;Ms Okafor;£80;0\nGlazing;Mr Lind;£95;4\nRaku;Dr Marsh;£120;2\n"
BIKES = "Bike;Half day (€);Full day (€)\nCity bike Tejo;12;18\nE-bike Alfama;25;38\nChild bike Pipoca;8;12\n"
RETURNS = "Ticket;Single;Return\nAdult;£4.80;£8.50\nChild 5 to 15;£2.40;£4.20\n"
REFUNDS = """# Shop

## Refunds

The money is back within ten days.

## Hours

| Days | From |
|---|---|
| Monday | 10 am |
| Tuesday | 11 am |
"""
CHEAPEST = "what is the cheapest course?"
FOLLOW_UPS = [
    # The same row, or the same column.
    (BOATS, "What does the Gull cost per day?", "and how heavy is it?", "Gull – Weight: 95 kg"),
    (BOATS, "What does the Gull cost per day?", "and the Tern?", "Tern – Price per day: £990"),
    (RETURNS, "How much is an adult return?", "and for a 6 year old?", "Child 5 to 15 – Return: £4.20"),
    # "It" is the row that the last reply computed.
    (LESSONS, CHEAPEST, "and when is it?", "every Saturday"),
    (LESSONS, CHEAPEST, "how long does it take?", "90 minutes"),
    (POTTERY, CHEAPEST, "who teaches it?", "Ms Okafor"),
    (POTTERY, CHEAPEST, "how many places are left?", "Throwing – Places left: 0"),
    # All rows are compared again.
    (BIKES, "What does the e-bike cost?", "And the cheapest bike for a full day?", "Child bike Pipoca"),
    # No rows are counted.
    (REFUNDS, "Can I get a refund?", "Within how many days?", "The money is back within ten days."),
]


@pytest.mark.parametrize(("table", "first", "then", "shown"), FOLLOW_UPS, ids=[each[2] for each in FOLLOW_UPS])
def test_a_follow_up_means_the_row_or_the_column_of_the_message_before(tmp_path, table, first, then, shown):
    assert shown in ask_about(tmp_path, table, first, then).partition("\n\n")[0]


def test_a_follow_up_is_answered_from_the_table_that_was_cited(tmp_path):
    prices = "Curso: Inglés intensivo; Precio: 160 €; Horas a la semana: 10\n"
    prices += "Curso: Inglés general; Precio: 75 €; Horas a la semana: 3\n"
    prices += "Curso: Francés; Precio: 70 €; Horas a la semana: 3"
    dates = "Curso: Inglés general; Días: lunes; Hora: 18:00\nCurso: Inglés general; Días: viernes; Hora: 19:30\n"
    dates += "Curso: Francés; Días: martes; Hora: 18:00"
    school = index_of(tmp_path, ("Precios", "", prices), ("Calendario", "", dates), language="es")
    said = converse(school, "¿Cuánto vale el inglés intensivo?", "y cuántas horas son?")
    assert said.text.startswith("Inglés intensivo – Horas a la semana: 10\n")


def test_a_row_is_named_by_another_word_than_the_row_before(tmp_path):
    boats = "Boat: Tern; Material: plastic; Length: 4.8 m\nBoat: Tern Carbon; Material: carbon; Length: 5.1 m"
    kit = "Article: Carbon paddle; Price: £219; Stock: 4\nArticle: Dry bag; Price: £18; Stock: 40"
    index, first = index_of(tmp_path, ("Boats", "", boats), ("Kit", "", kit)), "How long is the Tern?"
    history = [PastExchange(first, answer(index, first, sure=0.0).sources)]
    assert "5.1 m" in answer(index, "And the carbon one?", history, sure=0.0).text

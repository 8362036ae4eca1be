"""Which rows and which table a question is about, where several share its words."""

from pathlib import Path

import pytest

from docbot.answering.answers import answer
from tests.docbot.asking import ask
from tests.docbot.conftest import index_of

PRODUCTS = (
    "Product;Category;Price;Vegan;Weight;Allergens;Days\nRye loaf;Bread;£5.20;yes;1000;rye;Wed Fri\n"
    "Brioche;Bread;£6.90;no;500;egg;Sat\nVegan roll;Pastry;£3.10;yes;110;soy;Thu\n"
    "Croissant;Pastry;£1.90;no;70;egg;daily\n"
    "Carrot cake;Cake;£29;no;1300;walnut;order only"
).encode()


def bakery(folder: Path, message: str) -> str:
    return ask(folder, PRODUCTS, "products.csv", message).text.partition("\n\nSource")[0]


@pytest.mark.parametrize("message", ["do you have anything vegan", "what is vegan here"])
def test_what_a_column_says_yes_to_counts_not_the_word_in_a_name(message, tmp_path):
    said = bakery(tmp_path, message)
    assert "Rye loaf" in said
    assert "Vegan roll" in said
    assert "Brioche" not in said


def test_a_word_that_names_the_rows_chooses_none_beside_a_column_of_yes_and_no(tmp_path):
    rooms = "Room;Price;Per;Women only\nTern;£25;bed;yes\nCabin;£54;room;no\nCaptain;£74;room;no\nGannet;£19;bed;no"
    said = ask(tmp_path, rooms.encode(), "rooms.csv", "do you have rooms just for women")
    assert said.text.startswith("Tern – Women only: yes")


ROOMS = (
    "Room,Seats,Price per hour,Projector,Piano\nTurner Room,12,£8,yes,no\nAusten Hall,80,£25,yes,yes\n"
    "Quiet Pod,1,free,no,no\nWorkshop,16,£12,no,no\n"
).encode()
CHOSEN = {
    "is there a room for 15 people with a projector?": "Austen Hall – ",
    "what is the cheapest room with a projector": "Turner Room – Price per hour: £8, Projector: yes",
    "which room is the cheapest": "Quiet Pod – Price per hour: free",
    "a room under 10 pounds?": "| Room | Price per hour |\n|---|---|\n| Turner Room | £8 |\n| Quiet Pod | free |",
    "is there a free room": "Quiet Pod – ",
}


@pytest.mark.parametrize(("message", "begins"), CHOSEN.items(), ids=CHOSEN)
def test_a_row_has_what_is_wanted_before_it_is_compared_and_free_is_the_least_price(tmp_path, message, begins):
    assert ask(tmp_path, ROOMS, "rooms.csv", message).text.startswith(begins)


def test_text_under_the_heading_of_a_table_is_no_reason_to_leave_the_table_out(tmp_path):
    settings = (
        "# Settings\n\n## Invoices\n\n| Setting | Default | What it does |\n|---|---|---|\n"
        "| Term | 30 days | when an invoice is due |\n| Language | English | of an invoice |\n\n"
        "To count from one again each year, switch that on under Settings → Invoices → Numbers, then save it there."
    )
    said = ask(tmp_path, settings.encode(), "settings.md", "which settings are there for invoices")
    assert "| Term | 30 days |" in said.text


def test_a_row_with_many_columns_is_a_list_that_leaves_none_out(tmp_path):
    said = bakery(tmp_path, "tell me about the brioche")
    assert said.startswith("**Brioche**\n\n- Category: Bread\n- Price: £6.90\n")
    assert said.endswith("- Days: Sat")


def test_a_cell_that_is_asked_for_and_empty_is_shown_as_empty(tmp_path):
    goods = b"Product;Category;Allergens\nRye loaf;Bread;rye\nBrioche;Bread;\n"
    said = ask(tmp_path, goods, "goods.csv", "what allergens are in the brioche").text
    assert said.startswith("Brioche – Allergens: –\n")


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
""".encode()
OF_FARES = {
    "what does it cost for 12 miles": "10 to 25 miles – Fare: £40\n",
    "compare pony ride and day ride": "| Trip | Fare |\n|---|---|\n| Pony ride | £9 |\n| Day ride",
    "how much is the two pony one?": "Cart with two ponies – Fare: £50\n",
}


@pytest.mark.parametrize(("message", "begins"), OF_FARES.items(), ids=OF_FARES)
def test_words_that_two_rows_share_or_documents_join_choose_the_row_that_is_meant(tmp_path, message, begins):
    assert ask(tmp_path, FARES, "fares.md", message).text.startswith(begins)


def test_how_many_there_are_of_a_single_row_is_what_is_in_stock(tmp_path):
    stock = "Item;Price;Colour;Material;Width;In stock\nHarbour sofa;£480;grey;wool;152;14\nLeigh desk;£90;red;oak;80;7"
    said = ask(tmp_path, stock.encode(), "stock.csv", "how many harbour sofas have you got").text
    assert said.startswith("Harbour sofa – In stock: 14\n")


def test_in_german_how_dear_asks_for_the_price(tmp_path):
    tickets = "Karte;Preis;Gilt\nTageskarte;9 €;bis 20 Uhr\nJahreskarte;90 €;ab Kauf".encode()
    assert "Jahreskarte – Preis: 90 €\n" in ask(tmp_path, tickets, "karten.csv", "wie teuer ist die jahreskarte").text


def test_at_least_compares_no_rows(tmp_path):
    prices = "# Prices\n\n| Bed | Monthly rent |\n|---|---|\n| Pine | £20 |\n| Oak | £30 |"
    asked = f"{prices}\n\n# How long do I have to rent?\n\nOne month."
    said = ask(tmp_path, asked.encode(), "beds.md", "how long do i have to rent for at least").text
    assert said.startswith("One month")


def test_a_row_that_has_only_one_of_the_words_is_no_answer(tmp_path):
    """ "Wed" is no wedding."""
    assert not bakery(tmp_path, "how much is a wedding cake").startswith("Rye loaf")


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


PASSES = "Document;Fee;Time\nIdentity card;£37;3 weeks\nPassport;£70;5 weeks\nExpress passport;£102;4 days\n".encode()


@pytest.mark.parametrize("message", ["How long does an identity card take?", "how long will the identity card take"])
def test_how_long_something_takes_is_the_time_in_its_row(message, tmp_path):
    assert ask(tmp_path, PASSES, "passes.csv", message).text.startswith("Identity card – Time: 3 weeks")


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


PLANS = b"""# Plans

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


@pytest.mark.parametrize("corner", [b"Feature", b" "])
@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("what is the cheapest plan?", "Solo – Price per month: 9 EUR"),
        ("which plan has the most storage?", "Business – Storage: 200 GB"),
        ("how many users can I have on Team?", "Team – Users included: 5"),
        (
            "which plans have phone support?",
            "| Plans | Phone support |\n|---|---|\n| Team | yes |\n| Business | yes |\n\n",
        ),
        ("does Solo have its own domain?", "Solo – Own domain: no"),
        (
            "is there a plan under 30 euros?",
            "| Plans | Price per month |\n|---|---|\n| Solo | 9 EUR |\n| Team | 24 EUR |\n\n",
        ),
    ],
)
def test_plans_that_stand_beside_each_other_are_rows(tmp_path, message, begins, corner):
    assert ask(tmp_path, PLANS.replace(b"Feature", corner), "plans.md", message).text.startswith(begins)


@pytest.mark.parametrize(
    "table",
    [
        "| | Price | Users |\n|---|---|---|\n| Solo | 9 EUR | 1 |\n| Team | 24 EUR | 5 |\n",
        "| | Price |\n|---|---|\n| Solo | 9 EUR |\n| Team | 24 EUR |\n",
    ],
)
def test_rows_below_an_empty_cell_keep_their_names(tmp_path, table):
    content = f"# Plans\n\n{table}".encode()
    assert ask(tmp_path, content, "plans.md", "how much is Team?").text.startswith("Team – Price: 24 EUR")
    assert ask(tmp_path, content, "plans.md", "what is the cheapest plan?").text.startswith("Solo – Price: 9 EUR")


def test_two_rows_of_which_a_lot_is_told_stand_side_by_side(tmp_path):
    said = ask(tmp_path, PLANS, "plans.md", "compare Solo and Team").text
    assert said.startswith("| Plans | Solo | Team |\n|---|---|---|\n| Price per month | 9 EUR | 24 EUR |\n")
    assert "| Phone support | no | yes |\n" in said


def test_of_two_tables_the_one_whose_row_is_called_so_answers(tmp_path):
    tickets = "| Ticket | Peak |\n|---|---|\n| Adult | £14 |\n| Child under 14 | £8 |\n| Family with a child | £36 |\n"
    courses = "| Course | For | Price |\n|---|---|---|\n| Squad | youth | £120 |\n| Tuesday club | child of 6 | £95 |\n"
    content = f"# Entry\n\n{tickets}\n# Courses\n\n{courses}".encode()
    assert "| Child under 14 | £8 |\n" in ask(tmp_path, content, "prices.md", "how much is it for a child").text

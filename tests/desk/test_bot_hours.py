"""A bot's hours and holidays, entered day by day and stored as lines."""

from lxml import html

from tests.desk.bot_pages import url
from tests.desk.conftest import page
from webchat.models import Bot


def grid_fields(*times: tuple[int, str, str]) -> dict[str, str]:
    """Return the grid's fields for (day, from, to); a day's second times go into its second pair."""
    filled: dict[str, str] = {}
    for day, start, end in times:
        pair = sum(name.startswith(f"hours-{day}-") for name in filled) // 2
        filled |= {f"hours-{day}-{pair}-from": start, f"hours-{day}-{pair}-to": end}
    return filled


def filled_boxes(shown: html.HtmlElement) -> list[tuple[str, str]]:
    """Return the label and value of each box that isn't empty."""
    found = shown.xpath("//div[@id='id_hours']//input[@type='text']")
    return [(box.get("aria-label"), box.value) for box in found if box.value]


GRIDS = [
    ({}, ""),
    (grid_fields((0, "9:00", "17:30"), (5, "10", "12")), "Mon 9:00-17:30\nSat 10:00-12:00"),
    (grid_fields((1, "9", "12"), (1, "13.30", "17")), "Tue 9:00-12:00, 13:30-17:00"),
    (grid_fields((4, "22:00", "2:00"), (6, "0:00", "24:00")), "Fri 22:00-2:00\nSun 0:00-24:00"),
    (grid_fields((0, "9am", "6:30 pm"), (1, "12 PM", "12 a.m.")), "Mon 9:00-18:30\nTue 12:00-24:00"),
    (
        grid_fields((0, "9h", "18 h 30"), (1, "9 Uhr", "18.15 Uhr"), (2, "9u", "18 uur"), (3, "9時", "18時45分")),
        "Mon 9:00-18:30\nTue 9:00-18:15\nWed 9:00-18:00\nThu 9:00-18:45",
    ),
    (grid_fields((0, "9", "17")) | {"hours-same": "on"}, "Mon-Fri 9:00-17:00"),
]


def test_the_week_is_entered_day_by_day_and_stored_as_lines(admin_client, bot, fields):
    for grid, stored in GRIDS:
        assert admin_client.post(url(bot, "people/"), fields | grid).status_code == 302
        assert Bot.objects.get().hours == stored
        shown = page(admin_client.get(url(bot, "people/")))
        pairs = sum(len(line.split(",")) for line in stored.splitlines())
        assert len(filled_boxes(shown)) == 2 * pairs or "-Fri" in stored
        again = {box.name: box.value for box in shown.xpath("//div[@id='id_hours']//input[@type='text']")}
        admin_client.post(url(bot, "people/"), fields | again)
        assert Bot.objects.get().hours == stored
    Bot.objects.update(hours="Mon-Tue 9-12, 13:00-17:00\nSunday: 10.30 – 11")
    shown = page(admin_client.get(url(bot, "people/")))
    assert filled_boxes(shown)[:2] == [("Monday, from", "9:00"), ("Monday, to", "12:00")]
    assert filled_boxes(shown)[2:4] == [("Monday, from (2)", "13:00"), ("Monday, to (2)", "17:00")]
    assert filled_boxes(shown)[-2:] == [("Sunday, from", "10:30"), ("Sunday, to", "11:00")]
    assert len(shown.xpath("//input[starts-with(@name, 'hours-0-')]")) == 6  # with an empty pair for more


def test_invalid_times_are_refused_by_their_day_with_everything_kept(admin_client, bot, fields):
    for times in (("9", ""), ("", "17"), ("9", "9"), ("9", "25"), ("nine", "five")):
        wrong = grid_fields((0, "9", "17"), (2, *times)) | {"contact": "still here"}
        shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
        [sentence] = shown.xpath("//*[contains(@class, 'field-hours')]//ul[contains(@class, 'errorlist')]/li/text()")
        assert sentence.startswith("Wednesday: "), times
        [link] = shown.xpath("//*[@data-problems]//a/@href")
        assert shown.get_element_by_id(link[1:]).get("aria-label") == "Wednesday, from"
        marked = shown.xpath("//div[@id='id_hours']//input[@aria-invalid='true']/@aria-label")
        assert marked == ["Wednesday, from", "Wednesday, to"]
        assert [value for _name, value in filled_boxes(shown)] == ["9", "17", *[each for each in times if each]]
        assert shown.get_element_by_id("id_contact").value == "still here"
    wrong = grid_fields((0, "9", "five")) | {"hours-same": "on"}
    shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
    assert filled_boxes(shown) == [("Monday, from", "9"), ("Monday, to", "five")]
    assert shown.xpath("//input[@name='hours-same']/@checked")
    assert shown.xpath("//*[@data-problems]//a/@href") == ["#id_hours-0-0-from"]
    assert Bot.objects.get().hours == ""


def test_holidays_are_entered_in_rows_and_stored_as_lines(admin_client, bot, fields):
    rows = {"holidays-0-first": "2096-12-24", "holidays-0-last": "2097-01-01"}
    rows |= {"holidays-1-first": "2096-12-31", "holidays-1-from": "9", "holidays-1-to": "12"}
    assert admin_client.post(url(bot, "people/"), fields | rows).status_code == 302
    assert Bot.objects.get().holidays == "2096-12-24 – 2097-01-01\n2096-12-31 9:00-12:00"
    shown = page(admin_client.get(url(bot, "people/")))
    again = {box.name: box.value or "" for box in shown.xpath("//div[@id='id_holidays']//input")}
    assert {name: value for name, value in again.items() if value} == rows | {
        "holidays-1-from": "9:00",
        "holidays-1-to": "12:00",
    }
    wrong = again | {"holidays-2-first": "2096-12-20", "holidays-2-last": "2096-12-19", "holidays-3-from": "9"}
    refused = page(admin_client.post(url(bot, "people/"), fields | wrong))
    links = refused.xpath("//*[@data-problems]//a/@href")
    assert links == ["#id_holidays-2-first", "#id_holidays-3-first"]
    assert [refused.get_element_by_id(link[1:]).value for link in links] == ["2096-12-20", ""]
    assert refused.xpath("//input[@name='holidays-2-last']")[0].value == "2096-12-19"
    many = {f"holidays-{row}-first": f"2097-{1 + row // 28:02}-{1 + row % 28:02}" for row in range(101)}
    refused = page(admin_client.post(url(bot, "people/"), fields | many))
    [sentence] = refused.xpath("//*[contains(@class, 'field-holidays')]//ul[contains(@class, 'errorlist')]/li/text()")
    assert sentence.startswith("At most 100 holidays")
    assert refused.xpath("//input[@name='holidays-100-first']")[0].value == "2097-04-17"
    Bot.objects.update(holidays="\n".join(["2025-12-25", *(f"2096-05-0{day}" for day in range(1, 8))]))
    shown = page(admin_client.get(url(bot, "people/")))
    folded = [box.value for box in shown.xpath("//div[@id='id_holidays']/details//input[@type='date']") if box.value]
    assert folded == ["2096-05-06", "2096-05-07", "2025-12-25"]  # the next five are visible, with an empty row
    admin_client.post(url(bot, "people/"), fields | dict.fromkeys(again, ""))
    assert Bot.objects.get().holidays == ""

"""Business hours: what owners may write, and when a bot is open, in its own time zone."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from webchat.business_hours import Hours, Span, parse, parse_holidays, write, write_holidays, zone

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str, place: ZoneInfo = BERLIN) -> datetime.datetime:
    """Return a time given in local time there, in UTC, as the site asks."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=place).astimezone(datetime.UTC)


READ = {
    "Mon 9:00-17:00": [Span(0, 540, 1020)],
    "Fri-Mon 9-10": [Span(day, 540, 600) for day in (0, 4, 5, 6)],
    "Mon 9-12, 13-17": [Span(0, 540, 720), Span(0, 780, 1020)],
    "daily 0:00-24:00": [Span(day, 0, 1440) for day in range(7)],
    "Fri 22-2": [Span(4, 1320, 1560)],
    "": [],
}


@pytest.mark.parametrize(("text", "spans"), READ.items())
def test_hours_are_read_as_people_write_them(text, spans):
    assert parse(text) == spans


def test_days_with_the_same_hours_are_written_in_one_line():
    assert write(parse("Mon-Fri 9-17\nSat 10-12\nSun 10-12")) == "Mon-Fri 9:00-17:00\nSat, Sun 10:00-12:00"
    assert write(parse("Fri 22-2\nMon 0-24")) == "Mon 0:00-24:00\nFri 22:00-2:00"


NO_HOURS = ("Mon", "9-17", "Mon 9-25", "Mon 9-9", "Caturday 9-10", "Mon 9am-5pm", "Mon 9-10,", "Mon 99999-3")


@pytest.mark.parametrize("line", NO_HOURS)
def test_a_line_that_is_not_hours_is_named(line):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - its text is the line
        parse(f"Tue 9-10\n{line}")
    assert str(refusal.value) == line


@pytest.mark.parametrize("name", ["Mars/Base", "../../etc/passwd", "", "Europe", "a\0b"])
def test_an_unknown_time_zone_is_refused(name):
    with pytest.raises(ValueError):  # noqa: PT011 - its text is the name
        zone(name)


OPEN = {
    ("Mon-Fri 9-17", "2026-11-23 08:59"): False,
    ("Mon-Fri 9-17", "2026-11-23 09:00"): True,
    ("Mon-Fri 9-17", "2026-11-23 17:00"): False,
    ("Fri 22-2", "2026-11-21 01:30"): True,
}


@pytest.mark.parametrize(("case", "is_open"), OPEN.items())
def test_a_bot_opens_by_its_local_time(case, is_open):
    assert Hours(parse(case[0]), BERLIN).is_open(at(case[1])) is is_open


def test_daylight_saving_time_does_not_move_the_hours():
    hours = Hours(parse("daily 9-17"), BERLIN)
    for day in ("2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"):
        assert (hours.is_open(at(f"{day} 08:59")), hours.is_open(at(f"{day} 09:00"))) == (False, True)


def test_the_next_opening_and_the_closing_are_known():
    hours = Hours(parse("Mon-Fri 9-12, 13-17"), BERLIN)
    assert hours.opens_at(at("2026-11-20 18:00")) == at("2026-11-23 09:00")
    assert hours.opens_at(at("2026-11-23 12:30")) == at("2026-11-23 13:00")
    assert hours.closes_at(at("2026-11-23 10:00")) == at("2026-11-23 12:00")
    assert hours.closes_at(at("2026-11-23 12:30")) is None
    assert Hours([], BERLIN).opens_at(at("2026-11-23 12:30")) is None


def test_a_week_is_shown_with_equal_days_in_one_line():
    with translation.override("de"):
        assert Hours(parse("Mon-Thu 9-17\nFri 9-12\nSun 10-12"), BERLIN).week == [
            ("Montag – Donnerstag", "09:00 – 17:00"),
            ("Freitag", "09:00 – 12:00"),
            ("Sonntag", "10:00 – 12:00"),
        ]


CHRISTMAS = parse_holidays("2026-12-24 – 2027-01-06\n2026-12-31 9:00-12:00")
HOLIDAYS = {
    ("Mon-Fri 9-17", "2026-12-31 10:00"): (True, "2027-01-07 09:00"),
    ("Fri 22-2", "2027-01-06 12:00"): (False, "2027-01-08 22:00"),
    ("Wed 22-2", "2026-12-24 01:00"): (True, "2026-12-31 09:00"),
    ("", "2026-12-24 00:00"): (False, "2026-12-31 09:00"),
    ("", "2027-01-06 12:00"): (False, "2027-01-07 00:00"),
}


@pytest.mark.parametrize(("case", "expected"), HOLIDAYS.items())
def test_a_holiday_has_hours_of_its_own_or_none(case, expected):
    hours, now = Hours(parse(case[0]), BERLIN, CHRISTMAS), at(case[1])
    is_open, opens = expected
    assert (hours.is_open(now), hours.opens_at(now)) == (is_open, at(opens))


def test_holidays_are_read_back_as_they_were_written():
    lines = "2026-12-24 – 2027-01-01\n2026-12-31 9:00-12:00, 13:00-14:00"
    assert write_holidays(parse_holidays(f"\n2026-12-31 13-14\n2026-12-31 9-12\n{lines[:23]}")) == lines
    assert parse_holidays(lines) == parse_holidays(lines.replace(" – ", "-"))


@pytest.mark.parametrize(
    "line", ["Christmas", "24.12.2026", "2026-02-30", "2026-12-24 – 2026-12-23", "2026-12-24 9-25"]
)
def test_a_line_that_is_not_a_holiday_is_named(line):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - its text is the line
        parse_holidays(f"2026-12-26\n{line}")
    assert str(refusal.value) == line

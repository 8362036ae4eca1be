"""Names days and months that a text only implies: "Tuesday to Friday" is about Wednesday, 2027-04-05 about April."""

from collections.abc import Callable
from functools import cache

import regex
from django.utils import dates, translation

# "to" in the languages of the documents; "and" is no range.
_TO = r"\s*[-–—]\s*|\s+(?:to|till|until|through|bis|a|al|à|au|até|tot|do|до|по|إلى|से)\s+"
_DAILY = regex.compile(
    r"\b(?:daily|every day|täglich|jeden tag|todos los días|a diario|tous les jours|todos os dias|diariamente"
    r"|ogni giorno|tutti i giorni|dagelijks|codziennie|يوميا|प्रतिदिन|रोज)\b|毎日|每天|每日"
)
_DATE = regex.compile(r"(?<!\d)(?:\d{4}-(?P<month>\d\d)-\d\d|\d\d?\.(?P<month>\d\d?)\.\d{4})(?!\d)")
_CYCLES = (
    tuple(zip(dates.WEEKDAYS.values(), dates.WEEKDAYS_ABBR.values(), strict=True)),
    tuple(zip(dates.MONTHS.values(), dates.MONTHS_3.values(), strict=True)),
)


def implied(text: str, language: str, fold: Callable[[str], str]) -> list[str]:
    """Return the folded names of the days and months of a folded text's ranges, but its own, and its dates' months."""
    days, months = (names for names, *_ in _cycles(language, fold))
    found = [*days] if _DAILY.search(text) else []
    # Not the day of the week: "are you open on Friday?" isn't about a table's closure on 2027-12-24.
    found += [months[int(date["month"]) - 1] for date in _DATE.finditer(text) if 0 < int(date["month"]) <= len(months)]
    for names, places, pattern in _cycles(language, fold):
        for match in pattern.finditer(text):
            first, last = (places[name] for name in match.group("first", "last"))
            within = [names[(first + step) % len(names)] for step in range((last - first) % len(names) + 1)]
            found += [name for name in within if name not in match.groups()]
    return found


def full_name(word: str, language: str, fold: Callable[[str], str]) -> str:
    """Return the day that a folded word abbreviates, else ""."""
    names, places, _ = _cycles(language, fold)[0]
    return names[places[word]] if word in places and word not in names else ""


@cache
def _cycles(language: str, fold: Callable[[str], str]) -> list[tuple[list[str], dict[str, int], regex.Pattern]]:
    """Return the names of each cycle in order, the place of each name and abbreviation, and the pattern of a range."""
    made = []
    with translation.override(language or "en"):
        for cycle in _CYCLES:
            written = [[fold(str(name)).rstrip(".") for name in names] for names in cycle]
            places = {name: place for place, names in enumerate(written) for name in names}
            any_of = "|".join(map(regex.escape, sorted(places, key=len, reverse=True)))
            pattern = regex.compile(rf"\b(?P<first>{any_of})\.?(?:{_TO})(?P<last>{any_of})\b")
            made.append(([names[0] for names in written], places, pattern))
    return made

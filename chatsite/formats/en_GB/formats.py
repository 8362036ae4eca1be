"""How dates and times read at the desk: one form everywhere, the day first and the month in letters."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
MONTH_DAY_FORMAT = "j M"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"

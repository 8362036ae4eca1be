"""Dates in Italian, without the day of the week that Django puts before them."""

DATETIME_FORMAT = "j F Y H:i"

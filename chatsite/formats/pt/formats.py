"""Dates in Portuguese as in Brazil: 24 de nov. de 2026, 12:47. Django writes months with a capital letter."""

DATE_FORMAT = r"j \d\e b. \d\e Y"
DATETIME_FORMAT = r"j \d\e b. \d\e Y, H:i"
MONTH_DAY_FORMAT = r"j \d\e b."

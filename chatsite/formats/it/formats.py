"""Dates in Italian as the Unicode CLDR writes them: 24 nov 2026, 12:47. Django writes months with a capital letter."""

DATE_FORMAT = "j b Y"
DATETIME_FORMAT = "j b Y, H:i"
MONTH_DAY_FORMAT = "j b"

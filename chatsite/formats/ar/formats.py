"""Dates in Arabic, where Django would put the month first: as the Unicode CLDR writes them."""

DATETIME_FORMAT = "j F Y، g:i A"
SHORT_DATETIME_FORMAT = "d\u200f/m\u200f/Y، g:i A"

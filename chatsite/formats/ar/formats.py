"""Times in Arabic, with its own comma between date and time: as the Unicode CLDR writes them."""

DATETIME_FORMAT = "j F Y، g:i A"

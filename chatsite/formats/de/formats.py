"""Times in German, with a comma between date and time: 24. November 2026, 12:47."""

DATETIME_FORMAT = "j. F Y, H:i"

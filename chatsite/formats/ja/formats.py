"""Times in Japanese, with a space between date and time: 2026年11月24日 12:47."""

DATETIME_FORMAT = "Y年n月j日 G:i"

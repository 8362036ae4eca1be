"""Dates in Hindi, where Django would put the month first and have one word for a.m. and p.m."""

TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"

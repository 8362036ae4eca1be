"""Dates in Chinese, without the zero that Django puts before a month."""

MONTH_DAY_FORMAT = "n月j日"

"""Answers what visitors ask most, in words that no document has: opening hours, prices, contact details."""

"""Retention, and the data stored about one visitor."""

"""Retention, erasure, and the data stored about one visitor."""

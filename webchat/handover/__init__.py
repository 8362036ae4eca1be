"""Requests for a person, and when people are there."""

"""Answers from the rows of tables."""

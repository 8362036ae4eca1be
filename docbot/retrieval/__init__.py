"""Finds passages for a question: analysis of words, the index, and the ranking."""

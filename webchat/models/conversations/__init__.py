"""A conversation and what it consists of: turns, entries, files; who leads it, and requests for a person."""

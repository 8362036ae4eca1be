"""The owner's downloads."""

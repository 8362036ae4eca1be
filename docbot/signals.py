"""Signals for other apps: the desk writes what a command has done into its audit trail."""

from django.dispatch import Signal

# From the command line, where nobody is signed in. `trained_bot`, and `sentence`: what was done, in the past tense.
done_by_command = Signal()

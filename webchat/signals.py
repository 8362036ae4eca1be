"""Signals for the deployment: a turn is being asked, and what became of it. chatsite.monitoring.metrics counts them.

These carry `turn`, an object of webchat.models; `asked` also carries `seconds`, as long as it took. An exception in a
receiver is logged by Django and never reaches the turn.
"""

from django.dispatch import Signal

asking = Signal()
asked = Signal()  # after each `asking`, however it went; a turn whose outcome couldn't be stored is still being asked

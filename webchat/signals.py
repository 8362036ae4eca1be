"""What the deployment may listen to, such as to count it: a turn is being asked, and what became of it.

These carry `turn`, an object of webchat.models; `asked` also carries `seconds`, as long as it took. What a listener
stumbles over stays its own: the turn goes on. `waiting` and `waited` are sent by the thread that waits.
"""

from django.dispatch import Signal

asking = Signal()
asked = Signal()  # after each `asking`, whatever happened; a turn whose outcome couldn't be stored is still being asked
waiting = Signal()  # from here on nothing is done but waiting for an upstream
waited = Signal()

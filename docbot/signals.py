"""What others may want to know of: the desk writes it into its audit trail."""

from django.dispatch import Signal

# From the command line, where nobody is signed in. `trained_bot`, and `sentence`: what was done, in the past tense.
done_by_command = Signal()

"""The desk's first page: today's figures, what needs attention, and what is still missing in the set-up."""

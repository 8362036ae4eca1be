"""The team: who is on it, with which role and for which bots, and invitations to it."""

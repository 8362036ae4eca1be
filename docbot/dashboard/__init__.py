"""The owner's pages for trained bots, inside Django's admin."""

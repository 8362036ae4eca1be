"""The first login, and the steps from a new bot to a website."""

"""The widget: its launcher, its frame's session, and who the website says the visitor is."""

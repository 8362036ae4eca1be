"""Turns found passages into a reply, or says that the documents don't answer."""

"""One visitor's exchange with a bot: what is sent, asked, stored and shown."""

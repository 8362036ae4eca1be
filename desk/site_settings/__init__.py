"""What owners of all bots set for the whole site: its mail server, time zone and address."""

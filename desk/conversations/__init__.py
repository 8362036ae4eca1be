"""The pages of what was said to the bots: conversations, requests for a person, alarms."""

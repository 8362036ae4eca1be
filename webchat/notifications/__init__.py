"""What owners and visitors are told: alarms, requests and replies, by e-mail, webhook and notification."""

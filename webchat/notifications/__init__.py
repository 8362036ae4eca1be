"""What owners are told: alarms and requests, by e-mail and webhook."""

"""What visitors and bots have said to each other: conversations, requests for a person, alarms."""

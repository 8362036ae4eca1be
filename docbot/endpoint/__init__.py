"""The HTTP endpoint of chat-api.md."""

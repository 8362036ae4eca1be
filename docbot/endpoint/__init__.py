"""The service of chat-api.md: keys, requests, exchanges and errors."""

"""The client of the chat endpoint: what it sends, reads, retries and makes of failures."""

"""What an operator reads: logs, request ids, health, metrics and error reports."""

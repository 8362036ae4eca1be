"""Limits: rates, the daily budget, the circuit breaker, IP addresses and proof of work."""

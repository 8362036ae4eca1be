"""How much may be sent, from where, and when an upstream is left alone."""

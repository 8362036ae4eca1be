"""A bot's colours and pictures, and the style sheets of its page."""

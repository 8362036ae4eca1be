"""What the owner downloads."""

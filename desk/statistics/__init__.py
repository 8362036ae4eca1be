"""What is counted each minute, and what the owner reads from it."""

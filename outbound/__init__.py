"""Every call to another machine: over a connection of its own, before one true deadline. Knows no app and no Django."""

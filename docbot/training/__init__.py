"""From documents to an index: reading, cutting, storing, building."""

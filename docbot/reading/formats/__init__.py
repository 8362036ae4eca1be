"""One file for each format that a document may have."""

"""The thumbs below a reply."""

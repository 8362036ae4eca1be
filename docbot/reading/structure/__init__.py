"""What several formats share: text, tables, headings, archives and encodings."""

"""The desk's first page: how today goes, what needs somebody, and what is missing in set-up."""

"""The inbox: where team members answer visitors."""

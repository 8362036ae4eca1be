"""What is deleted, by itself or on request, and all that is stored about one visitor."""

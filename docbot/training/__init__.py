"""Training: reads documents, splits them into passages, stores them and builds the index."""

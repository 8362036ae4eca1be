"""Meaning beside words: sentences as vectors, and how alike they are."""

import os

# Before numpy is imported: more threads than processors only get in each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""A deadline that all steps of a call share."""

import time


class Deadline:
    """A moment on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left, never negative."""
        return max(0.0, self._end - time.monotonic())

    def wait(self) -> float:
        """Return the seconds left, for a socket's time-out. Raises TimeoutError when there are none."""
        left = self.left()
        if not left:
            raise TimeoutError("the deadline has passed")
        return left

"""A deadline that all steps of a call share."""

import time


class Deadline:
    """The end of a period that starts now; changes of the machine's clock don't move it."""

    def __init__(self, seconds: float) -> None:
        self._start, self._seconds = time.monotonic(), seconds

    def seconds_passed(self) -> float:
        return time.monotonic() - self._start

    def seconds_left(self) -> float:
        """Return the seconds that are left, never fewer than 0."""
        return max(0.0, self._seconds - self.seconds_passed())

    def timeout(self) -> float:
        """Return the seconds left, to set a socket's time-out. Raises TimeoutError when there are none."""
        if left := self.seconds_left():
            return left
        raise TimeoutError("the deadline has passed")

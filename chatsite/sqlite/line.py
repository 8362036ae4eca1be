"""Who may write to a file of SQLite: one thread after the other in a process, one process after the other on a machine.

Only one connection can write at a time. Whoever finds SQLite's own lock taken sleeps and tries again, longer each time:
of hundreds of threads some sleep for seconds while others pass by, and two processes that write all the time each lose
a millisecond whenever they meet. So the threads of a process queue for a lock of its own, and the first of each process
for one on a file beside the database, at which it looks again after a fraction of the time that it has waited.
"""

import contextlib
import fcntl
import os
import threading
import time

SHORTEST_PAUSE, LONGEST_PAUSE = 0.0002, 0.01  # seconds
PAUSE = 0.1  # of what has been waited for


class Line:
    """One process's end of it. `join` and `leave` belong together; a thread that has joined may not join again."""

    def __init__(self, database: str) -> None:
        self._threads = threading.Lock()
        self._file: int | None = None
        with contextlib.suppress(OSError):  # no room, or not ours to write: SQLite's own lock is there still
            self._file = os.open(f"{database}-line", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def join(self, seconds: float) -> bool:
        """Waits until it is this thread's turn; False when it isn't after so many seconds."""
        started = time.monotonic()
        if not self._threads.acquire(timeout=seconds):
            return False
        while not self._is_first():
            waited = time.monotonic() - started
            if waited > seconds:
                self._threads.release()
                return False
            time.sleep(min(max(SHORTEST_PAUSE, PAUSE * waited), LONGEST_PAUSE))
        return True

    def _is_first(self) -> bool:
        """Of the processes. The lock is the process's own: it ends with it, and no child has it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:  # a file system without locks
            pass
        return True

    def leave(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN)
        self._threads.release()


# By process, because a lock doesn't survive a fork, and by file.
_lines: dict[tuple[int, str], Line] = {}
_making = threading.Lock()


def line_for(database: str) -> Line:
    """The same one for all threads of this process."""
    key = os.getpid(), database
    line = _lines.get(key)
    if line is None:
        with _making:
            line = _lines.get(key) or _lines.setdefault(key, Line(database))
    return line

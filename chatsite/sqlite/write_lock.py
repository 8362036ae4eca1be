"""A lock for writers to one SQLite file: one thread at a time in a process, one process at a time on a machine.

SQLite lets one connection write; any other sleeps and tries again, longer each time. Of hundreds of threads some sleep
for seconds while others overtake them, and two busy processes lose a millisecond at each collision. So the threads of a
process queue for the process's lock, and its holder polls a lock on a file beside the database, in intervals of a tenth
of the time that it has waited so far.
"""

import contextlib
import fcntl
import os
import threading
import time

SHORTEST_PAUSE, LONGEST_PAUSE = 0.0002, 0.01  # seconds
PAUSE_FRACTION = 0.1  # of the time waited so far


class WriteLock:
    """The lock as one process holds it. Not reentrant."""

    def __init__(self, database: str) -> None:
        self._threads = threading.Lock()
        self._file: int | None = None
        with contextlib.suppress(OSError):  # disk full or not writable: SQLite's own lock still protects the data
            self._file = os.open(f"{database}-write-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def acquire(self, timeout: float) -> bool:
        """Take the lock; return False if it is still taken after `timeout` seconds."""
        started = time.monotonic()
        if not self._threads.acquire(timeout=timeout):
            return False
        is_taken = False
        try:
            while not (is_taken := self._lock_file()):
                waited = time.monotonic() - started
                if waited > timeout:
                    break
                time.sleep(min(max(SHORTEST_PAUSE, PAUSE_FRACTION * waited), LONGEST_PAUSE))
        finally:
            if not is_taken:  # too late, or Ctrl-C while waiting
                self._threads.release()
        return is_taken

    def _lock_file(self) -> bool:
        """Lock the file; return whether it worked. The kernel releases the lock when the process ends."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:  # a file system without locks
            pass
        return True

    def release(self) -> None:
        try:
            if self._file is not None:
                with contextlib.suppress(OSError):
                    fcntl.lockf(self._file, fcntl.LOCK_UN)
        finally:  # also after Ctrl-C, which may come here
            self._threads.release()


# Keyed by process, because a lock doesn't survive a fork, and by file.
_locks: dict[tuple[int, str], WriteLock] = {}
_creating = threading.Lock()


def write_lock_for(database: str) -> WriteLock:
    """Return the file's lock, the same for every thread of this process."""
    key = os.getpid(), database
    lock = _locks.get(key)
    if lock is None:
        with _creating:
            lock = _locks.get(key) or _locks.setdefault(key, WriteLock(database))
    return lock

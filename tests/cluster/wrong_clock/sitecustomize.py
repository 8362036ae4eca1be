"""A wrong clock for every Python process that finds this folder in PYTHONPATH and a file's name in CLOCK_FILE.

The file holds the seconds to add, as a double, and may change at any time. Covered is what the product and its
libraries in Python read: time.time, time.time_ns, and Django's timezone.now. Not covered: datetime.now (of which a
subclass would not pass for a datetime in libraries written in C), times of files, PostgreSQL, nginx.
"""

import datetime
import mmap
import os
import struct
import time

from django.utils import timezone

_SECONDS = struct.Struct("d")
_true_time, _true_time_ns, _true_now = time.time, time.time_ns, timezone.now

with open(os.environ["CLOCK_FILE"], "rb") as _file:
    _shared = mmap.mmap(_file.fileno(), _SECONDS.size, access=mmap.ACCESS_READ)


def _ahead() -> float:
    return _SECONDS.unpack_from(_shared)[0]


def wrong_time() -> float:
    return _true_time() + _ahead()


def wrong_time_ns() -> int:
    return _true_time_ns() + int(_ahead() * 1e9)


def wrong_now() -> datetime.datetime:
    return _true_now() + datetime.timedelta(seconds=_ahead())


time.time, time.time_ns, timezone.now = wrong_time, wrong_time_ns, wrong_now

"""What the sites of one run of tests are prepared with: made by the first worker that needs it, copied by all."""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

FOLDER = "PREPARED_SITES"  # the environment variable that tells each worker of the run where they are


def copy_prepared(key: str, to: Path, make: Callable[[Path], None]) -> None:
    """Fill a folder with what `make` does; copy it if that was done with the same key before."""
    if FOLDER not in os.environ:
        make(to)  # a benchmark, which starts one site
        return
    made = Path(os.environ[FOLDER], hashlib.sha256(key.encode()).hexdigest()[:16])
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            with tempfile.TemporaryDirectory(dir=made.parent) as folder:
                make(Path(folder, "var"))
                Path(folder, "var").rename(made)
    shutil.copytree(made, to, symlinks=True)

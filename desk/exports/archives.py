"""Streams a ZIP archive while it is written, so that no archive has to fit in memory or on the disk."""

from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile


class _Written(list[bytes]):
    """A file-like object that ZipFile can't seek in: what was written is taken away at once."""

    def write(self, data: bytes) -> int:
        self.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """ZipFile calls it."""

    def take(self) -> bytes:
        taken = b"".join(self)
        self.clear()
        return taken


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield an archive of these files: each is a name and its content in pieces."""
    written = _Written()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, pieces in files:
            with archive.open(name, "w") as file:
                for piece in pieces:
                    file.write(piece)
                    yield written.take()
    yield written.take()

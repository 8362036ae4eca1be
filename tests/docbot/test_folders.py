"""Which files below a folder are read."""

from collections import Counter
from pathlib import Path

from docbot.reading.folders import IGNORE, files


def test_a_folder_that_is_to_be_ignored_is_left_out_with_those_below_it(tmp_path: Path) -> None:
    for name in ("read.md", "drafts/left out.md", "drafts/older/left out.md", "more/read.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "drafts" / IGNORE).touch()
    assert [path.relative_to(tmp_path).as_posix() for path in files(tmp_path, Counter())] == ["read.md", "more/read.md"]

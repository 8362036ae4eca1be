"""The index of a bot: read by many processes while another one builds the next."""

import subprocess
import sys
from pathlib import Path

import pytest

from docbot.retrieval.index import IndexedPassage, IndexMissing, build, open_index
from tests.browser.site import ROOT

GENERATIONS = 6
PASSAGES = 300

# Prints how often it has searched, and which generations it has seen.
READER = f"""
import sys, time
from pathlib import Path
from docbot.retrieval.index import open_index
folder, seen, searched, end = Path(sys.argv[1]), [], 0, time.monotonic() + 60
print("ready", flush=True)
while time.monotonic() < end and (not seen or seen[-1] < {GENERATIONS}):
    found = open_index(folder).search({{"generation": 1.0}}, 5)
    assert len(found) == 5, len(found)
    generations = {{int(one.passage.text.split()[1]) for one in found}}
    assert len(generations) == 1, generations
    searched += 1
    if generations != set(seen[-1:]):
        seen += generations
assert seen == sorted(seen), seen
print(searched, *seen)
"""


def build_generation(folder: Path, number: int) -> None:
    text = f"generation {number} of the passages"
    build(folder, (IndexedPassage(one, one, f"Title {one}", "", text, language="xx") for one in range(PASSAGES)))


def test_many_processes_read_one_index_while_another_builds_the_next(tmp_path):
    build_generation(tmp_path, 1)
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for reader in readers:
        assert reader.stdout.readline() == "ready\n"
    for number in range(2, GENERATIONS + 1):
        build_generation(tmp_path, number)
    for reader in readers:
        searched, *seen = map(int, reader.communicate()[0].split())
        assert reader.returncode == 0
        assert len(seen) > 2
        assert seen[-1] == GENERATIONS
        assert searched > len(seen)
    assert len(list(tmp_path.glob("generation-*"))) == 2  # readers may still be opening the previous one


def test_the_old_index_stays_when_the_process_that_builds_the_next_fails(tmp_path):
    def failing():
        yield IndexedPassage(1, 1, "New", "", "generation 2", language="xx")
        raise OSError("the disk is full")

    build_generation(tmp_path, 1)
    with pytest.raises(OSError, match="full"):
        build(tmp_path, failing())
    (found, *_) = open_index(tmp_path).search({"generation": 1.0}, 1)
    assert found.passage.text.startswith("generation 1")


def test_an_index_of_an_earlier_version_which_named_its_folder_in_a_file_is_built_anew(tmp_path):
    (tmp_path / "generation-1").mkdir()
    (tmp_path / "current").write_text("generation-1")
    with pytest.raises(IndexMissing):
        open_index(tmp_path)
    build(tmp_path, [IndexedPassage(1, 1, "Hours", "", "We open at nine.")])
    assert open_index(tmp_path).description.passages == 1
    assert len(list(tmp_path.glob("generation-*"))) == 1

"""`make chaos` itself works; its ten minutes are for whoever has them."""

import subprocess
import sys

from tests.browser.site import ROOT


def test_a_few_seconds_of_random_faults_lose_and_double_nothing() -> None:
    command = (sys.executable, "-m", "tests.chaos", "--minutes", "0.1", "--visitors", "8")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = done.stdout.splitlines()[-1]
    assert "0 lost, 0 doubled, 0 asked too often, 0 wrong" in summary
    assert not summary.startswith("0 messages written"), done.stdout
    assert done.stderr == ""

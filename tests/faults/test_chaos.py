"""`make chaos` works; a short run stands for its ten minutes."""

import subprocess
import sys

import pytest

from tests.browser.site import ROOT
from tests.chaos.transcripts import Conversation, Entry, judge_transcripts
from tests.chaos.verdict import Verdict


def test_some_seconds_of_random_faults_lose_and_double_nothing():
    command = (sys.executable, "-m", "tests.chaos", "--minutes", "0.1", "--visitors", "8")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = done.stdout.splitlines()[-1]
    assert "0 lost, 0 doubled, 0 asked too often, 0 wrong" in summary
    assert not summary.startswith("0 messages written"), done.stdout
    assert done.stderr == ""


ADA, BEA = 1, 2


def history(*events: tuple[str, int | None], led_by: int | None = None) -> Conversation:
    entries = [
        Entry(id=n, conversation=1, key=f"{n}", kind=kind, text=f"{n}", name=f"{who}", member=who, after_turn=0)
        for n, (kind, who) in enumerate(events)
    ]
    return Conversation(1, "0" * 32, "person" if led_by else "bot", led_by, entries=entries)


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        (history(("joined", ADA), ("joined", BEA), led_by=BEA), "1 times from one person to another, 0 tried"),
        (history(("joined", ADA), ("message", BEA), led_by=ADA), "2 writes, led by (1, '1')"),
        (history(("message", ADA)), "1 writes, led by None"),
        (history(("joined", ADA), ("handed_back", ADA), ("closed", ADA)), "closed by 1, led by None"),
        (history(("joined", ADA), ("queued", None), led_by=ADA), "queued while led by"),
        (history(("joined", ADA), led_by=BEA), "led by 2, last joined (1, '1')"),
    ],
)
def test_the_verdict_finds_two_people_in_one_conversation(planted, found):
    verdict = Verdict()
    judge_transcripts(verdict, [], [], [planted])
    assert [found in wrong for wrong in verdict.wrong] == [True]


def test_the_verdict_accepts_one_person_after_the_other():
    verdict = Verdict()
    events = (("queued", None), ("joined", ADA), ("message", ADA), ("handed_back", ADA), ("note", BEA), ("joined", BEA))
    judge_transcripts(verdict, [], [], [history(*events, ("message", BEA), led_by=BEA)])
    assert verdict.is_good, verdict

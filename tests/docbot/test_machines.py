"""Several machines on one database: a bot trained on one of them answers on all."""

from pathlib import Path
from typing import Any

import pytest

from docbot.models import AlreadyTraining, Document, TrainedBot, TrainingRun
from docbot.training.indexing import build_outdated
from docbot.training.training import train


@pytest.fixture
def switch_to(settings: Any, tmp_path: Path, bot: TrainedBot, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that makes this process another machine, whose own folder is empty at first."""

    def go(name: str) -> None:
        settings.DATA_DIR = tmp_path / name

    return go


def train_on(bot: TrainedBot, folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "garden.md").write_text(f"# Garden\n\n{text}\n")
    train(bot, [folder])


def test_each_machine_builds_its_own_index_of_what_another_was_trained_on(
    bot, switch_to, tmp_path, ask, django_assert_num_queries
):
    train_on(bot, tmp_path / "docs", "The roses are watered in the evening.")
    switch_to("second machine")
    assert ask("When are the roses watered?").status_code == 503
    build_outdated()
    assert "evening" in ask("When are the roses watered?").json()["message"]
    Document.objects.update(title="Changed behind its back")
    with django_assert_num_queries(1):  # an index that is up to date
        build_outdated()
    train_on(bot, tmp_path / "docs", "The roses are watered at dawn, before the sun is up.")
    switch_to("third machine")
    build_outdated()
    assert "dawn" in ask("When are the roses watered?").json()["message"]


def test_a_training_on_another_machine_is_left_alone(bot, switch_to, tmp_path):
    run = TrainingRun.objects.begin(bot)
    switch_to("second machine")
    with pytest.raises(AlreadyTraining):
        train_on(bot, tmp_path / "docs", "The roses are watered in the evening.")
    run.refresh_from_db()
    assert run.is_running

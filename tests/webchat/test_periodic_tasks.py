"""Periodic tasks: run when due, once, even if others fail."""

import datetime

import pytest
from django.core.management import call_command
from django.utils import timezone

from webchat import periodic_tasks
from webchat.models import PeriodicTask

pytestmark = pytest.mark.django_db

done: list[str] = []


def sweep() -> None:
    done.append("sweep")


def stumble() -> None:
    raise RuntimeError("a visitor's words")


@pytest.fixture(autouse=True)
def two_tasks(settings):
    done.clear()
    settings.PERIODIC_TASKS = {f"{__name__}.stumble": 60, f"{__name__}.sweep": 60}
    settings.PERIODIC_TASKS_OF_EACH_MACHINE = {}


def test_a_task_runs_when_it_is_due_and_not_before():
    periodic_tasks.run_due()
    periodic_tasks.run_due()
    assert done == ["sweep"]
    PeriodicTask.objects.update(due_at=timezone.now() - datetime.timedelta(seconds=1))
    periodic_tasks.run_due()
    assert done == ["sweep", "sweep"]


@pytest.mark.parametrize("ahead", [0, 1000])
def test_only_one_of_many_processes_runs_it_though_the_clock_was_years_ahead(ahead):
    if ahead:
        PeriodicTask.objects.create(name="sweep", due_at=timezone.now() + datetime.timedelta(days=ahead))
    every = datetime.timedelta(minutes=1)
    assert [PeriodicTask.objects.claim("sweep", every) for _process in range(3)] == [True, False, False]


def test_a_task_that_fails_is_logged_without_the_errors_text_and_stops_no_other(caplog):
    periodic_tasks.run_due()
    assert done == ["sweep"]
    assert "RuntimeError" in caplog.text
    assert "visitor's words" not in caplog.text


def test_the_owner_can_run_all_tasks_immediately(settings):
    settings.PERIODIC_TASKS = {f"{__name__}.sweep": 60}
    call_command("run_periodic_tasks")
    assert done == ["sweep"]


def test_tasks_on_data_of_each_machine_run_on_each(settings):
    settings.PERIODIC_TASKS_OF_EACH_MACHINE = {f"{__name__}.stumble": 60, f"{__name__}.sweep": 60}
    for due_on_one_machine in ({}, {}):
        periodic_tasks.run_due_on_this_machine(due_on_one_machine)
        periodic_tasks.run_due_on_this_machine(due_on_one_machine)
    assert done == ["sweep", "sweep"]

"""Commands on a server: deploy/webchat finds the site's data; manage.py never silently creates other data."""

import os
import shutil
import sys
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests import commands
from tests.commands import ROOT
from tests.databases import copy_migrated

NOBODY = 65534


run = partial(commands.run, folder=Path("/"))
manage = partial(run, sys.executable, ROOT / "manage.py")
SHOW = (
    "import os; from django.conf import settings as s; "
    "print(os.getuid(), s.DATA_DIR, s.EMAIL_HOST_PASSWORD, s.SITE_URL)"
)


@pytest.mark.parametrize("owner", [os.getuid(), NOBODY])
def test_the_wrapper_reads_the_settings_and_runs_as_the_datas_owner(owner, tmp_path, request):
    if owner != os.getuid() and (os.getuid() != 0 or not shutil.which("setpriv")):
        pytest.skip("needs root and setpriv")
    data = Path(mkdtemp())  # pytest's own folders are closed to other users
    request.addfinalizer(partial(shutil.rmtree, data))
    (data / "db.sqlite3").touch()
    for path in (data, data / "db.sqlite3"):
        os.chown(path, owner, owner)
    settings = tmp_path / "settings"
    settings.write_text(
        f'# comment\n; another\n\nDATA_DIR={data}\nEMAIL_URL="smtp://me:a%20$HOME\'b@mail.example.com"\n'
        "SITE_URL=https://chat.example.com"
    )
    wrapper = tmp_path / "webchat"
    wrapper.symlink_to(ROOT / "deploy" / "webchat")
    done = run(wrapper, "shell", "--no-imports", "-c", SHOW, WEBCHAT_SETTINGS=settings)
    assert done.stdout == f"{owner} {data} a $HOME'b https://chat.example.com\n", done.stderr
    assert {file.stat().st_uid for file in data.iterdir()} == {owner}


def test_the_wrapper_sets_what_the_unit_sets():
    unit = (ROOT / "deploy" / "webchat.service").read_text()
    own = next(line.removeprefix("Environment=") for line in unit.splitlines() if line.startswith("Environment="))
    assert f"export {own}\n" in (ROOT / "deploy" / "webchat").read_text()
    assert "EnvironmentFile=-/etc/webchat/settings" in unit


@pytest.mark.parametrize("left", ["", "secret_key"])
def test_a_missing_database_is_refused_and_no_folder_created(tmp_path, left):
    folder = tmp_path / "nowhere"
    if left:
        folder.mkdir()
        (folder / left).write_text("long-and-random-" * 4)
    done = manage("createsuperuser", "--noinput", DATA_DIR=folder)
    assert done.returncode == 1
    assert done.stderr.startswith(f"There is no site in {folder}. On a server use webchat instead of manage.py")
    manage("diffsettings", DATA_DIR=folder).check_returncode()
    assert [file.name for file in tmp_path.rglob("*")] == (["nowhere", left] if left else [])


@pytest.mark.skipif(os.getuid() != 0, reason="needs root")
def test_no_command_creates_files_in_another_users_data(tmp_path):
    os.chown(tmp_path, NOBODY, NOBODY)
    done = manage("check", DATA_DIR=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"The data in {tmp_path} belong to nobody, not to you.")
    assert list(tmp_path.iterdir()) == []


def test_a_fresh_checkout_with_a_secret_key_starts_by_its_procfile(tmp_path):
    variables = {"DATA_DIR": tmp_path / "var", "SECRET_KEY": "long-and-random-" * 4}
    variables |= {"CHAT_BASE_URL": "https://bot.example"}  # no training needed
    copy_migrated(tmp_path / "var")  # tests/browser/test_setup.py begins with an empty folder
    kinds = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert kinds["release"] == "python manage.py prepare"
    done = manage("prepare", **variables)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "var" / "secret_key").exists()

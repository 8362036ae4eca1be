"""Collected static files: our modules are joined into one file, at the first run and every later one."""

import base64
import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.template import engines


@pytest.fixture
def static_root(tmp_path: Path, settings: Any) -> Path:
    """Use only our own files, in a folder that the test may write to, and don't compress them: that takes seconds."""
    for folder in ("webchat", "portal", "desk"):
        shutil.copytree(site_settings.BASE_DIR / "static" / folder, tmp_path / "source" / folder)
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["css", "js"]
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "chatsite.staticfiles.SiteStaticFilesStorage"}}
    return tmp_path / "collected"


def script(static_root: Path) -> str:
    """Return the script that the page loads."""
    call_command("collectstatic", interactive=False, verbosity=0)
    return (static_root / staticfiles_storage.stored_name("webchat/chat.js")).read_text()


def fingerprint_on_a_page(name: str) -> str:
    return engines["django"].from_string(f"{{% load webchat %}}{{% integrity '{name}' %}}").render()


def fingerprint_of(content: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def served(static_root: Path, name: str) -> bytes:
    return (static_root / staticfiles_storage.stored_name(name)).read_bytes()


def test_modules_are_bundled_into_one_hashed_file_also_when_collected_again(static_root, tmp_path):
    first = script(static_root)
    assert "import " not in first
    assert "requestSubmit" in first
    for name in ("webchat/chat.js", "webchat/chat.css", "webchat/frame.js"):
        assert fingerprint_on_a_page(name) == fingerprint_of(served(static_root, name))
    assert script(static_root) == first
    module = tmp_path / "source" / "webchat" / "chat" / "live.js"
    module.write_text(module.read_text() + "\nwindow.changed = true;\n")
    (static_root / "webchat" / "chat" / "live.js").unlink()  # the same time as the change, in whole seconds
    changed = script(static_root)
    assert changed.count("window.changed=!0") == 1
    assert len(changed) > len(first)


# The sheets that are joined from the parts in `style` beside them, and how many parts there are.
STYLE_SHEETS = {
    ("webchat/frame.css", "webchat/people.css", "webchat/people_later.css"): 18,
    ("portal/portal.css",): 9,
    ("desk/desk.css",): 16,
}


def test_the_style_sheets_contain_all_their_parts(static_root, tmp_path):
    script(static_root)
    names = re.compile(r"(?<=\.)[a-z][a-z-]+(?=[^{}]*\{)|--[a-z-]+(?=:)")
    for sheets, number in STYLE_SHEETS.items():
        style = "".join(served(static_root, sheet).decode() for sheet in sheets)
        assert "@import" not in style
        assert "/*" not in style
        parts = [part.read_text() for part in (tmp_path / "source" / sheets[0]).parent.joinpath("style").iterdir()]
        assert len(parts) == number, sheets
        missing = [name for part in parts for name in names.findall(without_comments(part)) if name not in style]
        assert missing == [], sheets
    chat = served(static_root, "webchat/chat.css").decode()
    assert chat.index("@layer tokens,layout,components;") < chat.index("@layer tokens{")


def without_comments(style: str) -> str:
    return re.sub(r"(?s)/\*.*?\*/", "", style)


def test_in_debug_a_page_uses_the_hash_of_the_source_file(static_root, settings):
    settings.DEBUG = True
    module = Path(settings.STATICFILES_DIRS[0]) / "webchat" / "chat.js"
    for changed in ("", "// changed\n"):
        module.write_text(module.read_text() + changed)
        assert fingerprint_on_a_page("webchat/chat.js") == fingerprint_of(module.read_bytes())

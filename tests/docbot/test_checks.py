"""A start that can't go well is stopped with a sentence that says what to do."""

import pytest
from django.core.checks import run_checks
from django.template import Context, Template


def found(identity: str) -> list[str]:
    return [check.hint for check in run_checks() if check.id == identity]


def test_the_defaults_raise_no_objection():
    assert [check for check in run_checks() if check.id.startswith("docbot.")] == []


@pytest.mark.parametrize("setting", ["DATA_DIR", "MEDIA_ROOT"])
def test_a_folder_that_cannot_be_written_is_named_before_the_start(settings, tmp_path, setting):
    file = tmp_path / "file"
    file.touch()
    setattr(settings, setting, file / "folder")
    assert "DATA_DIR" in found("docbot.E001")[0]


def test_a_renderer_that_is_not_there_is_named_before_the_start(settings):
    settings.DOCBOT_REPLY_RENDERER = "nowhere.at_all"
    assert "Markdown" in found("docbot.E002")[0]


def test_without_a_renderer_replies_are_plain_text(settings):
    settings.DOCBOT_REPLY_RENDERER = ""
    shown = Template("{% load docbot %}{{ text|reply }}").render(Context({"text": "**a** <b>"}))
    assert shown == "**a** &lt;b&gt;"

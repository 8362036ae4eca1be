"""System checks: a misconfigured site doesn't start, and a sentence says what to do."""

import pytest
from django.core.checks import run_checks


def error_ids(identity: str) -> list[str]:
    return [check.hint for check in run_checks() if check.id == identity]


@pytest.mark.parametrize("setting", ["DATA_DIR", "MEDIA_ROOT"])
def test_a_folder_that_cannot_be_written_is_reported(settings, tmp_path, setting):
    file = tmp_path / "file"
    file.touch()
    setattr(settings, setting, file / "folder")
    assert "DATA_DIR" in error_ids("docbot.E001")[0]


# --- The language model ---

MODEL = {"LLM_BASE_URL": "https://models.example/v1", "LLM_MODEL": "small-one", "LLM_API_KEY": "sk-1"}
ODD_MODELS = {
    "a URL without a scheme": ({"LLM_BASE_URL": "models.example/v1"}, "docbot.E003"),
    "a URL with a user name": ({"LLM_BASE_URL": "https://me:pw@models.example/v1"}, "docbot.E003"),
    "a URL with a query": ({"LLM_BASE_URL": "https://models.example/v1?x=1"}, "docbot.E003"),
    "a URL with an invalid port": ({"LLM_BASE_URL": "https://models.example:x/v1"}, "docbot.E003"),
    "the URL of the endpoint": ({"LLM_BASE_URL": "https://models.example/v1/chat/completions"}, "docbot.E003"),
    "a key sent unencrypted": ({"LLM_BASE_URL": "http://models.example/v1"}, "docbot.E004"),
    "a key with a line break": ({"LLM_API_KEY": "sk-\n1"}, "docbot.E005"),
    "a key that isn't ASCII": ({"LLM_API_KEY": "schlüssel"}, "docbot.E005"),
    "no model": ({"LLM_MODEL": ""}, "docbot.E006"),
    "more time than the page waits": ({"LLM_TIMEOUT": 60.0, "CHAT_TIMEOUT": 60.0}, "docbot.E007"),
}


@pytest.mark.parametrize(("odd", "identity"), ODD_MODELS.values(), ids=ODD_MODELS)
def test_a_model_that_cannot_be_asked_is_reported(settings, odd, identity):
    for name, value in (MODEL | odd).items():
        setattr(settings, name, value)
    assert [check.id for check in run_checks() if check.id.startswith("docbot.")] == [identity]
    assert not [said for said in error_ids(identity) if "sk-" in said or "pw" in said]


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("https://models.example/v1", "sk-1"),
        ("http://127.0.0.1:8080/v1/", "sk-1"),
        ("http://localhost:11434/v1", "sk-1"),
        ("http://[::1]:8080/v1", "sk-1"),
        ("http://ollama:11434/v1", ""),
        ("", ""),
    ],
)
def test_a_model_that_can_be_asked_and_no_model_pass(settings, base_url, key):
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = base_url, "small-one", key
    assert [check for check in run_checks() if check.id.startswith("docbot.")] == []

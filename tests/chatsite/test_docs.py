"""The owner's manual and the site agree, in both directions; and docbot answers from it."""

import ast
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands

from chatsite.default_bot import DEMO
from docbot.endpoint import keys
from docbot.models import TrainedBot
from docbot.reading import KINDS
from webchat.upstream import failure_rules

PAGES = sorted(settings.MANUAL.glob("*.md"))
CONFIGURED_IN = ("chatsite/settings.py",)

# How docs/ describes the computed defaults.
WORKED_OUT = {
    "ALLOWED_HOSTS": "the host of `SITE_URL`",
    "CHAT_BASE_URL": "docbot, in the same process",
    "EMAIL_FROM": "`webchat@` and the host of `SITE_URL`",
    "DATA_DIR": "the folder `var` in the project",
    "SECRET_KEY": "made at the first start",
}


def text_of(*pages: Path) -> str:
    return "\n".join(page.read_text() for page in pages)


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def settings_in_the_code() -> dict[str, str]:
    """Map each environment variable that is read to its default, as docs/configure.md has to write it."""
    found: dict[str, str] = {}
    for file in CONFIGURED_IN:
        for node in ast.walk(ast.parse((settings.BASE_DIR / file).read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if getattr(node.func.value, "id", "") == "environment":
                name, *rest = node.args
                default = rest[0].value if rest and isinstance(rest[0], ast.Constant) else ""
                default = str(int(default)) if isinstance(default, bool) else str(default)
                found[name.value] = WORKED_OUT.get(name.value) or (f"`{default}`" if default else "Not set by default")
    return found


def settings_in_the_docs() -> dict[str, str]:
    """Map each setting's name to the text below its heading."""
    parts = re.split(r"^## (.+)$", (settings.MANUAL / "configure.md").read_text(), flags=re.M)[1:]
    return {name: in_one_line(text) for name, text in zip(parts[::2], parts[1::2], strict=True) if name.isupper()}


def test_every_setting_has_a_heading_and_every_heading_a_setting():
    assert set(settings_in_the_docs()) == set(settings_in_the_code())


def test_the_manual_states_the_default_of_each_setting():
    said = settings_in_the_docs()
    for name, default in settings_in_the_code().items():
        assert said[name].startswith(default if default.startswith("Not") else f"Default: {default}"), name


def test_every_setting_in_the_manual_exists():
    known = set(settings_in_the_code()) | {"SSL_CERT_FILE", "SSL_CERT_DIR"}
    codes = set(failure_rules.RULES) | {"RATE_LIMITED", "IDENTITY_REFUSED", "INFO", "WARNING", "ERROR"}
    named = set(re.findall(r"\b[A-Z]{2,}(?:_[A-Z]{2,})+\b", text_of(*PAGES)))
    assert named - known - codes == set()


def test_every_alert_is_explained():
    manual = in_one_line((settings.MANUAL / "alerts.md").read_text())
    for code, rule in failure_rules.RULES.items():
        assert f"“{rule.sentence}”" in manual
        assert f"`{code}`" in manual


def test_every_file_type_that_docbot_reads_is_named():
    manual = (settings.MANUAL / "train.md").read_text()
    assert [suffix for suffix in KINDS if f"`{suffix}`" not in manual] == []


def test_every_command_in_the_manual_exists():
    manual = text_of(*PAGES, settings.BASE_DIR / "README.md")
    targets = set(re.findall(r"^(\w+):", (settings.BASE_DIR / "Makefile").read_text(), flags=re.M))
    assert set(re.findall(r"manage\.py (\w+)", manual)) <= set(get_commands())
    assert set(re.findall(r"(?:\bmake (?=[a-z]+`)|^make (?=[a-z]+$))([a-z]+)", manual, flags=re.M)) <= targets


def test_the_requests_in_the_manual_send_json():
    for body in re.findall(r"-d '([^']*)'", text_of(*PAGES)):
        assert json.loads(body)


def test_every_page_is_short_and_every_section_fits_in_a_reply():
    """docbot quotes at most 100 words in whole sentences; of a longer section it would quote half."""
    for page in PAGES:
        assert page.read_text().startswith("# ")
        for section in re.split(r"^## ", page.read_text(), flags=re.M)[1:]:
            words = [word for word in section.partition("\n")[2].split() if any(map(str.isalnum, word))]
            if "|---|" not in section:
                assert len(words) <= 110, f"{page.name}: {section.splitlines()[0]}: {len(words)} words"


def test_every_link_between_pages_works():
    for page in [*settings.MANUAL.rglob("*.md"), settings.BASE_DIR / "README.md", settings.BASE_DIR / "CHANGELOG.md"]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
    headings = {heading for page in PAGES for heading in re.findall(r"^#+ (.+)$", page.read_text(), flags=re.M)}
    for page in PAGES:
        for named in re.findall(r"\b[Ss]ee \*([^*]+)\*", in_one_line(page.read_text())):
            assert named in headings, f"{page.name}: {named}"


# Owners' questions and the heading of the passage that answers; the first three are the demo bot's suggestions.
ANSWERED_BY = {
    "How do I train the bot on my own documents?": "How do I train the bot on my own documents?",
    "How do I set my bot’s key?": "How do I set my bot's key?",
    "How do I connect my own bot?": "How do I connect my own bot?",
    "how can I use another port": "How do I change the port?",
    "Where is my data stored?": "Where are my data and the conversations stored?",
    "Can it read PDF files?": "Which file types can I upload, and the bot read: PDF, Word, Excel, …?",
    "How do I make a backup?": "How do I make a backup of my data?",
    "how do I log in to the desk": "How do I log in to the desk?",
    "can I use my own language model": "Can I use ChatGPT, Ollama or my own language model for the replies?",
    "can visitors upload files": "Can visitors upload files, such as a photo or a PDF?",
    "can my team answer customers": "Can a human take over: how do my team and I answer customers in the chat?",
    "how do I turn off the bot at night": "How do I set business hours, or turn the chat off at night?",
    "how do I change my password": "How do I change my password?",
    "how do I remove the bot from my website": "How do I remove the bot from my website?",
    "what happens if the bot doesn't know the answer": "What happens if the bot doesn't know the answer?",
    "How do I revoke a key?": "How do I replace or revoke an API key?",
    "Does it work with WhatsApp?": "Does it work with WhatsApp, Telegram or Slack?",
    "Does it use AI?": "Does it use AI, and can it place orders or book appointments?",
    "How long does training take?": "How long does training take, and how many documents can the bot read?",
    "How do I change the avatar?": "How do I change the bot's colour, profile picture (avatar) and logo?",
    "How do I reset the password of a colleague?": "How do I change a role, reset a password, or remove somebody?",
    "How do I use nginx?": "How do I set up nginx?",
    "Which cookies do you set?": "Which cookies are set?",
    "is it gdpr compliant": "Is the site GDPR-compliant?",
    "how many visitors can it handle": "How many visitors can one machine handle?",
    "what is a kiosk": "What is a kiosk?",
    "how do i get the api key": "How do I get an API key?",
    "how to embed on my site": "How do I put the chat on my website (embed it)?",
    "how do I install it with docker": "How do I install and run it with Docker?",
    "how do I translate the greeting": "How do I translate the greeting and the bot's other texts?",
    "where are the conversations stored": "Where are my data and the conversations stored?",
    "Why do visitors read “This chat is offline”?": "“This chat is offline.”",
}


def test_the_demos_suggested_questions_are_among_the_tested_ones():
    assert DEMO["suggestions"].split("\n") == list(ANSWERED_BY)[:3]


@pytest.mark.django_db
def test_the_demo_bot_answers_questions_about_the_manual(settings, tmp_path, client):
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    call_command("train", "help", str(settings.MANUAL), verbosity=0)
    key = keys.issue(TrainedBot.objects.get(slug="help"), "test")[1]
    cited = {}
    for question in ANSWERED_BY:
        about = {"content_type": "application/json", "headers": {"X-BOT-API-KEY": key}}
        answer = client.post("/api/public/chat", {"message": question}, **about)
        reply = answer.json()["message"].partition("\n\n- [")[0]  # without the follow-up questions
        cited[question] = reply.rpartition("](#source")[0].rpartition(" › ")[2]
    assert cited == ANSWERED_BY

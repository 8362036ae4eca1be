"""The Dockerfile, the compose file and the Procfile, checked without running them."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import yaml

from tests.browser.site import ROOT

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
REGISTRIES = r"docker\.io|ghcr\.io|quay\.io|pypi\.org|gcr\.io|amazonaws|azurecr|https?://"


def test_no_file_names_a_registry():
    local = r"http://(127\.0\.0\.1|webchat)\b|https://(chat\.example\.com|\$host)"
    for name in ("Dockerfile", "compose.yaml", "example.env", "nginx.conf", "pin", "webchat.service"):
        assert re.findall(REGISTRIES, re.sub(local, "", (ROOT / "deploy" / name).read_text())) == [], name


def instructions() -> list[tuple[str, str]]:
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.M)).splitlines()
    return [tuple(line.split(None, 1)) for line in lines if line.strip()]


def test_the_container_runs_unprivileged_from_the_lock_file():
    words = [name for name, _ in instructions()]
    assert re.search("@sha256:[0-9a-f]{64}$", instructions()[0][1])
    assert instructions()[1] == ("FROM", "${PYTHON_IMAGE}")
    user = words.index("USER")
    assert instructions()[user][1] == "webchat"
    assert set(words[user:]) <= {"USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "CMD"}
    assert "pip install --require-hashes --no-deps -r requirements.txt" in DOCKERFILE


def test_the_container_starts_the_procfiles_command():
    kinds = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert kinds == {"release": "python manage.py prepare", "web": "gunicorn -c chatsite/gunicorn.py chatsite.wsgi"}
    command = next(text for name, text in instructions() if name == "CMD")
    assert f"{kinds['release']} && exec {kinds['web']}" in command


def test_copied_files_exist_and_secrets_are_not_copied():
    for name, text in instructions():
        if name == "COPY":
            assert all((ROOT / source).exists() for source in shlex.split(text)[:-1])
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", "var", "deploy/.env", ".venv"} <= set(ignored)
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text()


def test_the_compose_file_describes_a_site_with_its_database():
    web, database = COMPOSE["services"]["web"], COMPOSE["services"]["database"]
    assert web["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert web["environment"]["DATABASE_URL"].startswith("postgres://webchat:${POSTGRES_PASSWORD")
    images = dict(re.findall(r"^(\w+_IMAGE)=(.+)$", (ROOT / "deploy" / "example.env").read_text(), flags=re.M))
    assert all(re.search("@sha256:[0-9a-f]{64}$", image) for image in images.values())
    assert ("ARG", f"PYTHON_IMAGE={images['PYTHON_IMAGE']}") in instructions()
    assert web["build"]["args"] == {"PYTHON_IMAGE": f"${{PYTHON_IMAGE:-{images['PYTHON_IMAGE']}}}"}
    assert database["image"] == f"${{POSTGRES_IMAGE:-{images['POSTGRES_IMAGE']}}}"
    assert [port for port in web["ports"] if not port.startswith("127.0.0.1:")] == []
    assert "ports" not in database
    assert int(web["stop_grace_period"].removesuffix("s")) >= 90
    used = {volume.partition(":")[0] for service in (web, database) for volume in service["volumes"]}
    assert used == set(COMPOSE["volumes"])


# The output of `docker buildx imagetools inspect` for an image of several platforms.
DOCKER = """#!/bin/sh
[ "$1 $2 $3 $#" = "buildx imagetools inspect 4" ] || exit 125
case $4 in
    python:3.11-slim) digit=a ;;
    postgres:17) digit=$POSTGRES ;;
esac
[ "$digit" ] || { echo "ERROR: $4: not found" >&2; exit 1; }
digest() { printf "sha256:%064d" 0 | tr 0 "$1"; }
echo "Name:      registry.example/library/$4"
echo "MediaType: application/vnd.oci.image.index.v1+json"
echo "Digest:    $(digest $digit)"
echo "           "
echo "Manifests: "
echo "  Name:        registry.example/library/$4@$(digest 9)"
echo "  MediaType:   application/vnd.oci.image.manifest.v1+json"
echo "  Platform:    linux/amd64"
"""


def pin(folder: Path, postgres: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "POSTGRES": postgres}
    command = [ROOT / "deploy" / "pin", folder / ".env"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_base_images_are_pinned_by_digest(tmp_path):
    (tmp_path / "docker").write_text(DOCKER)
    (tmp_path / "docker").chmod(0o755)
    example = (ROOT / "deploy" / "example.env").read_text().replace("SECRET_KEY=", "SECRET_KEY=a|b&c$d")
    settings = tmp_path / ".env"
    settings.write_text(example)
    pinned = re.sub("(?<=E=python:3.11-slim@sha256:).+", "a" * 64, example)
    for digit in "b", "c":  # the second time instead of the first digest
        assert pin(tmp_path, digit).returncode == 0
        assert settings.read_text() == re.sub("(?<=E=postgres:17@sha256:).+", digit * 64, pinned)
        assert settings.stat().st_mode & 0o777 == 0o600
    before = settings.read_text()
    refused = pin(tmp_path, "")
    assert (refused.returncode, settings.read_text()) == (1, before)
    assert "no digest of postgres:17. Nothing was changed." in refused.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"docker", ".env"}

# Two commands do all their set-up themselves: `make run` and `make test`.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps

.PHONY: run test lint fix bench messages lock

run: .venv/ready-to-run
	@$(BIN)/python manage.py prepare
	@exec $(BIN)/gunicorn -c chatsite/gunicorn.py chatsite.wsgi

test: .venv/ready-to-test
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m pytest

lint: .venv/ready-to-test
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet . && $(BIN)/djlint --quiet --check --lint templates

fix: .venv/ready-to-test
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

bench: .venv/ready-to-test
	@$(BIN)/python -m tests.bench $(BENCH)

# The catalogs in locale/, after a change of what the interface says.
messages: .venv/ready-to-test
	@$(BIN)/python -m tests.messages

# The locks, after a change of pyproject.toml.
lock: .venv/ready-to-test
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml -o requirements.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

.venv/ready-to-run: requirements.txt
	@.ci/venv "$(PYTHON)"
	@echo "Installing what the site needs …"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/ready-to-test: requirements-dev.txt .venv/ready-to-run
	@echo "Installing what the tests need …"
	@$(PIP) -r requirements-dev.txt
	@touch $@

# Two commands do all their set-up themselves: `make run` and `make test`.

# Another Python for .venv than the one that .ci/venv finds: make PYTHON=…
PYTHON ?=
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-cache-dir install --quiet --require-hashes --no-deps

# Recreate .venv when its Python is gone, as after an upgrade of the system.
$(shell [ -x $(PY) ] || rm -f .venv/ready-to-run .venv/ready-to-test)

.PHONY: run ready test test-on-postgresql lint fix bench chaos test-cluster simulate screenshots messages sbom lock

run: .venv/ready-to-run
	@$(PY) manage.py prepare
	@exec $(PY) -m gunicorn -c chatsite/gunicorn.py chatsite.wsgi

# For a server, which starts the site in its own way (deploy/webchat.service).
ready: .venv/ready-to-run

# Three for each processor: a test spends half of its time waiting for a page, a process or a clock. Files in their order,
# not those with the most tests first: the slowest are in tests/browser, which comes early, and have few.
WORKERS := $(shell expr $$(nproc) \* 3)
# Bytecode is kept, whatever the machine says: without it each worker and each site that a test starts compiles it all.
test test-on-postgresql: export PYTHONDONTWRITEBYTECODE =
test: .venv/ready-to-test
	@$(PY) -m tests.browser.chromium
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory .venv/npm/ready || true; fi
	@$(PY) -m tests.deploy.proxies
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# On a PostgreSQL server where databases may be created: the tests whose outcome can depend on the database. These are the
# ones that touch it in the rooms that ask it something of their own, hostile values, and a journey through a whole site;
# not those that store plain rows in order to look at a page, a refusal, or what another server is sent.
TEST_DATABASE_URL ?= postgres://postgres@127.0.0.1:5432/postgres
ON_EACH_DATABASE := $(addprefix tests/,accounts attachments desk docbot kiosk people portal webchat) \
	$(addprefix tests/chatsite/test_,any_input.py hostile_values.py prepare.py) tests/browser/people
ON_ONE_DATABASE := $(addprefix tests/desk/test_,access bot_preview language_model languages rights website_check) \
	$(addprefix tests/docbot/test_,encoding fetching llm llm_asked llm_failures meaning websites) tests/portal/test_openid \
	$(addprefix tests/webchat/test_,bot_pictures check_bot failure_rules identities_widget languages page web_app widget)
test-on-postgresql: WORKERS := $(shell expr $$(nproc) \* 2)  # a PostgreSQL server has a hundred connections
test-on-postgresql: .venv/ready-to-test
	@DATABASE_URL=$(TEST_DATABASE_URL) DATABASE_CONNECTIONS=30 $(PY) -m pytest -n $(WORKERS) --dist loadfile \
		--database $(ON_EACH_DATABASE) $(patsubst %,--ignore=%.py,$(ON_ONE_DATABASE))

lint: .venv/ready-to-test
	@$(PY) -m ruff format --check --quiet . && $(PY) -m ruff check --quiet . && $(PY) -m djlint --quiet --lint templates

fix: .venv/ready-to-test
	@$(PY) -m ruff check --quiet --fix . ; $(PY) -m ruff format --quiet .

bench: .venv/ready-to-test
	@$(PY) -m tests.bench $(BENCH)

# Random faults under load; nothing may be lost or doubled: make chaos CHAOS="--minutes 2 --postgres"
chaos: .venv/ready-to-test
	@$(PY) -m tests.chaos $(CHAOS)

# Two machines, PostgreSQL and nginx under load and faults: make test-cluster CLUSTER="--minutes 10 --seed 7"
test-cluster: .venv/ready-to-test
	@$(PY) -m tests.deploy.proxies
	@$(PY) -m tests.cluster $(CLUSTER)

# Random schedules of who leads a conversation, on every processor: make simulate MINUTES=10
MINUTES ?= 10
simulate: .venv/ready-to-test
	@$(PY) -m tests.people --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# The pictures in docs/pictures/; or of each page at the end of each browser's test: make screenshots FOLDER=/tmp/pictures
screenshots: .venv/ready-to-test
	@$(if $(FOLDER),KEEP_PICTURES=$(FOLDER) $(PY) -m pytest -n $(WORKERS) --dist loadfile tests/browser,$(PY) -m tests.browser.pictures)

# The catalogs in locale/, after a change of the interface's strings.
messages: .venv/ready-to-test
	@$(PY) -m tests.messages

# The bill of materials of requirements.txt as CycloneDX: sbom.json. Its tool is fetched for this run.
sbom: .venv/ready-to-test
	@$(PY) -m uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py requirements --output-reproducible --output-file sbom.json requirements.txt

# The locks, after a change of pyproject.toml.
lock: .venv/ready-to-test
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml -o requirements.txt
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

# A virtual screen reader, for one test.
.venv/npm/ready: tests/browser/npm/package-lock.json
	@mkdir -p .venv/npm && cp tests/browser/npm/*.json .venv/npm
	@cd .venv/npm && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null
	@touch $@

.venv/ready-to-run: requirements.txt
	@.ci/venv "$(PYTHON)"
	@echo "Installing what the site needs …"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/ready-to-test: requirements-dev.txt .venv/ready-to-run
	@echo "Installing what the tests need …"
	@$(PIP) -r requirements-dev.txt
	@touch $@

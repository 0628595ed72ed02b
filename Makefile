# Two commands: `make run` starts the game, `make test` checks everything. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLIENT := src/varv/web/client/index.html
CLIENT_SOURCES := $(shell find client docs/manual.*.md docs/pictures/manual -type f -not -path '*/node_modules/*' 2>/dev/null)

# These play far more than coverage needs to see, and measuring it would slow them down
PROOFS := $(addprefix tests/rules/test_,random_play.py secrets.py walk.py)

.DEFAULT_GOAL := help
.PHONY: help run test setup check docs rules mutants bench screenshots client client-test lock build try-wheel release audit clean

help: ## Show what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: $(VENV)/run.done $(CLIENT) ## Set up and start the game server
	@$(BIN)/varv serve

PIP := $(BIN)/pip install --quiet --disable-pip-version-check

$(VENV)/run.done: requirements.txt pyproject.toml
	@echo "Installing Python packages into $(VENV): a minute, once"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.done: requirements-dev.txt pyproject.toml
	@echo "Installing Python packages for development into $(VENV): two minutes, once"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements-dev.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/run.done

setup: $(VENV)/dev.done client/node_modules/.done ## Set up for development
	scripts/services.sh

# npm comes from a Python package, so that Node need not be installed
NPM := $(BIN)/python scripts/npm.py

client/node_modules/.done: client/package-lock.json | $(VENV)/run.done
	@echo "Installing the client's packages: half a minute, once"
	@$(NPM) ci --loglevel error --no-audit --no-fund
	@touch $@

$(CLIENT): client/node_modules/.done $(CLIENT_SOURCES)
	@echo "Building the client"
	@$(NPM) run --silent build -- --logLevel warn

client: $(CLIENT) ## Build the web client

test: setup check $(CLIENT) client-test ## Run every check and every test
	$(BIN)/python -m pytest -n 2 tests/rules $(addprefix --ignore=,$(PROOFS)) --cov --cov-report=term:skip-covered --cov-fail-under=100
	$(BIN)/python -m pytest -n 2 $(PROOFS)
	$(BIN)/python -m pytest -n 2 --dist loadgroup --ignore=tests/rules --ignore=tests/browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup tests/browser

check: $(VENV)/dev.done ## Formatting, lint, types, imports, generated documents
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/docs.py --check

client-test: client/node_modules/.done
	$(NPM) run check
	$(NPM) test

docs: $(VENV)/dev.done client/node_modules/.done ## Generate docs/refusals.md, docs/machines.md and the client's types
	$(BIN)/python scripts/docs.py
	$(NPM) run --silent types

rules: $(VENV)/dev.done ## Print each rule with the tests that show it
	$(BIN)/python scripts/rules.py

mutants: $(VENV)/dev.done ## Mutation testing of the rules (takes a while)
	$(BIN)/python scripts/mutants.py

bench: $(VENV)/dev.done $(CLIENT) ## Measure; every figure beside a baseline of the same run
	for file in bench/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

screenshots: setup $(CLIENT) ## Every screen, both sizes, themes and languages
	$(BIN)/python scripts/screenshots.py

lock: ## Resolve the dependencies again
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra build pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra build --extra dev --extra plot pyproject.toml -o requirements-dev.txt

build: $(VENV)/dev.done ## The wheel, with the client inside
	rm -rf dist
	$(BIN)/python -m build

try-wheel: build ## Install the wheel into an empty environment and play a game with it
	scripts/try_wheel.sh

release: $(VENV)/dev.done ## Test, tag and build VERSION=x.y.z after the changelog says what is in it
	$(BIN)/python scripts/release.py --check $(VERSION)
	$(MAKE) test
	$(BIN)/python scripts/release.py $(VERSION)

audit: $(VENV)/dev.done ## Known vulnerabilities in the dependencies (needs a network)
	$(PIP) pip-audit
	$(BIN)/pip-audit -r requirements.txt

clean: ## Remove everything that was made
	rm -rf $(VENV) client/node_modules src/varv/web/client dist build mutants .coverage* .hypothesis

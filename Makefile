# From a fresh clone, with Python 3.11 or newer and make: `make run`, `make test`, `make demo`.
# The system's own Python first, where it will do: the guide installs with it, and distributions build theirs
# for speed, which one built at home seldom is (by a sixth on the machine where this was seen).
SYSTEM_PYTHON = /usr/bin/python3
PYTHON ?= $(shell $(SYSTEM_PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1 && echo $(SYSTEM_PYTHON) || echo python3)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check

WHEEL = $(BIN)/python -m pip wheel -q --disable-pip-version-check --no-build-isolation -w dist
LOCK = $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock'

# `make test-all` takes the tests in another order each time; `make test-all SEED=...` repeats one.
SEED := $(or $(SEED),$(shell date +%s))
ALL_TESTS = $(BIN)/python -m pytest -q --timeout 1800 -m "slow or not slow"
SHUFFLED = -p randomly --randomly-seed=$(SEED)

.PHONY: help run demo test lint types check test-all bench dist lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

run: $(VENV)/.run ## start the judge on 127.0.0.1:2525
	@exec $(BIN)/judge serve

demo: $(VENV)/.run ## a whole game by mail, played by scripted players
	@exec $(BIN)/judge demo $(if $(GAME),--map $(GAME))

# What was compiled is kept, whatever the environment says: else each run would do it again.
test: $(VENV)/.test ## the quick tests
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n 2 --dist worksteal

lint: $(VENV)/.test ## ruff, the layers of the code, and its words
	@$(BIN)/ruff check -q
	@$(BIN)/lint-imports --no-logo || { echo "see the contracts in pyproject.toml" >&2; exit 1; }
	@$(BIN)/python -m tests.words

types: $(VENV)/.test ## mypy, strict
	@$(BIN)/python -m mypy

check: lint types test ## lint, types and quick tests

# What is measured is measured alone: beside other tests, pictures are drawn behind them all, and so not at all.
test-all: $(VENV)/.test lint types ## the same with the slow tests: processes, kills, Postfix, PostgreSQL, Chromium, wheel, guide, load
	@echo "make test-all SEED=$(SEED) repeats this order of tests"
	@$(ALL_TESTS) $(SHUFFLED) -n 4 --dist worksteal --hypothesis-profile=deep --ignore tests/load
	@$(ALL_TESTS) tests/load
	@$(BIN)/python -m tests.postgres || $(ALL_TESTS) $(SHUFFLED) -n 4 --dist worksteal --store postgres \
		tests/store tests/play tests/daemon tests/crash tests/journeys/test_journeys.py

bench: $(VENV)/.test ## how fast it is, beside aiosmtpd and Postfix; some minutes
	@$(BIN)/python -m tests.bench

# The wheel is made from the sdist, so both are complete. The libraries are the locked ones.
dist: $(BIN)/python ## sdist and wheel, and wheels of all libraries, in dist/: a folder for uv and pipx
	@rm -rf dist
	@$(PIP) --require-hashes -r docs/run/build.lock
	@$(BIN)/python -W ignore -c "from setuptools import build_meta; build_meta.build_sdist('dist')" >/dev/null
	@$(WHEEL) --no-deps dist/postal_judge-*.tar.gz
	@$(WHEEL) --require-hashes --use-pep517 -r docs/run/requirements.lock

lock: $(BIN)/python ## the releases and hashes that docs/run/operating.md installs, resolved again
	@$(PIP) uv
	@echo 'setuptools>=78.1.1' | $(LOCK) --output-file docs/run/build.lock -
	@$(LOCK) --output-file docs/run/requirements.lock setup.cfg

clean: ## remove the virtual environment and what was built; var/ stays
	@rm -rf $(VENV) build dist *.egg-info mapmaking/build mapmaking/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# A stamp says what is installed: the second time needs neither a minute nor the network.
$(VENV)/.run: setup.cfg pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (this once) ..."
	@$(PIP) -e . && touch $@

$(VENV)/.test: setup.cfg pyproject.toml mapmaking/setup.cfg mapmaking/pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (this once) ..."
	@$(PIP) -e '.[test]' -e ./mapmaking && touch $@ $(VENV)/.run

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo \
	"The judge needs Python 3.11 or newer; if you have one, name it: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo \
	"This Python has no venv module: install it (Debian, Ubuntu: apt install python3-venv), then make $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

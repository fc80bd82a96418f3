# The daily commands; CONTRIBUTING.md explains them.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: test check
.venv/dev: requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@

test: .venv/dev
	$(BIN)/pytest

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

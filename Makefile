# The daily commands; CONTRIBUTING.md explains them.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check bench papers lock .venv/dev

run:
	@$(PYTHON) config/install.py
	@exec $(BIN)/python -m config.serve

.venv/dev:
	@$(PYTHON) config/install.py dev

test: .venv/dev
	$(BIN)/pytest

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Pinned, hashed, and universal: one file for every platform and Python that pyproject.toml allows. UV is astral's uv.
UV ?= uv
COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url
lock:
	$(COMPILE) pyproject.toml --group build --output-file requirements.txt
	$(COMPILE) pyproject.toml --group build --extra dev --constraint requirements.txt --output-file requirements-dev.txt

# The daily commands; CONTRIBUTING.md explains them.
PYTHON ?= python3
BIN := .venv/bin

# Python 2 cannot read what would refuse it, so it is refused in words that it can.
OLD = Candor needs Python 3.11 or newer: name one, as in `make run PYTHON=python3.12`.
INSTALL = $(PYTHON) -c 'import sys; sys.version_info > (3,) or sys.exit("$(OLD)")' && $(PYTHON) config/install.py

.PHONY: run test check bench papers messages lock .venv/dev

run:
	@$(INSTALL)
	@exec $(BIN)/python -m config.serve

.venv/dev:
	@$(INSTALL) dev

# CI=true: what cannot be had is a failure, not a skip. Tests that wait for browsers and servers run beside the others,
# and are printed after them.
BESIDE = tests/client tests/config tests/e2e
test: .venv/dev
	@sh tests/install.sh
	@beside=$$(mktemp); trap 'kill $$!; rm -f "$$beside"' INT TERM; \
	$(BIN)/pytest -p no:cacheprovider $(BESIDE) > "$$beside" 2>&1 & \
	$(BIN)/pytest $(BESIDE:%=--ignore=%); others=$$?; \
	wait $$!; pages=$$?; cat "$$beside"; rm -f "$$beside"; exit $$((others || pages))

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

papers: .venv/dev
	$(BIN)/python -m privacy.papers --also mining.papers

# The strings of the pages Django makes: from the code into locale/, and from there into what is read. Needs gettext.
messages: .venv/dev
	$(BIN)/python manage.py makemessages --locale zh_Hans --no-obsolete --no-wrap --add-location file --ignore 'tests/*'
	msgfmt --check --output-file locale/zh_Hans/LC_MESSAGES/django.mo locale/zh_Hans/LC_MESSAGES/django.po

# Pinned, hashed, and universal: one file for every platform and Python that pyproject.toml allows. UV is astral's uv.
UV ?= uv
COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url
lock:
	$(COMPILE) pyproject.toml --group build --extra site --output-file requirements.txt
	$(COMPILE) pyproject.toml --group build --extra dev --constraint requirements.txt --output-file requirements-dev.txt

# The daily commands; CONTRIBUTING.md explains them.
PYTHON ?= python3
BIN := .venv/bin

# Python 2 cannot read what would refuse it, so it is refused in words that it can.
OLD = Candor needs Python 3.11 or newer: name one, as in `make run PYTHON=python3.12`.
INSTALL = $(PYTHON) -c 'import sys; sys.version_info > (3,) or sys.exit("$(OLD)")' && $(PYTHON) config/tools/install.py

# What is compiled is kept, also where the environment forbids it: a site and the tests start Python again and again, and
# most of a start would be compiling the packages again.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run install test test-long check audit bench docs papers messages manifest dist lock .venv/dev

run:
	@$(INSTALL)
	@exec $(BIN)/python -m config.run.serve

# The packages of a site and no start: for a backup that is restored before the first one, and for an upgrade.
install:
	@$(INSTALL)

.venv/dev:
	@$(INSTALL) dev

# CI=true: what cannot be had is a failure, not a skip. Several processes share the tests, each with a database, a broker
# and a browser of its own; one that is done takes over tests of another.
PYTEST = $(BIN)/pytest --numprocesses auto --dist worksteal
test: .venv/dev
	@sh tests/install.sh
	@$(PYTEST)

# Also what is the same again: every kill, every combination, every draw; then `make test` in three random orders, and with
# each Python that pyproject.toml names and this machine has, in a clone of its own.
test-long: .venv/dev docs
	@$(INSTALL) long
	@sh tests/install.sh long
	@$(PYTEST) -m 'long or not long' --hypothesis-profile drawn
	@for seed in 1 2 3; do $(PYTEST) --shuffle $$seed || exit; done
	@sh tests/pythons.sh

# JavaScript is checked where there is Node: nothing else needs it.
ifneq ($(shell command -v npm),)
BIOME = node_modules/.bin/biome
endif

# `pip list` takes an index that does not answer for one that has nothing newer, so the index is asked first.
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input --retries=0 --timeout=5

check: .venv/dev $(BIOME)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(if $(BIOME),$(BIOME) check --error-on-warnings .,@echo "JavaScript is not checked: there is no Node (npm) here.")
	$(if $(shell command -v zizmor),zizmor --offline --quiet .github,@echo "Workflows are not checked: there is no zizmor here.")
	@$(PIP) index versions pip > /dev/null 2>&1 && $(PIP) list --outdated || echo "Whether packages are behind is not known."

node_modules/.bin/biome: package-lock.json
	npm ci --ignore-scripts --no-fund --no-audit
	@touch $@

# Published advisories about the locked packages: exit status 1 if there are any, 2 if osv.dev cannot be asked.
audit: .venv/dev
	@$(BIN)/python config/tools/audit.py

bench: .venv/dev
	$(BIN)/python -m benchmarks

# The documentation site, in var/docs/html: a warning is an error, and the network is not asked.
docs: .venv/dev
	@$(INSTALL) docs
	@rm -rf var/docs
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --fresh-env --quiet --conf-dir docs . var/docs/html

papers: .venv/dev
	$(BIN)/python -m papers --docs docs

# The strings of the pages Django makes: from the code into locale/, and from there into what is read. Needs gettext. What
# the protocol says in German is written by hand: tests say what it lacks, and what nothing asks for any more.
messages: .venv/dev
	$(BIN)/python manage.py makemessages --locale zh_Hans --no-obsolete --no-wrap --add-location file --ignore 'tests/*'
	for language in de zh_Hans; do (cd locale/$$language/LC_MESSAGES && msgfmt --check --output-file django.mo django.po) || exit; done

# The manifest of the release that pyproject.toml names: docs/releases/README.md says when.
manifest: .venv/dev
	@$(BIN)/python manage.py client_manifest --release

# The source archive and the wheel of a release: the same bytes wherever they are built, in dist/.
dist: .venv/dev
	@rm -rf dist
	@$(BIN)/python -m hatchling build
	@$(BIN)/python -m twine check --strict dist/*
	@$(BIN)/check-wheel-contents dist/*.whl

# Pinned, hashed, and universal: one file for every platform and Python that pyproject.toml allows.
UV ?= $(BIN)/uv
COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url
lock: .venv/dev
	$(COMPILE) pyproject.toml --group build --extra site --output-file requirements.txt
	$(COMPILE) pyproject.toml --group build --extra dev --constraint requirements.txt --output-file requirements-dev.txt
	$(COMPILE) --group docs --constraint requirements-dev.txt --output-file requirements-docs.txt
	$(COMPILE) --group long --constraint requirements-dev.txt --output-file requirements-long.txt
	echo pip | $(COMPILE) --no-annotate --output-file requirements-pip.txt -
	echo uv | $(COMPILE) --no-annotate --output-file requirements-uv.txt -

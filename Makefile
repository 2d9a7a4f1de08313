# make demo and make test set up all they need; everything lives in .venv and results/.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Python keeps what it has read, wherever this runs: without it every process reads all sources anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo play docs quick test full check setup clean

demo: setup
	@$(BIN)/tefuda demo

# The table in the browser.
play: setup
	@$(BIN)/tefuda web

# The documentation as a site; a page that leads nowhere fails it.
docs: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the site is in results/site: open results/site/index.html"

# Tests: quick ones, of every package, in a minute; all but the long ones; the long ones; all that a change must pass.
# Files go to the workers in the order of tests/conftest.py, not by the number of their tests.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

quick: setup
	@$(PYTEST) -m "not slow and not full"

test: setup
	@$(PYTEST) -m "not full"

full: setup
	@$(PYTEST) -m full

check: test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory docs
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m "kernel and not full"

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "tefuda needs Python 3.11 or later; this is " + sys.version.split()[0] + " (choose another: make PYTHON=python3.12)")'
	@echo "setting up $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf $(VENV) build results

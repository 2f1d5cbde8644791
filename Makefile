# Every target sets up what it needs, once: a virtual environment from hashed locks here, jars in the user's cache.
# `make demo` and `make test` are the two commands of the README.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
RUN    := $(VENV)/.run-installed
DEV    := $(VENV)/.dev-installed
CHECKOV := .venv-checkov
SOURCES := cli jobs tests
# Two tests at a time: `tests/conftest.py` says what stays together. With one, take the options away: make TWO= test
TWO     := -n 2 --dist loadgroup --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help setup demo test unit check checkov acceptance bench bench-rebalance docs lock wheel clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(RUN)  ## install hdictl and its dependencies into .venv

demo: $(RUN)  ## the whole platform on this machine, once, with real parts
	@$(BIN)/hdictl demo

test: $(DEV)  ## every test; needs nothing but Python >= 3.10, git, make and the package registries
	$(BIN)/python -m pytest $(TWO)

unit: $(DEV)  ## the inner loop: all pure tests
	@$(BIN)/python -m pytest -q tests/unit tests/invariants/test_malformed_stacks.py

acceptance: $(DEV)  ## tests with real Kafka, Spark and, where an engine answers, Docker
	$(BIN)/python -m pytest $(TWO) tests/acceptance

check: $(DEV)  ## style, types, layers, docs in step with --help, and the wheel in a clean environment
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/unit/docs
	$(MAKE) checkov
	$(MAKE) wheel

checkov: $(DEV) $(CHECKOV)/.installed  ## checkov over the templates of all example stacks, with a reasoned skip list
	$(BIN)/python -m tests.checkov $(CHECKOV)/bin/checkov

wheel: $(DEV)  ## build the wheel, install it in a clean environment, run it there
	bash tests/wheel/smoke.sh $(abspath $(BIN)/python)

bench: $(DEV)  ## measure, as ratios within one run
	$(BIN)/python -m tests.bench

bench-rebalance: $(DEV)  ## rebalance plans against their bounds, the laws and the peers; quickly: make bench-rebalance WITH=--quick
	$(BIN)/python -m tests.bench.rebalance $(WITH)

docs: $(DEV)  ## write the pages that are generated from the program
	$(BIN)/python -m tests.unit.docs.pages

lock:  ## resolve the dependencies anew (needs uv); the locks carry hashes and no addresses
	uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    --group build pyproject.toml -o requirements/run.lock
	uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    --constraint requirements/run.lock --group dev pyproject.toml -o requirements/dev.lock
	echo 'checkov>=3.3,<4' | uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header - -o requirements/checkov.lock

clean:  ## remove what the targets made here; the user's cache of jars stays
	rm -rf $(VENV) $(CHECKOV) dist build bench-results .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	    { echo "hdictl needs Python 3.10 or later; name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	    { echo "this Python has no venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@touch $@

$(RUN): requirements/run.lock pyproject.toml | $(VENV)/.created
	@echo "installing dependencies (about 350 MB the first time, then cached) …"
	@$(PIP) install --require-hashes --requirement requirements/run.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.lock $(RUN)
	@echo "installing development tools …"
	@$(PIP) install --quiet --require-hashes --requirement requirements/dev.lock
	@touch $@

# Apart from the rest: what checkov needs would hold hdictl's own dependencies back.
$(CHECKOV)/.installed: requirements/checkov.lock
	@echo "installing checkov (about 290 MB on disk) …"
	@$(PYTHON) -m venv $(CHECKOV)
	@$(CHECKOV)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@touch $@

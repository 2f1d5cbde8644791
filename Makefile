# Every target sets up what it needs, once: a virtual environment from hashed locks here, jars in the user's cache.
# `make demo` and `make test` are the two commands of the README.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
RUN    := $(VENV)/.run-installed
DEV    := $(VENV)/.dev-installed
CHECKOV := .venv-checkov
SPARK35 := .venv-spark35
BENCH   := .venv-bench
# A cluster's Python is old: where there is a 3.8, jobs are tried on it as well.
PY38    := .venv-py38
PYTHON38 ?= $(shell for each in python3.8 "$$(pyenv root 2>/dev/null)"/versions/3.8.*/bin/python; do \
    "$$each" -c 'import venv, ensurepip' 2>/dev/null && { echo "$$each"; break; }; done)
SOURCES := cli jobs pipelines tests
# Two tests at a time: `tests/conftest.py` says what stays together. With one, take the options away: make TWO= test
TWO     := -n 2 --dist loadgroup --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help setup demo test spark35 python38 unit check checkov acceptance bench bench-rebalance bench-pipelines soak docs lock wheel clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(RUN)  ## install hdictl and its dependencies into .venv

demo: $(RUN)  ## the whole platform on this machine, once, with real parts
	@$(BIN)/hdictl demo

# The first trial leaves an archive of Spark's classes behind: all that tests start is quicker by it.
test: $(DEV) $(if $(PYTHON38),$(PY38)/.installed)  ## every test; needs nothing but Python >= 3.10, git, make and the package registries
	$(BIN)/hdictl pipeline test page_activity
	$(if $(PYTHON38),$(BIN)/hdictl pipeline test page_activity --python $(PY38)/bin/python)
	HDICTL_PYTHON38=$(if $(PYTHON38),$(abspath $(PY38)/bin/python)) $(BIN)/python -m pytest $(TWO)

spark35: $(SPARK35)/.installed  ## the tests of jobs on Spark 3.5.7, as `test` runs them on 3.3.1
	$(SPARK35)/bin/python -m pytest -q tests/acceptance/streamkit tests/acceptance/spark

python38: $(DEV) $(if $(PYTHON38),$(PY38)/.installed)  ## the tests of the job's library and all pipelines on a cluster's Python, where there is one
ifneq ($(PYTHON38),)
	$(BIN)/python -m tests.acceptance.streamkit.surroundings $(abspath $(PY38)/bin/python) > $(PY38)/surroundings.json
	HDICTL_SURROUNDINGS=$(abspath $(PY38)/surroundings.json) $(PY38)/bin/python -m pytest -q \
	    --confcutdir=tests/acceptance/streamkit tests/acceptance/streamkit
	HDICTL_TRIAL_PYTHON=$(abspath $(PY38)/bin/python) $(BIN)/python -m pytest -q tests/acceptance/spark/test_golden.py
else
	@echo "NOT TRIED ON PYTHON 3.8: there is none on this machine; name one: make PYTHON38=/path/to/python3.8 python38"
endif

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

bench-pipelines: $(DEV) $(BENCH)/.installed  ## pipelines against the naive query, the ceiling and their peers; in part: make bench-pipelines WITH="--only decoding --records 500000"
	$(BIN)/python -m tests.bench.pipelines $(WITH)

soak: $(DEV)  ## what takes long: twenty kills of a job's driver and twenty of a rebalance, at moments from a seed
	HDICTL_KILLS=20 $(BIN)/python -m pytest -q tests/acceptance/jobs/test_driver_kills.py tests/acceptance/rebalance/test_kills.py

docs: $(DEV)  ## write the pages that are generated from the program
	$(BIN)/python -m tests.unit.docs.pages

lock:  ## resolve the dependencies anew (needs uv); the locks carry hashes and no addresses
	uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    --group build pyproject.toml -o requirements/run.lock
	uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    --constraint requirements/run.lock --group dev pyproject.toml -o requirements/dev.lock
	printf 'pyspark==3.3.1\nfastavro\npytest>=8\n' | uv pip compile --universal --python-version 3.8 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header - -o requirements/python38.lock
	echo 'pyspark==3.5.7' | uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header - -o requirements/spark35.lock
	printf 'quixstreams\nbytewax\norjson\nfastavro\nconfluent-kafka\n' | uv pip compile --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-annotate --no-header - -o requirements/bench.lock
	echo 'checkov>=3.3,<4' | uv pip compile --universal --python-version 3.10 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header - -o requirements/checkov.lock

clean:  ## remove what the targets made here; the user's cache of jars stays
	rm -rf $(VENV) $(SPARK35) $(PY38) $(BENCH) $(CHECKOV) dist build bench-results .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
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

# The next line of Spark in front of everything else that is installed.
$(SPARK35)/.installed: requirements/spark35.lock $(DEV)
	@echo "installing Spark 3.5.7 (about 370 MB on disk) …"
	@$(PYTHON) -m venv $(SPARK35)
	@$(SPARK35)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@$(BIN)/python -c 'import sysconfig; print("$(abspath cli)", sysconfig.get_path("purelib"), sep="\n")' > \
	    "$$($(SPARK35)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/zz-hdictl.pth"
	@touch $@

$(PY38)/.installed: requirements/python38.lock
	@echo "installing Spark 3.3.1 for Python 3.8 (about 330 MB on disk) …"
	@"$(PYTHON38)" -m venv $(PY38)
	@$(PY38)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement $< 2>/dev/null
	@touch $@

# What pipelines are compared with.
$(BENCH)/.installed: requirements/bench.lock | $(VENV)/.created
	@echo "installing quixstreams and bytewax (about 160 MB on disk) …"
	@$(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@touch $@

# Apart from the rest: what checkov needs would hold hdictl's own dependencies back.
$(CHECKOV)/.installed: requirements/checkov.lock
	@echo "installing checkov (about 290 MB on disk) …"
	@$(PYTHON) -m venv $(CHECKOV)
	@$(CHECKOV)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@touch $@

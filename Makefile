# `make` alone lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup llama test check lint types layers meta demo bench clean nightly audit

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## create .venv and install the package with its development tools

$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make setup: no '$(PYTHON)' on the PATH; install Python 3.11 or later, or say make PYTHON=/path/to/python" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make setup: vademecum needs Python 3.11 or later, '$(PYTHON)' is $$($(PYTHON) --version 2>&1); say make PYTHON=python3.11" >&2; \
	  exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "make setup: could not create $(VENV); on Debian: apt-get install python3-venv" >&2; \
	  exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench,mcp,proxy,otel,testing,openai,anthropic,gemini,ollama]'
	@touch $@

llama: ## install a real llama.cpp server into .llama, for the tests that need one
	@PYTHON=$(PYTHON) .ci/llama

test: setup ## run all tests
	$(BIN)/python -m pytest -n auto

nightly: setup ## what takes hours: 5,000 examples of each invariant, 200 kills, eight writers, fuzzing, mutants
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'atheris>=3,<4'
	NIGHTLY=1 $(BIN)/python -m pytest -n auto tests/properties tests/fuzzing tests/unit/core
	NIGHTLY=1 $(BIN)/python -m pytest -s tests/injection tests/mutation

check: lint types layers meta ## everything but the tests of behaviour: the four below

lint: setup ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## pyright, strict, on src
	$(BIN)/pyright

layers: setup ## who may import whom
	$(BIN)/lint-imports

meta: setup ## the tests about the code itself
	$(BIN)/python -m pytest -n auto tests/meta

bench: setup ## measure all figures of speed, about eight minutes (bench/perf)
	$(BIN)/python bench/perf/all.py

demo: setup ## show a compaction from end to end
	$(BIN)/python demo/run.py

audit: setup ## licences and pins of what is installed, and known holes where their host answers
	$(BIN)/python -m pytest -q tests/meta/test_dependencies.py
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9' || exit 1; \
	$(BIN)/pip-audit --requirement constraints.txt --no-deps --disable-pip || \
	  echo "make audit: pip-audit found holes, or its host does not answer; see above" >&2

clean: ## remove .venv, .llama and everything that can be made again
	rm -rf $(VENV) .llama build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests demo -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

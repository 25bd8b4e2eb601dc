# Everything runs in a virtual environment of its own. It is made once, and again only when
# pyproject.toml or constraints.txt change, so that the second `make` starts at once.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2

# The claim that `make try` checks. The text is handed over as it stands: make must not expand a
# `$` in it and the shell must not see its quotes, so it travels as an environment variable.
TEXT ?= In MLPerf® Inference v6.1, Vera Rubin NVL72 delivers up to 3.7x the throughput of GB300 NVL72.
export SMALLPRINT_TRY := $(value TEXT)
unexport TEXT

.DEFAULT_GOAL := help
.PHONY: help setup try test check fmt bench docs pictures clean audit sbom

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(READY) ## make the virtual environment with the pinned versions

$(READY): pyproject.toml constraints.txt .ci/venv
	@sh .ci/venv $(VENV)
	@touch $@

try: $(READY) ## answer a real claim; TEXT="…" for another one
	@SMALLPRINT_KNOWLEDGE=$(VENV)/knowledge.db $(BIN)/smallprint ask -- "$$SMALLPRINT_TRY"

test: check ## set up, then every check and every test

check: $(READY) ## every check and every test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pip check --quiet
	$(BIN)/pytest -n $(JOBS)

fmt: $(READY) ## format the code and apply the safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## print the benchmark table
	$(BIN)/python -m tests.benchmarks

docs: $(READY) ## write the reference of commands and the answers of the README anew
	SMALLPRINT_KNOWLEDGE=$(VENV)/knowledge.db $(BIN)/python -m tests.reference

pictures: $(READY) ## draw the pictures of the documents anew (needs chromium)
	SMALLPRINT_KNOWLEDGE=$(VENV)/knowledge.db $(BIN)/python -m tests.pictures

audit: $(READY) ## ask for known weaknesses of the pinned packages (needs an index that knows them)
	$(BIN)/pip-audit --requirement constraints.txt --no-deps --disable-pip

sbom: $(READY) ## write the bill of materials of what is installed to sbom.json
	$(BIN)/python deploy/sbom.py > sbom.json

clean: ## remove the virtual environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist *.egg-info

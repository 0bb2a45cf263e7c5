# `make help` lists what there is. Everything runs from the checkout's own Python environment.
.DEFAULT_GOAL := help
.PHONY: help setup lock check format unit test test-all test-platform bench demo demo-down clean
SHELL := /bin/sh
BIN := .venv/bin
READY := .venv/ready

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY)  ## make the Python environment and build what is missing (minutes, once per user)
	@$(BIN)/tessera tools build >/dev/null

$(READY): requirements.txt requirements-dev.txt
	@sh tools/find_python.sh > .python.found || { rm -f .python.found; exit 1; }
	@echo "setting up .venv with $$(cat .python.found) ..."
	@"$$(cat .python.found)" -m venv .venv && rm -f .python.found
	@$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements.txt -r requirements-dev.txt
	@$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock: $(READY)  ## write requirements*.txt anew from requirements*.in
	@for part in requirements requirements-dev; do \
	  $(BIN)/pip-compile -q --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
	    --no-emit-find-links -o $$part.txt $$part.in || exit 1; done

check: $(READY)  ## style, types, import contract, charts' values and unit tests, in seconds
	@$(BIN)/ruff format -q --check . && $(BIN)/ruff check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo >/dev/null || { $(BIN)/lint-imports; exit 1; }
	@$(BIN)/tessera recipe vet
	@$(BIN)/pytest -q -n auto tests/unit

format: $(READY)  ## bring the code into shape
	@$(BIN)/ruff format -q . && $(BIN)/ruff check -q --fix .

unit: $(READY)  ## unit tests alone
	@$(BIN)/pytest -q -n auto tests/unit

test: setup check  ## check, and one thin real path through every room
	@$(BIN)/pytest -q tests -m "not full" --ignore tests/unit

test-all: setup check  ## everything, faults too
	@$(BIN)/pytest -q tests --ignore tests/unit

test-platform: setup  ## all about the platform: charts, releases, upgrades, faults
	@$(BIN)/pytest -q tests/platform tests/unit/tessera/platform tests/unit/components/platform

bench: setup  ## measure; JSON on standard output; BENCH=lab, scheduling or saturation measures one
	@$(BIN)/python -m tests.bench $(or $(BENCH),all)

demo: setup  ## bring up the lab through Pulumi and show what was allocated
	@eval "$$($(BIN)/tessera env)" && pulumi up -s lab --yes --suppress-permalink=true && $(BIN)/tessera claims

demo-down: $(READY)  ## take all of the demo away again, but not the built tools
	@eval "$$($(BIN)/tessera env)" && pulumi destroy -s lab --yes && pulumi stack rm lab --yes --preserve-config
	@$(BIN)/tessera uninstall

clean:  ## remove the Python environment and caches in the checkout
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# Every target makes its own virtual environment first; nothing is needed but
# Python 3.11 or later.  PYTHON=python3.12 picks another interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RESULTS ?= results/sample

.PHONY: run test lint bench clean

$(VENV)/.installed: setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip setuptools
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

run: $(VENV)/.installed
	$(BIN)/citation-support screen sample_corpus/manuscripts \
	    --papers sample_corpus/papers.parquet --offline \
	    --output $(RESULTS) --overwrite

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) build dist results *.egg-info .mypy_cache .ruff_cache .pytest_cache

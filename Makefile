# Every target makes its own virtual environment first; nothing is needed but
# Python 3.11 or later.  PYTHON=python3.12 picks another interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RESULTS ?= results/sample
DOCUMENTS ?= 3000

.PHONY: run test test-lowest lint bench evaluate-extraction clean

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

# DOCUMENTS=100 for a quick look.
bench: $(VENV)/.installed
	$(BIN)/python -m tests.bench $(DOCUMENTS)

# DATA="FOLDER ..." with gold.jsonl; BASELINE=FILE to list gains and losses.
evaluate-extraction: $(VENV)/.installed
	$(BIN)/citation-support evaluate-extraction $(DATA) \
	    $(if $(BASELINE),--baseline $(BASELINE))

# The tests on the oldest versions that setup.py allows.
test-lowest: setup.py
	$(PYTHON) -m venv --clear $(VENV)-lowest
	sed -n '/install_requires/,/]/s/^ *"\([a-z0-9-]*\)>=\([0-9.]*\)",$$/\1==\2/p' setup.py > $(VENV)-lowest/pins.txt
	$(VENV)-lowest/bin/python -m pip install --quiet --upgrade pip setuptools
	$(VENV)-lowest/bin/python -m pip install --quiet \
	    --constraint $(VENV)-lowest/pins.txt --editable '.[dev]'
	$(VENV)-lowest/bin/python -m pytest -n auto

clean:
	rm -rf $(VENV) $(VENV)-lowest build dist results *.egg-info .mypy_cache .ruff_cache .pytest_cache

# From a fresh clone to results: everything happens in .venv, made from any Python 3.11 or newer.
#
# The engine is compiled in place when a C compiler is there, and again when its sources change.
# ARENA_PURE=1 make ... runs the sources instead. ARGS="..." is passed to the command.

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
SOURCES := $(shell find games bots solver -name '*.py' 2>/dev/null)
IS_COMPILED := $(BIN)/python -c 'from games.engine import COMPILED; raise SystemExit(not COMPILED)'
# By content: a source that was copied or unpacked may be older than the engine and still differ.
IS_FRESH := $(BIN)/python -c 'from games.engine import COMPILED as c, stale; raise SystemExit(not c or bool(stale()))'

# Some containers tell Python to keep no bytecode: then every command and every process of a test
# would compile some two hundred modules again, half a second each time.
unexport PYTHONDONTWRITEBYTECODE

# One test process more than there are cores, since many tests wait for a clock, a browser or a
# process. Files are kept together, for their fixtures are shared; conftest.py sets the order.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTEST := $(BIN)/pytest -q -rs -n $$(( $(CORES) + 1 )) --dist loadfile --no-loadscope-reorder
# What the pure engine is tested with: everything below the arena, and refereed games. The arena
# itself, and texts, puzzles and certificates below it, run the same interpreted code on both.
ENGINE_TESTS := tests/games tests/bots tests/solver tests/arena/match/test_referee.py \
  --ignore tests/games/hidden_leaders/text --ignore tests/bots/test_loading.py \
  --ignore-glob 'tests/solver/*puzzle*' --ignore-glob 'tests/solver/*certificates*'

# Each of them uses all cores by itself, and two at a time would install into the same .venv.
.NOTPARALLEL:

# Editable, and pure at this point. PEP 517 keeps older versions of pip from complaining about trueskill.
PIP_INSTALL := ARENA_PURE=1 PIP_USE_PEP517=1 $(BIN)/python -m pip install -q --disable-pip-version-check

.PHONY: help league quick test test-compiled test-pure lint types check bench site compile here clean distclean

help:
	@echo 'make league   the built-in bots play each other for about a minute, then a table'
	@echo 'make quick    the fast tests, in about a minute'
	@echo 'make test     all tests, on the compiled and on the pure engine'
	@echo 'make lint     style (ruff);  make types: static types (mypy --strict)'
	@echo 'make check    test, lint and types'
	@echo 'make bench    speed of both engines, interleaved'
	@echo 'make site     docs, cards, puzzles and play as a static site in site/ (needs npm)'
	@echo 'make compile  only build the compiled engine'
	@echo 'make clean    remove what was built;  make distclean: and .venv'

league: $(VENV)/installed compile
	$(BIN)/arena league $(ARGS)

quick: $(VENV)/installed-dev compile
	@$(PYTEST) -m 'not slow' $(ARGS)

# Without a C compiler there is one engine, and it gets all the tests.
test: $(VENV)/installed-dev compile
	@if $(IS_COMPILED); then \
	  $(MAKE) --no-print-directory test-compiled test-pure; \
	else \
	  echo 'Testing the pure engine:' && ARENA_PURE=1 $(PYTEST) $(ARGS); \
	fi

test-compiled: $(VENV)/installed-dev compile
	@echo 'Testing the compiled engine:'
	@$(PYTEST) $(ARGS)

test-pure: $(VENV)/installed-dev
	@echo 'Testing the pure engine:'
	@ARENA_PURE=1 $(PYTEST) $(or $(ARGS),$(ENGINE_TESTS))

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

check: test lint types

bench: $(VENV)/installed compile
	$(BIN)/arena bench $(ARGS)

site: $(VENV)/installed-site compile
	$(BIN)/python -m arena.web.site.build site $(ARGS)

# Also repairs a build that was interrupted or removed in part. ARENA_PURE=1 leaves what was built alone.
compile: $(VENV)/installed
	@if [ "$$ARENA_PURE" != 1 ]; then \
	  $(IS_FRESH) || rm -f $(VENV)/compiled; \
	  $(MAKE) --no-print-directory -s $(VENV)/compiled; \
	fi

# Without a working C compiler setup.py says so in one line, and there is nothing to stamp: the next
# run looks for one again.
$(VENV)/compiled: $(VENV)/installed $(SOURCES) setup.py
	@echo 'Building the engine, once (two to three minutes) ...'
	@$(BIN)/python setup.py -q build_ext --inplace
	@if $(IS_COMPILED); then touch $@; fi

# The compiled modules are built in place by the rule above.
$(VENV)/installed: pyproject.toml | here
	@echo 'Installing into $(VENV) ...'
	@$(PIP_INSTALL) -e '.[compile]'
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@echo 'Installing what the tests need ...'
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $@

$(VENV)/installed-site: $(VENV)/installed
	@$(PIP_INSTALL) -e '.[site]'
	@touch $@

# Programs in a virtual environment name the folder that it was made in.
here: $(VENV)/made
	@made=$$(cat $(VENV)/made); if [ "$${made:-$$(pwd -P)}" != "$$(pwd -P)" ]; then \
	  echo "This checkout was moved: $(VENV) was made for $$made. Run rm -r $(VENV), then make again."; exit 1; \
	fi

$(VENV)/made:
	@for python in $(PYTHONS); do \
	  if $$python -c '$(NEW_ENOUGH)' 2>/dev/null; then \
	    echo "Making $(VENV) with $$($$python --version) ..."; \
	    $$python -m venv $(VENV) && pwd -P > $@ && exit 0; \
	    $$python -c 'import ensurepip' 2>/dev/null || \
	      echo 'That Python cannot make virtual environments (on Debian: apt install python3-venv).'; \
	    exit 1; \
	  fi; \
	done; \
	echo 'Python 3.11 or newer is needed; none of these is: $(PYTHONS). Try make PYTHON=/path/to/it'; \
	exit 1

clean:
	rm -rf build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f *__mypyc.*.so *__mypyc.*.pyd games/compiled.*.json $(VENV)/compiled
	find games bots solver arena tests benchmarks \( -name '*.so' -o -name '*.pyd' \) -delete 2>/dev/null || true
	find games bots solver arena tests benchmarks -name __pycache__ -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf $(VENV)

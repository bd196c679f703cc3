# One verb per chore, the same here and in CI.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
NATIVE := $(VENV)/.native
TOOLS  := $(VENV)/.tools
CPP    := $(shell find core bindings -name '*.[ch]pp' -not -path 'core/tests/*' -not -path 'core/fuzz/*')
CPP_TESTS := $(shell find core/tests core/fuzz -name '*.[ch]pp')
CORE   := $(CPP) CMakeLists.txt
SANE   := build/sanitized
STATIC := src/reasons/server/static/index.html
WEBAPP := $(wildcard webapp/*.json webapp/*.ts webapp/*.html webapp/public/*.*) $(shell find webapp/src -type f)

LOCK   := requirements/dev.lock
# Of the Markdown that people read; `make format` wraps it.
PROSE  := README.md CHANGELOG.md CONTRIBUTING.md ARCHITECTURE.md SECURITY.md docs
# Slow tests are run in this many parts, each well within a quarter of an hour on two cores.
SHARDS := 8
PYTEST := $(BIN)/python -m pytest -n 2
# Every pip below, those of isolated builds included, installs the versions of the lock file.
export PIP_CONSTRAINT := $(abspath $(LOCK))

.PHONY: webapp webapp-test api-types pictures browser demo test check slow bench setup torch jupyter clean lint cpp-test cpp-debug-test odr-check stub format fuzz fuzzers libfuzzers docs wheels
.PHONY: quick lock latest durations prose hooks shards

setup: $(STAMP) $(NATIVE) webapp

# What builds the core; the demo needs no more. The rest (2 GB) is for tests.
$(TOOLS): pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q --group build
	touch $@

$(STAMP): $(TOOLS)
	$(BIN)/python -m pip install -q --group dev
	touch $@

$(NATIVE): $(TOOLS) $(CORE)
	$(BIN)/python -m pip install -q --no-build-isolation -e ".[audit,exact,web]"
	touch $@

# The page of `reasons serve`, built into the package. It is optional: the API works without npm.
webapp: $(STATIC)

$(STATIC): $(WEBAPP)
	@if command -v npm >/dev/null; then \
	  cd webapp && if npm ci --silent --no-progress; then npm run --silent build -- --logLevel warn; \
	  else echo "skipped: npm cannot fetch what the page of reasons serve needs; its API works without"; fi; \
	else echo "skipped: the page of reasons serve needs npm to be built; its API works without"; fi

webapp-test: webapp $(NATIVE)
	@if test -d webapp/node_modules; then $(MAKE) -s build/api-types.ts && \
	  { diff -u webapp/src/api/types.ts build/api-types.ts || { echo "stale: run make api-types"; exit 1; }; } && \
	  cd webapp && npm test --silent; fi

# The TypeScript types of the API, generated from the schema of the server; the build needs them.
api-types: $(NATIVE)
	@test -d webapp/node_modules || { cd webapp && npm ci --silent --no-progress; }
	@$(MAKE) -s build/api-types.ts
	cp build/api-types.ts webapp/src/api/types.ts

.PHONY: build/api-types.ts
build/api-types.ts:
	@mkdir -p build
	@$(BIN)/python tools/dump_openapi.py >build/openapi.json
	@cd webapp && npm run --silent api-types -- $(abspath build/openapi.json) -o $(abspath $@) >/dev/null

# The pictures of the page and of a report, for the README.
pictures: setup
	PYTHONPATH=. $(BIN)/python tools/screenshots.py

# Browser tests are skipped where there is no chromium.
browser:
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q chromium; }

# Tests of torch models are skipped without it; it is too large to be asked of everybody.
torch: setup
	$(BIN)/python -m pip install -q --group torch

# The test of the widget in JupyterLab is skipped without it.
jupyter: setup
	$(BIN)/python -m pip install -q --group jupyter

# An npm too old to build the page is no reason to go without the demo.
demo: $(NATIVE)
	@$(MAKE) -s webapp || echo "skipped: the page of reasons serve could not be built; its API works without"
	$(BIN)/reasons demo -o out/demo

# Says in the end what was skipped, and how to have it run.
test: check
	$(PYTEST)

# Less than a minute: style, and short tests of the core queries, some against the oracle.
quick: setup
	$(BIN)/ruff check -q .
	$(PYTEST) --quick

# CPU seconds of each test function, by which `make quick` chooses.
durations: setup
	$(PYTEST) --record-durations

check: lint prose cpp-test stub webapp-test

# Prose is wrapped at 100 characters; `make format` does it.
prose: $(STAMP)
	$(BIN)/mdformat --check $(wildcard $(PROSE))

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $(CPP) $(CPP_TESTS)

CMAKE_DEBUG = $(BIN)/cmake -S . -G Ninja -DCMAKE_BUILD_TYPE=Debug \
	-DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja)
SANITIZED = $(CMAKE_DEBUG) -DREASONS_SANITIZE=ON

cpp-test: $(STAMP)
	$(SANITIZED) -B $(SANE) -DREASONS_TESTS=ON -DREASONS_FUZZ=ON >/dev/null
	$(BIN)/cmake --build $(SANE)
	$(SANE)/core_tests

# The same tests without optimization and without sanitizers: what inlining hides shows here.
cpp-debug-test: $(STAMP)
	$(CMAKE_DEBUG) -B build/debug -DREASONS_TESTS=ON >/dev/null
	$(BIN)/cmake --build build/debug
	build/debug/core_tests

# One name, one type: core, tests and bindings linked with LTO, which sees all types at once.
odr-check: $(STAMP)
	$(CMAKE_DEBUG) -B build/odr -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DREASONS_LTO_ODR=ON \
	  -DREASONS_TESTS=ON -DSKBUILD=ON \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) >/dev/null
	$(BIN)/cmake --build build/odr

fuzzers: $(STAMP)
	$(SANITIZED) -B $(SANE) -DREASONS_TESTS=ON -DREASONS_FUZZ=ON >/dev/null
	$(BIN)/cmake --build $(SANE) --target fuzzers

SECONDS ?= 60
SEED ?= 1
fuzz: fuzzers
	$(BIN)/python core/fuzz/run.py --build $(SANE) --seconds $(SECONDS) --seed $(SEED)

libfuzzers: $(STAMP)
	@if command -v clang++ >/dev/null; then \
	  $(SANITIZED) -B build/libfuzzer -DCMAKE_CXX_COMPILER=clang++ -DREASONS_FUZZ=ON -DREASONS_LIBFUZZER=ON && \
	  $(BIN)/cmake --build build/libfuzzer; \
	else echo "skipped: libFuzzer needs clang++, which is not installed; make fuzz needs g++ only"; fi

stub: setup
	$(BIN)/python -m nanobind.stubgen -q -m reasons._core -o build/_core.pyi
	diff -u src/reasons/_core.pyi build/_core.pyi

# All slow tests, or one part of them: make slow SHARD=3/8
slow: setup
	$(PYTEST) -m slow $(if $(SHARD),--shard $(SHARD))

# The number of parts, for .ci/run.
shards:
	@echo $(SHARDS)

# The newest release of everything, written to the lock file.
lock: $(TOOLS)
	$(BIN)/python tools/lock.py

# The tests against the newest releases, in an environment of their own.
latest:
	$(MAKE) VENV=.venv-latest LOCK=/dev/null setup
	.venv-latest/bin/python -m pytest -n 2

# Checks before each commit.
hooks: setup
	$(BIN)/python -m pip install -q --group hooks
	$(BIN)/pre-commit install

bench: setup
	$(BIN)/python -m pip install -q --group bench
	$(BIN)/python -m benches

# The documentation site, in out/site: warnings are errors, and every link is followed.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -q --strict -d $(abspath out/site)
	$(BIN)/python tools/site_links.py out/site

# An sdist, a wheel made from it in a clean environment, named for the
# oldest Linux it runs on; both checked, the wheel tried in another.
wheels: $(TOOLS) webapp
	$(BIN)/python -m pip install -q --group dist
	rm -rf out/dist && mkdir -p out
	$(BIN)/python -m build -o out/dist . >out/build.log || { cat out/build.log; exit 1; }
	@for wheel in out/dist/*-linux_*.whl; do \
	  PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m auditwheel repair -w out/dist $$wheel && rm $$wheel; done
	$(BIN)/python tools/check_dist.py out/dist

format: setup
	$(BIN)/ruff check -q --fix .
	$(BIN)/ruff format -q .
	$(BIN)/mdformat $(wildcard $(PROSE))
	$(BIN)/clang-format -i $(CPP) $(CPP_TESTS)
	$(BIN)/python -m nanobind.stubgen -q -m reasons._core -o src/reasons/_core.pyi

clean:
	rm -rf build out $(VENV) .venv-latest

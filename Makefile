# One verb per chore, the same here and in CI.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
NATIVE := $(VENV)/.native
CPP    := $(wildcard core/*.?pp core/compile/*.?pp core/formats/*.?pp bindings/*.?pp)
CORE   := $(CPP) CMakeLists.txt
SANE   := build/sanitized

.PHONY: demo test check slow bench setup clean lint cpp-test stub format

setup: $(NATIVE)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q --group dev
	touch $@

$(NATIVE): $(STAMP) $(CORE)
	$(BIN)/python -m pip install -q --no-build-isolation -e ".[exact]"
	touch $@

demo: setup
	$(BIN)/reasons demo -o out/demo

test: check
	$(BIN)/python -m pytest -n 2

check: lint cpp-test stub

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $(CPP) $(wildcard core/tests/*.?pp)

cpp-test: $(STAMP)
	$(BIN)/cmake -S . -B $(SANE) -G Ninja -DCMAKE_BUILD_TYPE=Debug -DREASONS_TESTS=ON -DREASONS_SANITIZE=ON \
	  -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) >/dev/null
	$(BIN)/cmake --build $(SANE)
	$(SANE)/core_tests

stub: setup
	$(BIN)/python -m nanobind.stubgen -q -m reasons._core -o build/_core.pyi
	diff -u src/reasons/_core.pyi build/_core.pyi

slow: setup
	$(BIN)/python -m pytest -n 2 -m slow

bench: setup
	$(BIN)/python -m pip install -q --group bench
	$(BIN)/python -m benches

format: setup
	$(BIN)/ruff check -q --fix .
	$(BIN)/ruff format -q .
	$(BIN)/clang-format -i $(CPP) $(wildcard core/tests/*.?pp)
	$(BIN)/python -m nanobind.stubgen -q -m reasons._core -o src/reasons/_core.pyi

clean:
	rm -rf build out $(VENV)

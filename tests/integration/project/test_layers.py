"""What may import what, what loading costs, and what is public.

import-linter keeps the layers (pyproject.toml), but cannot see what is imported from the
package's root, where the native module lives too; this file looks at that.
"""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import reasons

SOURCES = Path(reasons.__file__).parent
MODULES = sorted(path for path in SOURCES.rglob("*.py"))

PUBLIC = """
IMPOSSIBLE MISSING OTHER Audit Bias BiasShare Budget BudgetExceeded Builder CheapestInstances Check
Circuit Classifier CompilerWarning Decision Entailment Equivalence Feature
FormatWarning InputError Instance Interval ParseError PropertyError ReasonCircuit ReasonsError
Term TermSet UnknownFeature UnsupportedModel Wording audit bnn check compile from_points
from_rules from_table load widget write
""".split()  # noqa: SIM905


def named(path: Path) -> str:
    return ".".join(("reasons", *path.relative_to(SOURCES).with_suffix("").parts))


def from_the_root(path: Path) -> Iterator[str]:
    """The names that a module takes from the root of the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ("*" for alias in node.names if alias.name == "reasons")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)} has a relative import"
            if node.module == "reasons":
                yield from (alias.name for alias in node.names)


def is_module(name: str) -> bool:
    return (SOURCES / f"{name}.py").exists() or (SOURCES / name / "__init__.py").exists()


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_nothing_is_imported_from_the_root_but_the_core_and_modules(path: Path) -> None:
    """A module such as `storage` is one that import-linter sees and puts into its layer."""
    odd = {name for name in from_the_root(path) if not is_module(name)}
    assert odd <= {"_core", "__version__"}


def test_the_core_is_imported_by_nothing_but_these() -> None:
    """The seam to C++ is narrow: rendering, terms, features and the command line do not see it."""
    users = {named(path) for path in MODULES if "_core" in from_the_root(path)}
    outside = {name for name in users if name.split(".")[1] in ("cli", "render")}
    assert not outside
    assert users.isdisjoint(
        {"reasons.features.terms", "reasons.features.feature", "reasons.errors"}
    )


def test_the_core_knows_nothing_of_python() -> None:
    core = SOURCES.parents[1] / "core"
    for path in core.rglob("*.?pp"):
        text = path.read_text(encoding="utf-8")
        assert "nanobind" not in text, path
        assert "Python.h" not in text, path


def loaded_by(statement: str) -> set[str]:
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_the_package_loads_none_of_its_heavy_friends() -> None:
    heavy = {"numpy", "oxidd", "rich", "typer", "click", "pandas", "pysat", "pyarrow", "torch"}
    assert not loaded_by("import reasons") & heavy


def test_deciding_and_explaining_load_no_solver_and_no_terminal() -> None:
    statement = 'import reasons; reasons.compile("a & b").decide("a, b").statements()'
    assert not loaded_by(statement) & {"rich", "typer", "click", "pandas", "pysat", "pyarrow"}


def test_the_public_names_are_these() -> None:
    assert reasons.__all__ == PUBLIC
    assert all(hasattr(reasons, name) for name in PUBLIC)


def test_the_public_names_are_not_hidden_ones() -> None:
    modules = {path.stem for path in SOURCES.iterdir()}
    extra = {n for n in vars(reasons) if not n.startswith("_")} - set(PUBLIC) - modules
    assert not extra


def documented(owner: type) -> Iterator[tuple[str, object]]:
    for name, member in vars(owner).items():
        if name.startswith("_"):
            continue
        plain = getattr(member, "__func__", member)
        plain = getattr(plain, "func", plain)  # cached_property
        if inspect.isfunction(plain) or isinstance(member, property):
            yield f"{owner.__name__}.{name}", member


@pytest.mark.parametrize("name", [n for n in PUBLIC if callable(getattr(reasons, n))])
def test_everything_public_says_what_it_is_for(name: str) -> None:
    thing = getattr(reasons, name)
    assert (thing.__doc__ or "").strip()
    if inspect.isclass(thing):
        silent = [what for what, member in documented(thing) if not inspect.getdoc(member)]
        assert not silent


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_every_module_but_empty_ones_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree)


def test_errors_form_one_small_tree() -> None:
    assert issubclass(reasons.InputError, reasons.ReasonsError)
    assert issubclass(reasons.InputError, ValueError)
    for error in (reasons.ParseError, reasons.UnknownFeature, reasons.UnsupportedModel):
        assert issubclass(error, reasons.InputError)
    for error in (reasons.PropertyError, reasons.BudgetExceeded):
        assert issubclass(error, reasons.ReasonsError)
        assert not issubclass(error, reasons.InputError)


def test_the_types_are_published() -> None:
    assert (SOURCES / "py.typed").exists()
    assert (SOURCES / "_core.pyi").exists()

"""What may import what, what loading costs, and what is public.

import-linter keeps the layers (pyproject.toml), but cannot see what is imported from the
package's root, where the native module lives too; this file looks at that.
"""

import ast
import inspect
import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import reasons
from reasons.formats.registry import FORMATS
from reasons.frontends.options import LAYER_OPTIONS, MODEL_OPTIONS
from reasons.frontends.registry import (
    FORMULA,
    FUNCTION,
    LAYERS,
    LIBRARIES,
    MODEL,
    NETWORK,
    load_function,
)
from reasons.frontends.scorecards.column_names import COLUMNS
from reasons.frontends.scorecards.column_names import OPTIONS as POINTS_OPTIONS

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


def modules_after(statement: str) -> set[str]:
    """The modules that are loaded in a fresh interpreter after a statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def loaded_by(statement: str) -> set[str]:
    return {name.partition(".")[0] for name in modules_after(statement)}


def front_ends_after(statement: str) -> set[str]:
    """The packages of `reasons.frontends` that a statement loads."""
    parts = (name.split(".") for name in modules_after(statement))
    packages = {path.name for path in (SOURCES / "frontends").iterdir() if path.is_dir()}
    return {
        part[2] for part in parts if part[:2] == ["reasons", "frontends"] and part[2:]
    } & packages


def test_importing_the_package_loads_none_of_its_heavy_friends() -> None:
    heavy = {"numpy", "oxidd", "rich", "typer", "click", "pandas", "pysat", "pyarrow", "torch"}
    assert not loaded_by("import reasons") & heavy


def test_importing_the_package_loads_few_modules() -> None:
    ours = {name for name in modules_after("import reasons") if name.startswith("reasons")}
    assert len(ours) <= 40


def test_compiling_a_formula_loads_no_other_front_end() -> None:
    assert front_ends_after('import reasons; reasons.compile("a & b")') == {"formula"}


def test_loading_clauses_loads_their_front_end_only(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 2 1\n1 -2 0\n")
    assert front_ends_after(f"import reasons; reasons.load({str(path)!r})") == {"cnf"}


def test_recognising_a_model_loads_no_front_end() -> None:
    statement = (
        "from sklearn.ensemble import RandomForestClassifier\n"
        "from reasons.frontends.registry import LIBRARIES, library_of\n"
        "assert library_of(RandomForestClassifier()) is LIBRARIES['sklearn']"
    )
    assert not front_ends_after(statement)


def test_compiling_a_forest_loads_the_front_end_of_its_library_only() -> None:
    statement = (
        "import reasons\n"
        "from sklearn.ensemble import RandomForestClassifier\n"
        "model = RandomForestClassifier(3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])\n"
        "reasons.compile(model, method='search')"
    )
    # what `constraint=` declares is parsed like a formula
    assert front_ends_after(statement) <= {"sklearn", "formula"}


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


@pytest.mark.parametrize("name", ["audit", "widget"])
@pytest.mark.parametrize(
    "first",
    [
        "import reasons.{0}",
        "import reasons; reasons.{0}; import reasons.{0}",
        "from reasons import {0}; import reasons",
        "import importlib, reasons; importlib.import_module('reasons.{0}')",
    ],
)
def test_a_function_is_not_hidden_by_the_package_of_its_name(name: str, first: str) -> None:
    program = first.format(name) + (
        f"\nimport pickle, pydoc, types"
        f"\nassert isinstance(reasons.{name}, types.FunctionType)"
        f"\nassert pickle.loads(pickle.dumps(reasons.{name})) is reasons.{name}"
        f"\nassert '{name}(' in pydoc.render_doc('reasons.{name}')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_everything_public_comes_by_a_star() -> None:
    program = "import reasons\nfrom reasons import *\nassert set(reasons.__all__) <= set(dir())"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_what_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        reasons.nothing  # type: ignore[attr-defined]  # noqa: B018
    assert set(PUBLIC) <= set(dir(reasons))


def test_type_checkers_see_the_same_names_from_the_same_modules() -> None:
    tree = ast.parse((SOURCES / "__init__.py").read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    homes = {
        alias.name: node.module
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes.pop("bnn") == "reasons"
    assert homes == vars(reasons)["_HOME"]
    assert sorted([*homes, "bnn"]) == sorted(PUBLIC)


def test_every_reader_and_compiler_of_the_registries_exists() -> None:
    for source in (FORMULA, NETWORK, LAYERS, MODEL, FUNCTION):
        assert callable(load_function(source.compiler))
    for library in LIBRARIES.values():
        assert not library.reader or callable(load_function(library.reader))
    for each in FORMATS:
        assert callable(each.load_reader())


def test_files_take_the_options_of_what_they_hold() -> None:
    options = {each.name: each.options for each in FORMATS}
    for name in ("xgboost", "xgboost-dump", "lightgbm", "catboost", "pickle"):
        assert options[name][: len(MODEL_OPTIONS)] == MODEL_OPTIONS
    for name in ("layers", "neuron"):
        assert options[name] == LAYER_OPTIONS
    for name in ("bif", "net", "uai", "dsl", "xdsl", "xmlbif"):
        assert options[name] == NETWORK.options
    assert options["points"] == POINTS_OPTIONS
    points = next(each for each in FORMATS if each.name == "points")
    assert points.opening is not None
    for names in itertools.product(*COLUMNS.values()):
        assert points.opening.match(",".join(names).encode())


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
    for other in (reasons.PropertyError, reasons.BudgetExceeded):
        assert issubclass(other, reasons.ReasonsError)
        assert not issubclass(other, reasons.InputError)


def test_the_types_are_published() -> None:
    assert (SOURCES / "py.typed").exists()
    assert (SOURCES / "_core.pyi").exists()

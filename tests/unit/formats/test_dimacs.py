"""Clauses in DIMACS files, up to the compiler's door."""

import gzip
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import reasons
from reasons import FormatWarning, InputError, ParseError, UnsupportedModel, _core
from reasons.formats import files
from reasons.formats.variable_names import variable_names
from reasons.frontends.cnf.weights import weight, weights_by_name
from tests.support.folders import SHARED

ROWS, ODD = 130, 13


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> list[_core.Cnf]:
    """What comes to the compiler; a constant circuit comes back."""
    seen: list[_core.Cnf] = []

    def compiled(clauses: _core.Cnf, inputs: int, _: object) -> _core.Circuit:
        seen.append(clauses)
        builder = _core.Builder([2] * inputs, 2, _core.Budget(None, None, None))
        return builder.build(builder.leaf(1))

    monkeypatch.setattr(_core, "compile_cnf", compiled)
    return seen


def written(tmp_path: Path, text: str, name: str = "x.cnf") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def clauses(found: _core.Cnf) -> list[list[int]]:
    return [found.clause(i) for i in range(len(found))]


def test_a_file_comes_to_the_compiler_as_it_stands(tmp_path: Path, door: list[_core.Cnf]) -> None:
    path = written(tmp_path, "c x\np cnf 3 2\n1 -2 0 3\n-1 0\n")
    clf = reasons.load(path)
    assert [f.name for f in clf.features] == ["1", "2", "3"]
    assert clauses(door[0]) == [[1, -2], [3, -1]]


def cnf_of(variables: int, literals: Any, first: Any) -> _core.Cnf:
    """The stub names numpy's arrays; any buffer will do."""
    return _core.Cnf(variables, literals, first)


def test_clauses_can_be_given_as_arrays() -> None:
    made = cnf_of(3, array("i", [1, -2, 3]), array("L", [0, 2, 2, 3]))
    assert clauses(made) == [[1, -2], [], [3]]
    again = cnf_of(
        made.variables, memoryview(made.literals).cast("i"), memoryview(made.first).cast("L")
    )
    assert clauses(again) == clauses(made)
    for literals, first in [([4], [0, 1]), ([0], [0, 1]), ([1], [0, 2]), ([1], [1, 1]), ([1], [])]:
        with pytest.raises(InputError):
            cnf_of(3, array("i", literals), array("L", first))
    with pytest.raises(InputError):
        cnf_of(3, array("i", [1, 2]), array("L", [0, 2, 1, 2]))


def test_a_parse_error_shows_file_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path, "p cnf 2 1\n1 x 0\n")
    with pytest.raises(ParseError) as caught:
        reasons.load(path)
    assert (caught.value.source, caught.value.line, caught.value.column) == (str(path), 2, 3)
    assert str(caught.value).endswith("  1 x 0\n    ^")


@pytest.mark.parametrize("text", ["1 2 0\n", "p cnf two 1\n", "", "c only comments\n", "p\n"])
def test_a_file_called_cnf_is_one_whatever_it_holds(tmp_path: Path, text: str) -> None:
    with pytest.raises(ParseError) as caught:
        reasons.load(written(tmp_path, text))
    assert caught.value.line == 1


def test_a_formula_whose_feature_is_c_is_a_formula(tmp_path: Path) -> None:
    assert reasons.load(written(tmp_path, "c & d\n", "f.txt")).count(True) == 1


def test_content_tells_clauses_without_a_name(tmp_path: Path, door: list[_core.Cnf]) -> None:
    reasons.load(written(tmp_path, "c a\n\nc\np cnf 1 1\n1 0\n", "f.txt"))
    assert clauses(door[0]) == [[1]]


def test_wrong_counts_warn(tmp_path: Path, door: list[_core.Cnf]) -> None:
    path = written(tmp_path, "p cnf 2 3\n1 0\n2")
    with pytest.warns(FormatWarning) as caught:
        reasons.load(path)
    assert [str(w.message).removeprefix(str(path)) for w in caught] == [
        ":3: the last clause does not end with 0",
        ":1: the header announces 3 clauses, but there are 2",
    ]
    assert caught[0].filename == __file__


def test_packed_files_are_unpacked(tmp_path: Path, door: list[_core.Cnf]) -> None:
    path = tmp_path / "x.cnf.gz"
    path.write_bytes(gzip.compress(b"p cnf 1 1\n1 0\n") + gzip.compress(b"c more\n"))
    reasons.load(path)
    assert clauses(door[0]) == [[1]]
    path.write_bytes(gzip.compress(b"p cnf 1 1\n1 0\n" * 99)[:-9])
    with pytest.raises(ParseError, match="gzip"):
        reasons.load(path)


def test_what_is_unpacked_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MOST_BYTES", 1000)
    path = tmp_path / "x.cnf"
    path.write_bytes(gzip.compress(b"p cnf 1 1\n" + b" " * 10_000))
    with pytest.raises(InputError, match="larger"):
        reasons.load(path)


def test_a_huge_header_makes_no_features(tmp_path: Path) -> None:
    with pytest.warns(FormatWarning), pytest.raises(UnsupportedModel, match="999,999,999"):
        reasons.load(written(tmp_path, "p cnf 999999999 1\n"))


def test_projection_is_refused_unless_it_shows_all(tmp_path: Path, door: list[_core.Cnf]) -> None:
    with pytest.raises(UnsupportedModel, match=r"2 of its 3 variables"):
        reasons.load(written(tmp_path, "p cnf 3 0\nc p show 1 0\nc p show 1 3 0\n"))
    with pytest.raises(UnsupportedModel):
        reasons.load(written(tmp_path, "p cnf 3 0\nc p show 0\n"))
    reasons.load(written(tmp_path, "c p show 1 3 0\np cnf 3 0\nc p show 2 0\n"))
    assert len(door) == 1


def test_weights_are_exact_and_survive_saving(tmp_path: Path, door: list[_core.Cnf]) -> None:
    text = "c t wmc\np cnf 3 0\nc p weight 1 0.1 0\nc p weight -3 1/3 0\nc p weight 3 25e-1 0\n"
    clf = reasons.load(written(tmp_path, text), names=["a", "b", "c"])
    expected = {
        "a": {False: Fraction(9, 10), True: Fraction(1, 10)},
        "b": {False: Fraction(1), True: Fraction(1)},
        "c": {False: Fraction(1, 3), True: Fraction(5, 2)},
    }
    assert clf.weights == expected
    clf.save(tmp_path / "x.reasons")
    assert reasons.load(tmp_path / "x.reasons").weights == expected


@pytest.mark.parametrize(
    "text", ["", "x", "1e99999", "nan", "inf", "1/0", "1_0", "9" * 6000, "--1"]
)
def test_weights_are_numbers_of_sane_length(text: str) -> None:
    with pytest.raises(ValueError, match="is not a weight"):
        weight(text)


def test_weights_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ParseError, match="another weight"):
        weights_by_name([(1, b".5", 3), (1, b".6", 4)], ["a"], "x")
    with pytest.raises(ParseError, match="1 - 2 is not a weight"):
        weights_by_name([(1, b"2", 3)], ["a"], "x")
    with pytest.raises(ParseError, match="not a number"):
        weights_by_name([(1, b"\xff", 3)], ["a"], "x")


def test_names_come_in_several_forms(tmp_path: Path) -> None:
    assert variable_names([1, 2]) == ["1", "2"]
    assert variable_names([1, 2], ["x", "y"]) == ["x", "y"]
    assert variable_names([1, 2], {1: "y"}) == ["y", "2"]
    listed = written(tmp_path, "1 first one\n\nc 2 second\r\n", "names")
    assert variable_names([1, 2], listed) == ["first one", "second"]
    data = b"c hello\nc 2 two\np cnf 2 0\nc 1 one \r\n"
    assert variable_names([1, 2], "comments", data=data) == ["one", "two"]


def test_names_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="variables 1 and 3 are both named 'x'"):
        variable_names([1, 2, 3], {1: "x", 3: "x"})
    with pytest.raises(InputError, match="variables 1 and 2 are both named '2'"):
        variable_names([1, 2], {1: "2"})
    with pytest.raises(InputError, match="no 3 to name"):
        variable_names([1, 2], {3: "x"})
    with pytest.raises(InputError, match="3 names for 2"):
        variable_names([1, 2], ["a", "b", "c"])
    with pytest.raises(InputError, match="texts"):
        variable_names([1, 2], {"1": "x"})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="two names"):
        variable_names([1, 2], "comments", data=b"c 1 a\nc 1 b\n")
    with pytest.raises(ParseError) as caught:
        variable_names([1, 2], written(tmp_path, "1 a\nb\n", "names"))
    assert caught.value.line == 2


def test_options_of_other_formats_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "p cnf 1 0\n")
    with pytest.raises(InputError, match="takes no recompile="):
        reasons.load(path, recompile=True)
    with pytest.raises(InputError, match="formats are: reasons"):
        reasons.load(path, format="smt")


@pytest.mark.skipif(not SHARED.exists(), reason=f"{SHARED} is not there")
def test_every_shared_file_is_read() -> None:
    """With the numbers of variables and clauses of their headers, or a warning."""
    table = (SHARED / "cnf" / "model_counts.tsv").read_text()
    rows = [line.split("\t") for line in table.splitlines()]
    odd = 0
    for name, variables, count, _ in rows:
        found = _core.read_dimacs(files.contents(SHARED / name))
        announced = (found.cnf.variables, len(found.cnf)) == (int(variables), int(count))
        assert announced != any("announces" in text for _, text in found.warnings), name
        odd += not announced
    assert (len(rows), odd) == (ROWS, ODD)
    named = sorted((SHARED / "cnf" / "feature_models").glob("*.dimacs"))
    assert len(named) == 8
    for path in named:
        data = path.read_bytes()
        number = _core.read_dimacs(data).cnf.variables
        assert len(set(variable_names(range(1, number + 1), "comments", data=data))) == number

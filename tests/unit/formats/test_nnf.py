"""`.nnf` files of others: read, or refused by the name of a node or a line."""

import random
import warnings
from itertools import product
from pathlib import Path

import pytest

import reasons
from reasons import BudgetExceeded, FormatWarning, ParseError, PropertyError, _core
from tests.support.formats import nnf_graphs as graphs


def written(tmp_path: Path, text: str, name: str = "x.nnf") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_mean_what_they_say(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    variables = rng.randrange(1, 7)
    graph = graphs.random_graph(rng, variables)
    expected = graphs.models(graph, variables)
    for text in (graphs.c2d_text(graph, variables), graphs.d4_text(graph, rng)):
        clf = reasons.load(written(tmp_path, text), variables=variables)
        clf.circuit.check()
        found = {v for v in product((0, 1), repeat=variables) if clf.decide(v).label}
        assert found == expected, seed
        assert clf.count(True) == len(expected)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nnf 3 2 2\nL 1\nL 2\nO 1 2 0 1\n", "disjunction at node 2 (line 4)"),
        ("nnf 3 2 2\nL 1\nL -1\nA 2 0 1\n", "conjunction at node 2 (line 4)"),
        ("o 1 0\no 7 0\nt 2 0\n1 7 0\n7 2 3 0\n7 2 4 0\n", "disjunction at node 7 (line 2)"),
        ("a 1 0\no 7 0\nt 2 0\n1 7 3 0\n7 2 3 0\n7 2 -3 4 0\n", "conjunction at node 1 (line 1)"),
        ("o 1 0\no 7 0\nt 2 0\n1 7 3 0\n1 2 -3 0\n7 2 3 0\n7 2 -3 4 0\n", "node 1 (line 4)"),
    ],
)
def test_what_is_no_decision_dnnf_is_refused_by_name(tmp_path: Path, text: str, named: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(PropertyError) as caught:
        reasons.load(path)
    assert named in str(caught.value)
    assert str(path) in str(caught.value)
    assert "recompile=True" in str(caught.value)


@pytest.mark.parametrize("seed", range(40))
def test_an_edge_too_many_is_found_or_harmless(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    graph = graphs.random_graph(rng, 6)
    gates = [n for n, (kind, *_) in enumerate(graph) if kind in "ao"]
    for at in gates:
        kind, inputs = graph[at]
        planted = [*graph]
        planted[at] = (kind, (*inputs, rng.randrange(at)))
        path = written(tmp_path, graphs.c2d_text(planted, 6))
        try:
            clf = reasons.load(path)
        except PropertyError:
            continue
        clf.circuit.check()
        assert clf.count(True) == len(graphs.models(planted, 6)), (seed, at)


def test_a_cycle_is_refused_with_its_line(tmp_path: Path) -> None:
    text = "o 1 0\no 2 0\no 3 0\nt 4 0\n1 2 1 0\n1 4 -1 0\n2 3 2 0\n3 2 3 0\n"
    with pytest.raises(ParseError, match="node 2 is below itself") as caught:
        reasons.load(written(tmp_path, text))
    assert caught.value.line == 8


@pytest.mark.parametrize("seed", range(6))
def test_files_cut_or_changed_anywhere_never_crash(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    graph = graphs.random_graph(rng, 4)
    for text in (graphs.c2d_text(graph, 4), graphs.d4_text(graph, rng)):
        data = text.encode()[:600]
        cuts = [data[:end] for end in range(len(data))]
        swaps = []
        for _ in range(200):
            at = rng.randrange(len(data))
            swaps.append(
                data[:at] + bytes([rng.choice(b"0123456789- \nAOLoatf\xff")]) + data[at + 1 :]
            )
        path = tmp_path / "x.nnf"
        for damaged in cuts + swaps:
            path.write_bytes(damaged)
            try_to_load(path)


def try_to_load(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        try:
            clf = reasons.load(path)
        except (ParseError, PropertyError, reasons.UnsupportedModel):
            return
    assert len(clf.features) < 1_000_001


def test_a_graph_deeper_than_any_stack(tmp_path: Path) -> None:
    depth = 200_000
    lines = [f"o {n} 0\n" for n in range(1, depth + 1)] + [f"t {depth + 1} 0\n"]
    lines += [f"{n} {n + 1} {n} 0\n{n} {depth + 1} -{n} 0\n" for n in range(1, depth)]
    lines.append(f"{depth} {depth + 1} {depth} 0\n")
    clf = reasons.load(written(tmp_path, "".join(lines)))
    assert len(clf.circuit) == depth + 2


def test_the_budget_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, graphs.c2d_text(graphs.random_graph(random.Random(5), 6), 6))
    with pytest.raises(BudgetExceeded):
        reasons.load(path, budget=reasons.Budget(nodes=2))


def test_variables_can_be_more_than_occur(tmp_path: Path) -> None:
    path = written(tmp_path, "o 1 0\nt 2 0\n1 2 1 0\n")
    assert reasons.load(path).count(True) == 1
    assert reasons.load(path, variables=3).count(True) == 4
    assert reasons.load(path, names=["a", "b"]).count(True) == 2
    with pytest.raises(reasons.InputError, match="variables=0"):
        reasons.load(path, variables=0)
    with pytest.raises(reasons.UnsupportedModel):
        reasons.load(path, variables=10**9)


def test_recompiling_takes_any_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clauses come to the compiler with the number of variables that are the file's own."""
    seen: list[tuple[_core.Cnf, int]] = []

    def compiled(clauses: _core.Cnf, inputs: int, _: object) -> _core.Circuit:
        seen.append((clauses, inputs))
        builder = _core.Builder([2] * inputs, 2, _core.Budget(None, None, None))
        return builder.build(builder.leaf(1))

    monkeypatch.setattr(_core, "compile_cnf", compiled)
    path = written(tmp_path, "nnf 3 2 2\nL 1\nL 2\nO 0 2 0 1\n")
    reasons.load(path, recompile=True, variables=4)
    clauses, inputs = seen[0]
    assert (clauses.variables, inputs) == (5, 4)
    found = {tuple(sorted(clauses.clause(i))) for i in range(len(clauses))}
    assert found == {(-1, 5), (-2, 5), (-5, 1, 2), (5,)}


def test_content_tells_both_dialects(tmp_path: Path) -> None:
    for text in ("c x\nnnf 1 0 1\nL 1\n", "L 1\n", "o 1 0\nt 2 0\n1 2 1 0\n", "A 0\n", "t 1 0"):
        path = written(tmp_path, text, "x.txt")
        if text in ("L 1\n", "A 0\n"):
            with pytest.warns(FormatWarning, match="missing"):
                reasons.load(path)
        else:
            reasons.load(path)


def test_a_d4_file_that_lost_its_last_arcs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.nnf"
    text = "o 1 0\no 2 0\nt 3 0\n2 3 -2 0\n2 3 2 3 0\n1 2 -1 0\n1 2 1 0\n"
    path.write_text(text)
    assert reasons.load(path).count(True) == 6
    path.write_text(text[: text.index("1 2 -1")])
    with pytest.raises(reasons.ParseError, match="node 1 has no arcs: is the file cut short"):
        reasons.load(path)

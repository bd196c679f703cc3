"""Files of networks: the formats tell the same, and pyagrum reads what we read."""

import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

import reasons
from reasons.frontends.bayesnet.network import Network
from reasons.frontends.bayesnet.readers import read_network
from tests.support.bayesnet.shared_data import DATA, needs_data, pyagrum
from tests.support.bayesnet.small_networks import bif, random_net
from tests.support.bayesnet.texts import TEXTS
from tests.support.bayesnet.tiny import TINY, refused


@pytest.mark.parametrize("kind", ["bif", "net", "uai", "dsl", "xdsl", "xmlbif"])
def test_damaged_files_never_end_in_anything_but_our_errors(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = Random(kind)
    whole = TEXTS[kind](random_net(rng, 4))
    words = ["{", "}", "(", ")", "|", ";", "0.5", "-1", "1e999", '"', "99999999999", "\0", "é", ""]
    for _ in range(300):
        parts = whole.split(" ")
        for _ in range(rng.randrange(1, 4)):
            parts[rng.randrange(len(parts))] = rng.choice([*words, rng.choice(parts)])
        path = tmp_path / f"damaged.{kind}"
        path.write_text(" ".join(parts))
        try:
            reasons.load(path, format=kind, target="n0" if kind != "uai" else "0")
        except reasons.ReasonsError:
            continue
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", TEXTS)
def test_every_format_tells_the_same_network(kind: str, tmp_path: Path) -> None:
    for seed in range(20):
        net = random_net(Random(seed), 6)
        path = tmp_path / f"{seed}.{kind}"
        path.write_text(TEXTS[kind](net))
        found = read_network(kind, path)
        for node, (states, parents, rows) in enumerate(
            zip(net.states, net.parents, net.rows, strict=True)
        ):
            assert found.nodes[node].parents == parents
            wanted = [[float(entry) for entry in row] for row in rows.values()]
            table = found.nodes[node].table.reshape(-1, len(states))
            assert table.tolist() == wanted
            if kind != "uai":
                assert (found.nodes[node].name, found.nodes[node].states) == (
                    net.names[node],
                    states,
                )


@pytest.mark.parametrize("kind", TEXTS)
def test_the_format_is_told_by_the_content(kind: str, tmp_path: Path) -> None:
    net = random_net(Random(3), 4)
    path = tmp_path / "net.txt"
    path.write_text(TEXTS[kind](net))
    first, last = ("0", "3") if kind == "uai" else ("n0", "n3")
    classifier = reasons.load(path, target=first, features=[last])
    assert classifier.schema.names == (last,)


def from_library(kind: str, tmp_path: Path) -> tuple[object, Path]:
    library = pyagrum()
    network = library.fastBN("a{yes|no}->c<-b{x|y|z}; c->d{true|false}")
    path = tmp_path / f"saved.{kind}"
    library.saveBN(network, str(path))
    return network, path


@pytest.mark.parametrize("kind", ["bif", "net", "dsl", "bifxml"])
def test_files_that_pyagrum_writes_are_read_as_it_holds_them(kind: str, tmp_path: Path) -> None:
    network, path = from_library(kind, tmp_path)
    found = read_network("xmlbif" if kind == "bifxml" else kind, path)
    same_tables(found, network, 1e-5)


def same_tables(found: Network, network: object, slack: float) -> None:
    for node in found.nodes:
        table = network.cpt(node.name)  # type: ignore[attr-defined]
        mine = [found.nodes[parent].name for parent in node.parents] + [node.name]
        theirs = table.toarray().transpose([list(reversed(table.names)).index(n) for n in mine])
        assert numpy.abs(theirs - node.table).max() < slack


@pytest.mark.parametrize("kind", ["uai", "xdsl"])
def test_files_whose_order_pyagrum_changed_are_refused(kind: str, tmp_path: Path) -> None:
    _, path = from_library(kind, tmp_path)
    with pytest.raises(reasons.ParseError, match="aGrUM"):
        reasons.load(path, target="0" if kind == "uai" else "a")


@needs_data
@pytest.mark.parametrize("path", sorted(DATA.rglob("*.net")) + sorted(DATA.rglob("*.bif")), ids=str)
def test_files_are_read_as_pyagrum_reads_them(path: Path) -> None:
    if path.name in ("child.bif", "munin1.bif"):
        pytest.skip("malformed, or slow to compare")
    network = pyagrum().loadBN(str(path))
    found = read_network(path.suffix[1:], path)
    assert {node.name: node.states for node in found.nodes} == {
        name: tuple(network.variable(name).labels()) for name in network.names()
    }
    same_tables(found, network, 1e-6)


@needs_data
def test_the_two_files_of_one_network_agree_in_spite_of_their_formats() -> None:
    folder = DATA / "bnc" / "networks" / "binarynetworks"
    one, other = (read_network(kind, folder / f"win95pts.{kind}") for kind in ("net", "uai"))
    rows = [
        sorted(tuple(row) for node in found.nodes for row in node.table.reshape(-1, 2).tolist())
        for found in (one, other)
    ]
    assert len(rows[0]) == len(rows[1])
    assert numpy.abs(numpy.array(rows[0]) - numpy.array(rows[1])).max() < 1e-6


def held_by_pyagrum(path: Path) -> object:
    network = pyagrum().loadBN(str(path))
    for name in network.names():  # it reads single precision
        table = network.cpt(name)
        table[:] = numpy.round(table.toarray(), 6)
    return network


def held_by_pgmpy(path: Path) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        readwrite = pytest.importorskip("pgmpy.readwrite")
        return readwrite.BIFReader(str(path)).get_model()


@pytest.mark.parametrize(
    "held",
    [held_by_pyagrum, pytest.param(held_by_pgmpy, marks=pytest.mark.slow)],  # a slow import
)
def test_networks_in_memory_are_what_their_files_are(
    held: Callable[[Path], object], tmp_path: Path
) -> None:
    for seed in range(6):
        path = tmp_path / f"{seed}.bif"
        path.write_text(bif(random_net(Random(seed), 5)))
        options: dict[str, Any] = {"target": "n1", "features": ["n0", "n3", "n4"], "threshold": 0.5}
        one, other = reasons.load(path, **options), reasons.compile(held(path), **options)
        cells = product(*(range(len(feature.values)) for feature in one.features))
        assert all(one.backend.decide(x) == other.backend.decide(x) for x in cells)


def test_a_table_in_a_bif_file_lists_the_states_slowest(tmp_path: Path) -> None:
    rows = "(yes) 0.9, 0.1;\n  (no) 0.3, 0.7;"
    path = tmp_path / "table.bif"
    path.write_text(TINY.replace(rows, "table 0.9, 0.3, 0.1, 0.7;"))
    assert read_network("bif", path).nodes[1].table.tolist() == [[0.9, 0.1], [0.3, 0.7]]
    refused(tmp_path, TINY.replace(rows, "table 0.9, 0.1, 0.3, 0.7;"), "add up to 1.2")
    many = TINY.replace("[ 2 ] { yes, no }", "[ 4 ] { a, b, c, d }")
    many = many.replace("0.2, 0.8", "0.25, 0.25, 0.25, 0.25")
    either = "table 0.2, 0.8, 0.3, 0.7, 0.8, 0.2, 0.7, 0.3;"
    refused(tmp_path, many.replace(rows, either), "fastest or slowest")


def test_names_in_quotes_and_nodes_of_one_state_are_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.bif"
    path.write_text(
        """network "x y" { }  // odd, but right
        variable "a b" { type discrete [ 1 ] { only }; property "of no use"; }
        variable "c|d" { type discrete [ 2 ] { "x y", "z,w" }; }
        variable e { type discrete [ 2 ] { 0, 1 }; }
        probability ( "a b" ) { table 1.0; }
        probability ( "c|d" | "a b" ) { (only) 0.3, 0.7; }
        probability ( e | "c|d" ) { ("x y") 0.3, 0.7; default 0.6, 0.4; }
        """
    )
    classifier = reasons.load(path, target="c|d", threshold=0.3, features=["e", "a b"])
    decision = classifier.decide({"e": 1, "a b": "only"})
    assert (decision.label, str(decision.reason)) == (True, "e")
    assert reasons.load(path, target="a b").decide({"e": 0}).label == "only"


def test_xml_is_read_as_it_is_encoded_whatever_it_declares(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?><BIF VERSION="0.3"><NETWORK><NAME>n</NAME>'
        '<VARIABLE TYPE="nature"><NAME>né</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>'
        "<DEFINITION><FOR>né</FOR><TABLE>0.25 0.75</TABLE></DEFINITION></NETWORK></BIF>"
    )
    for encoding in ("latin-1", "utf-8"):
        path = tmp_path / f"{encoding}.xmlbif"
        path.write_bytes(text.encode(encoding))
        assert [node.name for node in read_network("xmlbif", path).nodes] == ["né"]

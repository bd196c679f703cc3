"""Files and options of networks: the formats agree, and what is wrong is said clearly."""

import warnings
from itertools import product
from pathlib import Path
from random import Random

import numpy
import pytest

import reasons
from networks_data import DATA, needs_data, pyagrum
from networks_small import Net, bif, random_net
from reasons.frontends.networks.files import read_network
from reasons.frontends.networks.network import Network

TINY = """network tiny {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable grass {
  type discrete [ 2 ] { wet, dry };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( grass | rain ) {
  (yes) 0.9, 0.1;
  (no) 0.3, 0.7;
}
"""


def refused(tmp_path: Path, text: str, match: str, suffix: str = ".bif", **options: object) -> str:
    path = tmp_path / f"net{suffix}"
    path.write_text(text)
    with pytest.raises(reasons.InputError, match=match) as error:
        reasons.load(path, **{"target": "rain", **options})
    assert str(path) in str(error.value) or "features=" in str(error.value) or options
    return str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("0.2, 0.8", "0.2, 0.9", "node 'rain': the probabilities add up to 1.1, not 1"),
        ("0.3, 0.7", "0.3, 0.6", "node 'grass' given rain = no: the probabilities add up to 0.9"),
        ("0.2, 0.8", "-0.2, 1.2", "node 'rain': a probability is negative"),
        ("0.2, 0.8", "1e999, 0.8", "node 'rain': a probability is negative or not a number"),
        ("0.2, 0.8", "nan, 0.8", ":10:9: expected a number, not 'nan'"),
        ("0.2, 0.8", "0.2", "expected 2 probabilities before, got 1"),
        ("0.2, 0.8", "0.2, 0.3, 0.5", "expected 2 probabilities before, got 3"),
        ("  (no) 0.3, 0.7;\n", "", "the row of no is missing"),
        ("(no)", "(yes)", "the row of yes was given before"),
        ("(no)", "(maybe)", "expected a state of each parent"),
        ("[ 2 ] { yes", "[ 3 ] { yes", "expected 3 states of 'rain', not 2"),
        ("{ wet, dry }", "{ wet, wet }", "a state is listed twice"),
        ("[ 2 ] { wet, dry }", "[ 0 ] { }", "expected a state of|it has no states|before, got 2"),
        ("variable grass", "variable rain", "two nodes are called 'rain'"),
        ("probability ( rain ) {\n  table 0.2, 0.8;\n}\n", "", "node 'rain' has no probabilities"),
        ("grass | rain", "grass | snow", "expected a node that was declared, not 'snow'"),
        ("grass | rain", "grass | grass", "its own parent|expected a state"),
        ("network tiny {\n}", "network tiny {", "expected"),
        ("{ yes, no }", "{ yes, n/o }", "unexpected '/'"),
        ("}\nvariable grass", "\nvariable grass", "expected"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place(
    old: str, new: str, match: str, tmp_path: Path
) -> None:
    assert old in TINY
    refused(tmp_path, TINY.replace(old, new, 1), match)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"target": None}, "say which node"),
        ({"target": "snow"}, "no node 'snow' for target="),
        ({"features": ["snow"]}, "no node 'snow' for features="),
        ({"features": ["rain"]}, "'rain' is the target"),
        ({"features": ["grass", "grass"]}, "listed twice"),
        ({"features": []}, "at least one"),
        ({"threshold": 0}, "above 0"),
        ({"threshold": 1.01}, "at most 1"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"threshold": "high"}, "threshold='high'"),
        ({"threshold": 0.5, "state": "maybe"}, "has no such state"),
        ({"state": "yes"}, "threshold="),
        ({"names": ["a"]}, "takes no names="),
        ({"target": "grass"}, "no leaves but the target"),
    ],
)
def test_options_that_cannot_be_used_are_named(
    options: dict[str, object], match: str, tmp_path: Path
) -> None:
    refused(tmp_path, TINY, match, **options)


def test_a_cycle_is_shown(tmp_path: Path) -> None:
    text = TINY.replace("( rain ) {\n  table 0.2, 0.8;", "( rain | grass ) {\n  default 0.5, 0.5;")
    message = refused(tmp_path, text, "the network has a cycle")
    assert "rain -> grass -> rain" in message or "grass -> rain -> grass" in message


def test_every_beginning_of_a_file_is_refused_or_read(tmp_path: Path) -> None:
    rng = Random(1)
    net = random_net(rng, 5)
    whole = bif(net)
    for size in sorted(rng.sample(range(1, len(whole) - 3), 60)):
        path = tmp_path / "cut.bif"
        path.write_text(whole[:size])
        with pytest.raises(reasons.ReasonsError):
            reasons.load(path, format="bif", target="n0")


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


def net_text(net: Net) -> str:
    text = ["net\n{\n  node_size = (80 40);\n}"]
    for name, states in zip(net.names, net.states, strict=True):
        quoted = " ".join(f'"{state}"' for state in states)
        text.append(f'node {name}\n{{\n  states = ({quoted} );\n  label = "{name}";\n}}')
    for name, parents, rows in zip(net.names, net.parents, net.rows, strict=True):
        given = " ".join(net.names[p] for p in parents)
        text.append(f"potential ( {name} | {given} )\n{{\n  data = ( % rows")
        text += [f"    ( {' '.join(str(float(e)) for e in row)} )" for row in rows.values()]
        text.append("  ) ;\n}")
    return "\n".join(text)


def uai_text(net: Net) -> str:
    sizes = " ".join(str(len(states)) for states in net.states)
    text = ["BAYES", str(len(net.names)), sizes, str(len(net.names))]
    for node, parents in enumerate(net.parents):
        text.append(" ".join(map(str, (len(parents) + 1, *parents, node))))
    for rows in net.rows:
        entries = [str(float(entry)) for row in rows.values() for entry in row]
        text += [str(len(entries)), " " + " ".join(entries)]
    return "\n".join(text) + "\n"


def dsl_text(net: Net) -> str:
    text = ["net test\n{"]
    for name, states, parents, rows in zip(*vars_of(net), strict=True):
        entries = ", ".join(str(float(entry)) for row in rows.values() for entry in row)
        text.append(
            f" node {name}\n {{\n  TYPE = CPT;\n  HEADER =\n  {{\n   ID = {name};\n  }};\n"
            f"  PARENTS = ( {', '.join(net.names[p] for p in parents)} );\n  DEFINITION =\n  {{\n"
            f"   NAMESTATES = ( {', '.join(states)} );\n   PROBABILITIES = ( {entries} );\n"
            "  };\n };"
        )
    return "\n".join([*text, "};"])


def xdsl_text(net: Net) -> str:
    text = ['<?xml version="1.0" encoding="UTF-8"?>\n<smile version="1.0" id="test">\n <nodes>']
    for name, states, parents, rows in zip(*vars_of(net), strict=True):
        entries = " ".join(str(float(entry)) for row in rows.values() for entry in row)
        listed = "".join(f'<state id="{state}" />' for state in states)
        given = " ".join(net.names[p] for p in parents)
        above = f"<parents>{given}</parents>" if parents else ""
        table = f"<probabilities>{entries}</probabilities>"
        text.append(f'  <cpt id="{name}">{listed}{above}{table}</cpt>')
    return "\n".join([*text, " </nodes>\n</smile>"])


def xmlbif_text(net: Net) -> str:
    text = [
        '<?xml version="1.0"?>\n<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]>\n<BIF>\n<NETWORK>'
    ]
    for name, states in zip(net.names, net.states, strict=True):
        listed = "".join(f"<OUTCOME>{state}</OUTCOME>" for state in states)
        text.append(f'<VARIABLE TYPE="nature"><NAME>{name}</NAME>{listed}</VARIABLE>')
    for name, parents, rows in zip(net.names, net.parents, net.rows, strict=True):
        entries = " ".join(str(float(entry)) for row in rows.values() for entry in row)
        given = "".join(f"<GIVEN>{net.names[p]}</GIVEN>" for p in parents)
        table = f"<TABLE>{entries}</TABLE>"
        text.append(f"<DEFINITION><FOR>{name}</FOR>{given}{table}</DEFINITION>")
    return "\n".join([*text, "</NETWORK>\n</BIF>"])


def vars_of(net: Net) -> tuple[object, ...]:
    return net.names, net.states, net.parents, net.rows


TEXTS = {
    "bif": bif,
    "net": net_text,
    "uai": uai_text,
    "dsl": dsl_text,
    "xdsl": xdsl_text,
    "xmlbif": xmlbif_text,
}


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


def test_networks_in_memory_are_what_their_files_are(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        readwrite = pytest.importorskip("pgmpy.readwrite")
    for seed in range(6):
        net = random_net(Random(seed), 5)
        path = tmp_path / f"{seed}.bif"
        path.write_text(bif(net))
        from_file = reasons.load(path, target="n1", features=["n0", "n3", "n4"])
        held = pyagrum().loadBN(str(path))
        for name in held.names():  # it reads single precision
            table = held.cpt(name)
            table[:] = numpy.round(table.toarray(), 6)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = readwrite.BIFReader(str(path)).get_model()
        for each in (held, model):
            other = reasons.compile(each, target="n1", features=["n0", "n3", "n4"])
            cells = product(*(range(len(feature.values)) for feature in from_file.features))
            assert all(from_file.label_of(x) == other.label_of(x) for x in cells)


def test_models_that_are_no_networks_are_refused() -> None:
    with pytest.raises(reasons.UnsupportedModel, match="give a pyagrum"):
        reasons.compile(pyagrum().LabelizedVariable("a", "", 2), target="a")
    with pytest.raises(reasons.InputError, match="is a class"):
        reasons.compile(pyagrum().BayesNet, target="a")
    with pytest.raises(reasons.InputError, match="a formula takes no target="):
        reasons.compile("a & b", target="a")


def test_an_instance_of_probability_zero_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hard.bif"
    path.write_text(TINY.replace("0.9, 0.1", "1, 0").replace("0.3, 0.7", "1, 0"))
    classifier = reasons.load(path, target="rain", threshold=0.1)
    assert classifier.decide({"grass": "wet"}).label is True
    with pytest.raises(reasons.InputError, match="impossible"):
        classifier.decide({"grass": "dry"})


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

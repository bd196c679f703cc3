"""Random networks as the text of each format."""

from collections.abc import Callable

from tests.support.bayesnet.small_networks import Net, bif


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


TEXTS: dict[str, Callable[[Net], str]] = {
    "bif": bif,
    "net": net_text,
    "uai": uai_text,
    "dsl": dsl_text,
    "xdsl": xdsl_text,
    "xmlbif": xmlbif_text,
}

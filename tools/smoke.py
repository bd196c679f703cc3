"""What must work where nothing but the wheel and its own dependencies is installed.

Run as a file by that interpreter, outside the repository; prints what it did. With the word
`serve`, what must work where `reasons[web]` is installed.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

PROGRAM = Path(sys.executable).parent / "reasons"


def main() -> None:
    """Import, compile, decide, explain; then the same from the shell."""
    started = time.perf_counter()
    import reasons

    seconds = time.perf_counter() - started
    folder = Path(reasons.__file__).parent
    assert "site-packages" in folder.parts, f"not the installed package: {folder}"
    assert not {"numpy", "oxidd", "typer", "rich"} & set(sys.modules)
    print(f"import reasons {reasons.__version__}: {seconds * 1000:.0f} ms")
    for name in ("py.typed", "_core.pyi"):
        assert (folder / name).exists(), f"{name} is not in the wheel"

    clf = reasons.compile("E & (~F | G | W | R)")
    susan = clf.decide("E, F, G, ~W, R")
    assert susan.label is True
    assert str(susan.reason) == "E & (G | R)"
    assert [str(term) for term in susan.sufficient_reasons()] == ["E, G", "E, R"]
    assert not susan.bias("R")
    assert len(clf.bias("R").witness) == 2
    assert clf.predict([{"E": 1, "F": 1, "G": 0, "W": 0, "R": 0}]).tolist() == [False]
    card = reasons.from_points(
        [
            {"feature": "age", "bin": "< 25", "points": 10},
            {"feature": "age", "bin": ">= 25", "points": 35},
        ],
        threshold=20,
        labels=("refuse", "grant"),
    )
    assert str(card.decide({"age": 40}).counterfactual()) == "refuse with age: 24"
    assert susan.svg("reason").startswith("<svg")
    print("compile, decide, explain, predict, draw: as they should")

    for arguments, wanted in (
        (["explain", "E & (F | G)", "--instance", "E, F, ~G", "--json"], "E & F"),
        (["show", "E & (F | G)", "--json"], 3),
    ):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True)
        told = json.loads(done.stdout)
        found = told["complete_reason"]["text"] if "label" in told else told["instances"]["True"]
        assert found == wanted, told
    print("reasons explain, reasons show: as they should")


def serve() -> None:
    """The page with every file that it names, the API, and the API's own page."""
    command = [PROGRAM, "serve", "E & (F | G)", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[0]
            page = _fetched(address)
            for name in re.findall(r'(?:src|href)="\./([^"]+)"', page):
                assert _fetched(address + name), name
            assert "swagger" in _fetched(f"{address}api/docs")
            asked = json.dumps({"instance": {"E": True, "F": True, "G": False}}).encode()
            answer = json.loads(_fetched(f"{address}api/v1/explain", asked))
            assert answer["complete_reason"]["text"] == "E & F", answer
        finally:
            server.terminate()
    print("reasons serve: its page, files and API are there")


def _fetched(address: str, body: bytes | None = None) -> str:
    headers = {"content-type": "application/json"}
    with urlopen(Request(address, body, headers), timeout=30) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()

"""Write requirements/dev.lock: one exact version of each package that development installs.

pip resolves all dependency groups without installing them and reports what it chose. The file
is a constraints file, so that plain pip reads it. It names no registry and holds no hashes, and
local versions (`+cpu`) are cut, because each machine may have another build.

    python tools/lock.py            # the newest of everything, as `make lock`
    python tools/lock.py --keep     # only add what the file lacks
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements" / "dev.lock"
GROUPS = ("dev", "dist", "hooks", "torch", "jupyter")
EXTRAS = ("audit", "exact", "web")  # what `make setup` installs with the package
HEAD = "# Written by `make lock` (tools/lock.py): what `make` installs, one version of each.\n"


def main() -> None:
    """Resolve, and write the file."""
    parser = argparse.ArgumentParser(description="Write requirements/dev.lock.")
    parser.add_argument("--keep", action="store_true", help="keep the versions that it has")
    kept = parser.parse_args().keep and LOCK.exists()
    pins = resolved(LOCK if kept else None)
    LOCK.parent.mkdir(exist_ok=True)
    LOCK.write_text(HEAD + "".join(f"{name}=={pins[name]}\n" for name in sorted(pins)))
    print(f"{LOCK.relative_to(ROOT)}: {len(pins)} packages")


def resolved(constraints: Path | None) -> dict[str, str]:
    """Names and versions that pip would install, pip itself included."""
    groups = [word for group in GROUPS for word in ("--group", group)]
    limits = ["-c", str(constraints)] if constraints else []
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run"]
        command += [
            "--ignore-installed",
            "--report",
            report.name,
            *limits,
            "pip",
            *groups,
            *own_requirements(),
        ]
        # The Makefile sets the constraints of everything else, which must not hold here.
        environment = {**os.environ, "PIP_CONSTRAINT": ""}
        subprocess.run(command, cwd=ROOT, check=True, env=environment)
        chosen = [each["metadata"] for each in json.load(report)["install"]]
    return {
        own["name"].lower().replace("_", "-"): own["version"].partition("+")[0] for own in chosen
    }


def own_requirements() -> list[str]:
    """What the package itself needs, without building it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = (project["optional-dependencies"][name] for name in EXTRAS)
    return [*project["dependencies"], *chain.from_iterable(extras)]


if __name__ == "__main__":
    main()

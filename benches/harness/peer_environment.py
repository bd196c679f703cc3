"""Virtual environments for the packages compared with, below build/peers.

PyXAI alone brings a gigabyte of packages, so peers never share this project's environment.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benches.harness.subprocess_runner import ROOT

PEERS = ROOT / "build" / "peers"
PYXAI = PEERS / "pyxai"


def pyxai_python() -> str | None:
    """The interpreter that has PyXAI, installed on first use; None if that fails."""
    return peer_python(PYXAI, ["pyxai==2.0.1"])


def peer_python(
    environment: Path, packages: Sequence[str], *, beside: Sequence[str] = ()
) -> str | None:
    """The interpreter of an environment; packages are installed one by one on first use.

    A package that cannot be installed is left out. None if there is none.
    `beside` are requirements that hold for each of them.
    """
    python = environment / "bin" / "python"
    if (environment / ".ready").exists():
        return str(python)
    print(f"\ninstalling {', '.join(packages)} into {environment}; this takes minutes", flush=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no peers to compare with: {error}")
        return None
    missing = [package for package in packages if not _install(python, package, beside)]
    for package in missing:
        print(f"{package} cannot be installed")
    if len(missing) == len(packages):
        return None
    (environment / ".ready").touch()
    return str(python)


def _install(python: Path, package: str, beside: Sequence[str]) -> bool:
    command = [str(python), "-m", "pip", "install", "-q", package, *beside]
    environment = {**os.environ, "PIP_CONSTRAINT": ""}  # the lock file is not theirs
    return subprocess.run(command, capture_output=True, env=environment).returncode == 0

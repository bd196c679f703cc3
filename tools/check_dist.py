"""Are the wheel and the sdist in a folder fit to be given away?

`python tools/check_dist.py out/dist` looks into both, has twine and auditwheel look where they
are installed, and installs the wheel into a fresh environment, with its own dependencies only,
where tools/smoke.py must run, then with `[web]`, where the page must be served. `make wheels`
has made the wheel from the sdist, in an environment of its own: so the sdist builds.
"""

import importlib.util
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATIC = "reasons/server/static/"
NEEDED = ("reasons/__init__.py", "reasons/py.typed", "reasons/_core.pyi")
PATHS = re.compile(r"(?:file://|/(?:home|root|work|tmp|Users)/)\S*")


def main(folder: str) -> int:
    """Print what was looked at; 1 if something is wrong."""
    [wheel], [sdist] = (sorted(Path(folder).glob(end)) for end in ("*.whl", "*.tar.gz"))
    built = {STATIC + path for path in _static()}
    found = [*of_wheel(wheel, built | _tracked()), *of_sdist(sdist, built | _tracked())]
    for complaint in found:
        print(complaint)
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {sdist.name}: {sdist.stat().st_size:,}")
    print(f"files of the page: {len(built)}" if built else "no page was built: make webapp")
    for name, arguments in (("twine", ["check", wheel, sdist]), ("auditwheel", ["show", wheel])):
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not installed")
        else:
            subprocess.run([sys.executable, "-m", name, *map(str, arguments)], check=True)
    smoke(wheel)
    return 1 if found else 0


def _static() -> list[str]:
    folder = ROOT / "src" / STATIC
    return [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()]


def _tracked() -> set[str]:
    """The files of the package that git knows; none without git."""
    command = ["git", "-C", str(ROOT / "src"), "ls-files", "reasons"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return set(listed.stdout.splitlines())


def of_wheel(path: Path, wanted: set[str]) -> list[str]:
    """What a wheel lacks, or has and should not."""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        [place] = [name for name in names if name.endswith(".dist-info/METADATA")]
        header = archive.read(place).decode().partition("\n\n")[0]
    cores = [name for name in names if re.fullmatch(r"reasons/_core\..*\.(so|pyd)", name)]
    strange = {name for name in names if not name.startswith(("reasons/", "reasons-"))}
    return [
        *(f"{path.name} lacks {name}" for name in {*NEEDED, *wanted} - names),
        *(f"{path.name} has {name}" for name in strange),
        *([f"{path.name} has {len(cores)} native modules"] if len(cores) != 1 else []),
        *(f"{path.name}: a path of a machine: {each}" for each in PATHS.findall(header)),
    ]


def of_sdist(path: Path, wanted: set[str]) -> list[str]:
    """What an sdist lacks, or has and should not."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "CMakeLists.txt",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "core/circuit/circuit.cpp",
    }
    needed |= {f"src/{name}" for name in {*NEEDED, *wanted}}
    wrong = {n for n in names if n.endswith(".so") or n.startswith((".venv/", "out/", "build/"))}
    return [
        *(f"{path.name} lacks {name}" for name in needed - names),
        *(f"{path.name} has {name}" for name in wrong),
    ]


def smoke(wheel: Path) -> None:
    """Install the wheel with its own dependencies into a fresh environment, and use it there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", str(wheel)], check=True)
        script = str(ROOT / "tools" / "smoke.py")
        subprocess.run([python, "-I", script], check=True, cwd=folder)
        listed = subprocess.run(
            [python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True
        )
        print("installed with it:", ", ".join(listed.stdout.split()))
        subprocess.run([python, "-m", "pip", "install", "-q", f"{wheel}[web]"], check=True)
        subprocess.run([python, "-I", script, "serve"], check=True, cwd=folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

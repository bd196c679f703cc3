"""What `make wheels` looks for in a wheel and an sdist, it finds when it is planted."""

import io
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.folders import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from check_dist import of_sdist, of_wheel

META = "reasons-1.dist-info/METADATA"
WHEEL = {
    META: "Name: reasons\n\nSee /home/someone in the text, which may be.",
    **dict.fromkeys(("reasons/__init__.py", "reasons/py.typed", "reasons/_core.pyi"), ""),
    "reasons/_core.cpython-311-x86_64-linux-gnu.so": "",
}
SDIST = dict.fromkeys(
    (
        *("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "core/circuit/circuit.cpp"),
        *("src/reasons/__init__.py", "src/reasons/py.typed", "src/reasons/_core.pyi"),
    ),
    "",
)


def wheel_of(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "x.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def sdist_of(folder: Path, names: dict[str, str]) -> Path:
    path = folder / "x.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"reasons-1/{name}"), io.BytesIO())
    return path


def test_a_whole_wheel_and_sdist_are_not_complained_about(tmp_path: Path) -> None:
    assert not of_wheel(wheel_of(tmp_path, WHEEL), set())
    assert not of_sdist(sdist_of(tmp_path, SDIST), set())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reasons/py.typed": None}, "lacks reasons/py.typed"),
        ({"tests/test_x.py": ""}, "has tests/test_x.py"),
        ({"reasons/_core.other.so": ""}, "2 native modules"),
        ({META: "Home-page: file:///srv/x\n\n"}, "a path of a machine: file:///srv/x"),
        ({META: "Home-page: /home/someone/x\n\n"}, "a path of a machine: /home/someone/x"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_said(
    changed: dict[str, str | None], said: str, tmp_path: Path
) -> None:
    files = {name: text for name, text in {**WHEEL, **changed}.items() if text is not None}
    [complaint] = of_wheel(wheel_of(tmp_path, files), set())
    assert said in complaint


def test_files_of_the_page_that_are_left_out_are_named(tmp_path: Path) -> None:
    page = {"reasons/server/static/index.html"}
    [of_one] = of_wheel(wheel_of(tmp_path, WHEEL), page)
    [of_other] = of_sdist(sdist_of(tmp_path, SDIST), page)
    assert "lacks reasons/server/static/index.html" in of_one
    assert "lacks src/reasons/server/static/index.html" in of_other


def test_a_binary_in_an_sdist_is_said(tmp_path: Path) -> None:
    [complaint] = of_sdist(sdist_of(tmp_path, {**SDIST, "src/reasons/_core.x.so": ""}), set())
    assert "has src/reasons/_core.x.so" in complaint


def test_all_is_the_union_of_the_extras() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = dict(project["optional-dependencies"])
    [union] = extras.pop("all")
    assert union.startswith("reasons[")
    assert set(union[len("reasons[") : -1].split(",")) == set(extras)
    wanted = {"sklearn", "xgboost", "lightgbm", "bayes", "dask", "spark", "web"}
    assert wanted <= set(extras)

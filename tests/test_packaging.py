"""What is installed: one version, a whole sdist and wheel, an import far from the source."""

from __future__ import annotations

import importlib.metadata
import pathlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
from base_install import NEEDS, PROMISED

import haiyomi
from haiyomi.extras import EXTRAS

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
# What the source folder holds beside Python, and so must come along.
NOT_CODE = sorted(
    p.relative_to(ROOT / "src").as_posix()
    for p in (ROOT / "src" / "haiyomi").rglob("*")
    if p.is_file() and p.suffix not in {".py", ".pyc", ".so", ".pyd"}
)


def test_the_version_stands_in_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+([a-z]+\d+)?", haiyomi.__version__)
    assert "version" in PROJECT["dynamic"]
    assert importlib.metadata.version("haiyomi") == haiyomi.__version__
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {haiyomi.__version__}\n" in cited


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~ \[]", r)[0] for r in requirements}


def test_the_base_installation_is_small() -> None:
    assert _names(PROJECT["dependencies"]) == {"numpy", "typer", "rich"}


def test_each_extra_brings_what_the_code_behind_it_imports() -> None:
    distribution = {"sklearn": "scikit-learn", "pycrfsuite": "python-crfsuite"}
    for extra, modules in EXTRAS.items():
        brought = _names(PROJECT["optional-dependencies"][extra])
        assert {distribution.get(m, m) for m in modules} <= brought, extra


def test_developers_need_nothing_heavy() -> None:
    assert not _names(PROJECT["optional-dependencies"]["dev"]) & {"torch", "ray", "riichienv"}


def test_the_development_groups_are_the_extras() -> None:
    """Extras cannot include groups, and a group cannot include an extra of its own project
    without asking a package index for it: what stands twice is held equal here."""
    groups, extras = PYPROJECT["dependency-groups"], PROJECT["optional-dependencies"]
    assert set(extras["dev"]) == {"haiyomi[train,web,plot]", *groups["test"], *groups["lint"]}
    assert groups["dev"] == [{"include-group": "test"}, {"include-group": "lint"}]
    assert groups["docs"] == extras["docs"]
    assert groups["web"] == extras["web"]


def test_the_lock_pins_what_developers_install() -> None:
    """Every requirement of [dev] and [docs] is pinned with hashes, from no named index."""
    lock = (ROOT / ".ci" / "requirements.txt").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([a-z0-9-]+)(?:\[[^]]*\])?==", lock, re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    wanted = _names([r for e in ("train", "web", "plot", "dev", "docs") for r in extras[e]])
    assert (wanted | _names(PROJECT["dependencies"])) - {"haiyomi"} <= pinned
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links", lock)
    blocks = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_stub_and_the_mark_of_types_are_there() -> None:
    assert "haiyomi/py.typed" in NOT_CODE
    assert "haiyomi/_core.pyi" in NOT_CODE


def test_the_stub_names_what_the_core_has() -> None:
    from haiyomi import _core

    stub = (ROOT / "src" / "haiyomi" / "_core.pyi").read_text(encoding="utf-8")
    declared = set(re.findall(r"^(?:def|class) (\w+)|^(\w+):", stub, re.MULTILINE))
    names = {a or b for a, b in declared}
    assert {n for n in names if not n.startswith("_")} == {
        n for n in dir(_core) if not n.startswith("_")
    }


def _run(*words: str | pathlib.Path, cwd: pathlib.Path) -> str:
    done = subprocess.run(
        [str(w) for w in words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_sdist_to_wheel_to_import(tmp_path: pathlib.Path) -> None:
    """The wheel is built from the unpacked sdist, as for somebody without a checkout."""
    dist = tmp_path / "dist"
    _run(sys.executable, "-m", "build", "--sdist", "--outdir", dist, ROOT, cwd=tmp_path)
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {n.split("/", 1)[1] for n in archive.getnames() if "/" in n}
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert {"CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md"} <= names
    assert {f"src/{p}" for p in NOT_CODE} <= names
    assert not [n for n in names if n.endswith((".so", ".zip")) or n.startswith("build/")]
    (source,) = (tmp_path / "unpacked").iterdir()
    wheels = tmp_path / "wheels"
    # Its contents are asked for and not its speed: this compiles in less than half of the time.
    quick = "-Ccmake.define.CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"
    _run(sys.executable, "-m", "build", "--wheel", quick, "--outdir", wheels, source, cwd=tmp_path)
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as unpacked:
        inside = set(unpacked.namelist())
    assert set(NOT_CODE) <= inside
    assert any(re.fullmatch(r"haiyomi/_core\..*(so|pyd)", n) for n in inside)
    assert any(n.endswith("licenses/LICENSE") for n in inside)
    assert not [n for n in inside if n.startswith(("tests", "cpp", "bench"))]

    room = tmp_path / "room"
    _run(sys.executable, "-m", "venv", room, cwd=tmp_path)
    scripts = room / ("Scripts" if sys.platform == "win32" else "bin")
    _run(scripts / "python", "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    message = _run(
        scripts / "python",
        "-c",
        "import haiyomi, haiyomi._core; print(haiyomi.__version__, haiyomi.__file__)",
        cwd=tmp_path,
    )
    version, place = message.split(maxsplit=1)
    assert version == haiyomi.__version__
    assert place.startswith(str(room))
    assert _run(scripts / "haiyomi", "--version", cwd=tmp_path).strip() == haiyomi.__version__
    present = {
        d.lower()
        for d in _run(
            scripts / "python",
            "-c",
            "import importlib.metadata as m; print(*(d.name for d in m.distributions()))",
            cwd=tmp_path,
        ).split()
    }
    assert not present & {"pyarrow", "scipy", "scikit-learn", "python-crfsuite", "fastapi", "torch"}
    for line in PROMISED:
        _run(scripts / "haiyomi", *line, cwd=tmp_path)
    for extra, line in NEEDS:
        refused = subprocess.run(
            [scripts / "haiyomi", *line], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert f"pip install '.[{extra}]'" in refused.stderr

"""The package that a desktop studio finds: ``engine.json``, a launcher and the licence.

The launcher starts the Python that wrote it, so the package serves this machine alone.
"""

from __future__ import annotations

import json
import platform
import shlex
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Final

import haiyomi
from haiyomi.apps.engine.contracts import ENGINE_ID, protocol
from haiyomi.errors import HaiyomiError
from haiyomi.storage.whole_file import whole_folder

MANIFEST: Final = "engine.json"
LICENSE: Final = "LICENSE"
_SYSTEMS: Final = {"win32": "windows", "darwin": "darwin", "linux": "linux"}
_MACHINES: Final = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}


def platform_key() -> str:
    """This machine as hosts name it, such as ``linux-x64``. Raises HaiyomiError for another."""
    machine = platform.machine().lower()
    if sys.platform not in _SYSTEMS or machine not in _MACHINES:
        raise HaiyomiError(f"the protocol's hosts have no name for {sys.platform} on {machine}")
    return f"{_SYSTEMS[sys.platform]}-{_MACHINES[machine]}"


def write_package(folder: Path) -> None:
    """Write the package. Raises HaiyomiError where the folder holds something else."""
    if folder.exists() and not (folder / MANIFEST).is_file():
        raise HaiyomiError(f"{folder} exists and is no engine package: name a new folder")
    key = platform_key()
    name, text = _launcher()
    manifest = {
        "schemaVersion": 2,
        "id": ENGINE_ID,
        "name": "haiyomi",
        "version": haiyomi.__version__,
        "protocol": protocol(),
        "entrypoints": {key: {"executable": name, "arguments": []}},
        "licenses": [{"name": "MIT", "path": LICENSE}],
    }
    with whole_folder(folder) as part:
        (part / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
        (part / LICENSE).write_text(_license(), encoding="utf-8")
        launcher = part / name
        launcher.write_text(text, encoding="utf-8", newline="")
        launcher.chmod(0o755)


def _launcher() -> tuple[str, str]:
    """Name and text of the program that the host starts."""
    if sys.platform == "win32":
        return "haiyomi.cmd", f'@"{sys.executable}" -P -m haiyomi engine\r\n'
    return "haiyomi", f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m haiyomi engine\n"


def _license() -> str:
    """The text of the licence that was installed with the package."""
    for file in files("haiyomi") or ():
        if file.name == LICENSE:
            return file.read_text(encoding="utf-8")
    raise HaiyomiError("this installation of haiyomi has lost its licence file")

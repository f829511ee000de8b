"""How often work was stopped, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class Campaign:
    """``stops`` by ``means`` ("kills" that met a running process, or "power cuts"), ``rounds``
    compared with the run that nobody stopped, ``losses`` of them unequal."""

    work: str
    means: str
    stops: int = 0
    rounds: int = 0
    losses: int = 0


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }

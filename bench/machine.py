"""Where and when a measurement was made: what stands beside every stored figure."""

from __future__ import annotations

import json
import os
import pathlib
import platform
from datetime import UTC, datetime
from typing import Any


def machine() -> str:
    """The class of this machine: its processor and how many there are."""
    name = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} processors"


def protocol() -> dict[str, Any]:
    """Date, machine, Python, and how busy the machine was before."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def peak_kilobytes() -> int:
    """The most memory of this process alone, on Linux: what getrusage tells is at least what its
    parent had."""
    lines = pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(x.split()[1] for x in lines if x.startswith("VmHWM")))


def store(path: pathlib.Path, answer: dict[str, Any]) -> None:
    """Write a measurement as JSON; its folder is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")

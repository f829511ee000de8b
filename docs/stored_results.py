"""What the scripts of pages share: results that are stored, and pages that are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from haiyomi.evaluation.networks_used import is_shipped, of_earlier_networks
from haiyomi.evaluation.release import lines_of

DOCS = Path(__file__).resolve().parent


def stored(path: str) -> Any:
    """The results JSON of a path in the repository; None where there is none."""
    file = DOCS.parent / path
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def results(name: str) -> Any:
    """The results ``docs/results/NAME.json``; None where there are none."""
    return stored(f"docs/results/{name}.json")


def earlier(*found: Mapping[str, Any] | None) -> list[str]:
    """Lines that say which of some results are of networks that are not shipped now."""
    said = [of_earlier_networks(each) for each in found if each is not None]
    return [line for sentence in dict.fromkeys(said) if sentence for line in (sentence, "")]


def releases() -> list[dict[str, Any]]:
    """The lines of ``docs/results/release.jsonl``."""
    return lines_of(DOCS / "results" / "release.jsonl")


def last_release() -> tuple[dict[str, Any], list[str]]:
    """The last line of ``docs/results/release.jsonl``, and its networks that were fitted anew."""
    line = releases()[-1]
    return line, [f"`{n}`" for n, digest in line["models"].items() if not is_shipped(n, digest)]


def write_page(name: str, text: str) -> None:
    """Write ``docs/explanation/NAME.md``."""
    (DOCS / "explanation" / f"{name}.md").write_text(text, encoding="utf-8")


def put(file: str, mark: str, body: str) -> None:
    """Replace the block between two marks of a file of the repository."""
    path = DOCS.parent / file
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    made, count = pattern.subn(lambda m: m[1] + body + m[2], path.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{file} has no place for {mark}")
    path.write_text(made, encoding="utf-8")

"""What the scripts of pages share: results that are stored, and pages that are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import haiyomi
from haiyomi.evaluation.release import lines_of
from haiyomi.storage.seal import digest

DOCS = Path(__file__).resolve().parent
ROWS_OF_WINS: Final = (
    "Three free discards of each seat and hand are drawn by a seed, however long the hand is. "
    "So a discard of a hand that ends early counts for more than in the other tables, and hands "
    "that end early are mostly won: more is observed than is predicted. On such rows of 214 games "
    "of valid 1.05 [1.03, 1.07] times as many wins came as were predicted, and .98 [.96, 1.00] "
    "times with each row weighted by how many discards it stands for."
)
"""What a page says of the rows of ``evaluation.outcomes.discard_wins``."""


def stored(path: str) -> Any:
    """The results JSON of a path in the repository; None where there is none."""
    file = DOCS.parent / path
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def results(name: str) -> Any:
    """The results ``docs/results/NAME.json``; None where there are none."""
    return stored(f"docs/results/{name}.json")


def is_shipped(name: str, stated: str) -> bool:
    """Whether the package has a file of this name whose SHA-256 begins so."""
    files = Path(haiyomi.__file__).parent.rglob(name)
    return any(digest(file).startswith(stated) for file in files)


def of_earlier_networks(results: Mapping[str, Any]) -> str | None:
    """A sentence that names the networks of results JSON that are not shipped now, or says that the
    results name none; None where all are shipped."""
    named = results.get("networks")
    if named is None:
        return (
            "Measured with networks that the results file does not name: they may be earlier ones."
        )
    earlier = [
        f"`{name}` {stated}" for name, stated in named.items() if not is_shipped(name, stated)
    ]
    if not earlier:
        return None
    return f"Measured with networks before the present ones: {', '.join(earlier)}."


def earlier(*found: Mapping[str, Any] | None) -> list[str]:
    """Lines that say which of some results are of networks that are not shipped now, or of networks
    that the results do not name."""
    said = [of_earlier_networks(each) for each in found if each is not None]
    return [line for sentence in dict.fromkeys(said) if sentence for line in (sentence, "")]


def releases() -> list[dict[str, Any]]:
    """The lines of ``docs/results/release.jsonl``."""
    return lines_of(DOCS / "results" / "release.jsonl")


def last_release() -> tuple[dict[str, Any], list[str]]:
    """The last line of ``docs/results/release.jsonl``, and its networks that were fitted anew."""
    line = releases()[-1]
    return line, [f"`{n}`" for n, whole in line["models"].items() if not is_shipped(n, whole)]


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

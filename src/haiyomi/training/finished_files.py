"""Whether a fit has made a file already, from the same games and with the same settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from haiyomi.errors import HaiyomiError, ModelError


def is_made(
    file: Path, stated: Callable[[Path], Mapping[str, Any]], asked: Mapping[str, Any]
) -> bool:
    """Whether a file is there. ``stated`` reads the settings and games that it was made with, by
    name; ``asked`` are those that it must have.

    Raises HaiyomiError for a file that is damaged, or that was made with others.
    """
    if not file.exists():
        return False
    instead = "take another --work folder or delete the file"
    try:
        found = stated(file)
        differing = list(_differing(found, json.loads(json.dumps(asked))))
    except (ModelError, LookupError, TypeError) as error:
        why = (
            str(error) if isinstance(error, ModelError) else "it does not say what it was made with"
        )
        raise HaiyomiError(f"{file} is no file of this fit ({why}): {instead}") from None
    if differing:
        raise HaiyomiError(
            f"{file} was made with other settings or games ({', '.join(differing)}): {instead}"
        )
    return True


def _differing(found: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    """``games``, ``steps: 11, not 22``: what is not as asked, numbers with both values."""
    for name, value in asked.items():
        other = found[name]
        if other != value:
            numbers = all(isinstance(each, int | float) for each in (other, value))
            yield f"{name}: {other}, not {value}" if numbers else name

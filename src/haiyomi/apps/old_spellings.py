"""Spellings of the command line that haiyomi had, and what each is called now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.errors import HaiyomiError

OLD_COMMANDS: Final[dict[tuple[str, ...], str]] = {
    ("styles", "plot"): "`haiyomi plot styles`",
}
"""Command that is no more -> what does the same."""
OLD_OPTIONS: Final[dict[tuple[str, str], str]] = {
    ("win", "--plot"): "`haiyomi plot win HAND --out FILE`",
    ("evaluate dealin", "--diagrams"): "`haiyomi plot reliability ROWS --out FILE`, with --rows",
}
"""Command, option that is no more -> what does the same."""


def refuse_old_spellings(arguments: Sequence[str]) -> None:
    """Raises HaiyomiError, naming the new spelling, for an old one among the arguments."""
    words = [a for a in arguments if not a.startswith("-")][:2]
    new = OLD_COMMANDS.get(tuple(words)) or OLD_COMMANDS.get(tuple(words[:1]))
    if new is not None:
        raise HaiyomiError(f"`haiyomi {' '.join(words)}` is now {new}")
    options = {a.partition("=")[0] for a in arguments if a.startswith("-")}
    for (command, option), new in OLD_OPTIONS.items():
        if option in options and words[: len(command.split())] == command.split():
            raise HaiyomiError(f"`haiyomi {command} {option}` is now {new}")

"""Functions of studies, in a module that working processes can import."""

from __future__ import annotations

import pathlib
import time
from typing import Any

from haiyomi.events import Game


def answer(notes: pathlib.Path, name: str, game: Game) -> tuple[str, dict[int, int]]:
    """The record's name and hands. It is noted, and the first asking for the record 17 fails."""
    record = pathlib.Path(name).stem
    if record == "17" and not notes.with_suffix(".failed").exists():
        notes.with_suffix(".failed").touch()
        time.sleep(0.5)  # what another process does meanwhile is done
        raise RuntimeError("stopped here")
    with notes.open("a", encoding="utf-8") as file:
        file.write(f"{record}\n")
    return record, {len(game.hands): 1}


def no_json(name: str, game: Game) -> Any:
    """The game itself."""
    return game

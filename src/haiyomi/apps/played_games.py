"""Games of rule-based players or of the imitation's, by seed and number, written as records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from haiyomi.logs.load import ENDINGS, Format, write
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.storage.whole_file import make_folder, write_text
from haiyomi.styles.seating import simulate_many

DRAWN: Final = 1.0
"""The temperature at which the imitation's choices are drawn from its probabilities: as varied as
people's."""


@dataclass(frozen=True, slots=True)
class GamesToPlay:
    """Games of one seed to play and to write into a folder. ``styles``: one for all
    seats or four with commas, the imitation's behind ``policy:``."""

    seed: int
    numbers: range
    styles: str
    folder: Path
    temperature: float = DRAWN
    rules: Ruleset = TENHOU
    format: Format = "mjlog"

    def file(self, number: int) -> Path:
        """Where a game's record is."""
        return self.folder / f"haiyomi-{self.seed}-{number:05d}{ENDINGS[self.format]}"


def write_games(played: GamesToPlay) -> int:
    """Play games and write their records, each whole or not there; how many were played for."""
    make_folder(played.folder)
    games = simulate_many(
        played.seed,
        played.numbers,
        played.styles,
        rules=played.rules,
        temperature=played.temperature,
    )
    for number, game in zip(played.numbers, games, strict=True):
        write_text(played.file(number), write(game, played.format))
    return len(played.numbers)

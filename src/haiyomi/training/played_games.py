"""Games of rule-based players or of the imitation's, by seed and number, written as records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from haiyomi.events import Game
from haiyomi.rules import TENHOU, Ruleset

DRAWN: Final = 1.0
"""The temperature at which the imitation's choices are drawn from its probabilities: as varied as
people's."""


@dataclass(frozen=True, slots=True)
class Played:
    """Games of one seed to play and to write into a folder. ``styles``: one for all
    seats or four with commas, the imitation's behind ``policy:``; ``ending``: of file names;
    ``again``: also those that are there."""

    seed: int
    numbers: range
    styles: str
    folder: Path
    temperature: float = DRAWN
    rules: Ruleset = TENHOU
    format: str = "mjlog"
    ending: str = ".mjlog"
    again: bool = False

    def file(self, number: int) -> Path:
        """Where a game's record is."""
        return self.folder / f"haiyomi-{self.seed}-{number:05d}{self.ending}"


def check_styles(styles: str) -> None:
    """A wrong name is told before any work. Raises RulesError."""
    from haiyomi.play.style import parse_styles
    from haiyomi.styles.imitated_game import PREFIX, parse_imitated
    from haiyomi.styles.policy import shipped_policy

    if styles.startswith(PREFIX):
        parse_imitated(styles, shipped_policy())
    else:
        parse_styles(styles)


def one_game(
    styles: str, seed: int, number: int, rules: Ruleset, temperature: float = DRAWN
) -> Game:
    """A game by its number. Raises RulesError."""
    from haiyomi.play.simulate import simulate
    from haiyomi.play.style import parse_styles
    from haiyomi.styles.imitated_game import PREFIX, imitated, parse_imitated
    from haiyomi.styles.policy import shipped_policy

    if not styles.startswith(PREFIX):
        return simulate(seed, number, rules=rules, styles=parse_styles(styles))
    policy = shipped_policy()
    four = parse_imitated(styles, policy)
    return imitated(seed, number, policy, four, rules=rules, temperature=temperature)


def write_games(asked: Played) -> int:
    """Play games and write their records, each whole or not there; how many were asked for."""
    from haiyomi.logs.load import write
    from haiyomi.storage.whole_file import whole_file

    asked.folder.mkdir(parents=True, exist_ok=True)
    for number in asked.numbers:
        file = asked.file(number)
        if asked.again or not file.exists():
            game = one_game(asked.styles, asked.seed, number, asked.rules, asked.temperature)
            with whole_file(file) as part:
                part.write_text(write(game, asked.format), encoding="utf-8")
    return len(asked.numbers)

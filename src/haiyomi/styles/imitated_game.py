"""Games of four imitators at the package's own table: the same for the same seed and number."""

from __future__ import annotations

from typing import Final

from haiyomi.errors import RulesError
from haiyomi.events import Game
from haiyomi.play.match import play_game
from haiyomi.play.wall import stream
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import POOLED, Policy
from haiyomi.tiles import Seat

PREFIX: Final = "policy:"
"""How a text of styles says that they are the policy's, not those of rule-based players."""


def parse_imitated(text: str, policy: Policy) -> tuple[str, str, str, str]:
    """Four styles of a policy from ``policy:NAME``, or ``policy:`` and four names with commas,
    before each of which it may stand again.

    Raises RulesError for an unknown name or another number of names.
    """
    names = [part.strip().removeprefix(PREFIX) for part in text.split(",")]
    if len(names) == 1:
        names *= 4
    if len(names) != 4:
        raise RulesError(f"{len(names)} styles: give one, or one for each of the four seats")
    known = (POOLED, *policy.styles)
    for name in names:
        if name not in known:
            raise RulesError(f"no style {name!r} in the policy: there are {', '.join(known)}")
    a, b, c, d = names
    return a, b, c, d


def imitated(
    seed: int,
    number: int,
    policy: Policy,
    styles: tuple[str, str, str, str],
    *,
    rules: Ruleset = TENHOU,
    temperature: float = 0.0,
) -> Game:
    """The ``number``-th game of a seed, its seats played in these styles of the policy.

    ``temperature`` as an ``Imitator`` has it: 0 always the likeliest, 1 drawn from the
    probabilities.
    """
    players = [
        Imitator(
            Seat(s),
            policy,
            stream(seed, "imitated", number, s),
            policy.style(name),
            temperature,
            rules,
        )
        for s, name in enumerate(styles)
    ]
    # Of two seats of one style the seat tells which.
    a, b, c, d = (
        f"haiyomi {name}" + (f" {s + 1}" if styles.count(name) > 1 else "")
        for s, name in enumerate(styles)
    )
    return play_game(players, seed, number, rules=rules, names=(a, b, c, d))

"""``Analyzer``: positions in, Analyses out. It alone asks the models.

It keeps nothing between two calls but the models, so no answer depends on earlier
calls or on the other positions of a batch.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from haiyomi.analysis.models import Models
from haiyomi.analysis.value import (
    PARTS,
    Analysis,
    DealInRisks,
    OwnWin,
    Part,
    TileWaits,
    check_samples,
)
from haiyomi.game.position import Position
from haiyomi.rules import Ruleset
from haiyomi.tiles import Tile

BLOCK: Final = 24
"""Positions that the models look at together: what they work out stays in memory."""


class Analyzer:
    """Answers for positions with some models, by default those that the package ships.

    ``parts`` says what to work out, all by default. For ``hidden_hands``, ``samples`` hands are
    drawn of each opponent, by ``seed``. Raises ValueError for a part that does not exist and for
    ``samples`` below 0.
    """

    def __init__(
        self,
        models: Models | None = None,
        parts: Collection[Part] = PARTS,
        samples: int = 0,
        seed: int = 0,
    ) -> None:
        if isinstance(parts, str):
            raise ValueError(
                f"parts is a collection of names, such as ['deal_in'], not the text {parts!r}"
            )
        check_samples(samples)
        unknown = sorted(set(parts) - set(PARTS))
        if unknown:
            raise ValueError(f"no part {unknown[0]!r}: the parts are {', '.join(PARTS)}")
        self.models = models or Models()
        self.parts = frozenset(parts)
        self.samples = samples
        self.seed = seed

    def analyze(self, positions: Sequence[Position]) -> list[Analysis]:
        """The analysis of each position, in order. Many at once cost less.

        Raises ModelError where a model cannot be loaded.
        """
        by_rules: dict[Ruleset, list[int]] = {}
        for i, position in enumerate(positions):
            by_rules.setdefault(position.rules, []).append(i)
        found: dict[int, Analysis] = {}
        for numbers in by_rules.values():
            for first in range(0, len(numbers), BLOCK):
                block = numbers[first : first + BLOCK]
                found |= zip(block, self._block([positions[i] for i in block]), strict=True)
        return [found[i] for i in range(len(positions))]

    def waits(self, position: Position, tile: Tile) -> tuple[DealInRisks, TileWaits]:
        """The risk of one tile, which need not be in the hand, and the waits it is made of for
        each opponent that can win on it."""
        from haiyomi.analysis.waits import waits_at

        return waits_at(self.models.deal_in, position, tile)

    def _block(self, positions: Sequence[Position]) -> list[Analysis]:
        """The analyses of positions under one rule set."""
        found: dict[Part, Sequence[Any]] = {}
        opponents = None
        if self.parts & {"deal_in", "balance", "waits"}:
            from haiyomi.analysis.deal_in import risks_of

            opponents = self.models.deal_in.read(positions)
            found["deal_in"] = risks_of(self.models.deal_in, opponents)
        if "waits" in self.parts and opponents is not None:
            from haiyomi.analysis.waits import waits_of

            found["waits"] = waits_of(self.models.deal_in, opponents, found["deal_in"])
        if self.parts & {"own_wins", "balance"}:
            from haiyomi.winning.own import own_values_of

            owns = own_values_of(positions)
            found["own_wins"] = [
                tuple(OwnWin(o.tile, o.win, o.tenpai, o.points) for o in each if o.followed)
                for each in owns
            ]
            if "balance" in self.parts:
                from haiyomi.analysis.balance import balances_of

                risks = found["deal_in"]
                found["balance"] = balances_of(self.models.win, positions, owns, risks)
        if "hidden_hands" in self.parts:
            from haiyomi.analysis.hidden_hands import hidden_hands_of

            found["hidden_hands"] = hidden_hands_of(
                self.models, positions, opponents, self.samples, self.seed
            )
        if "styles" in self.parts:
            from haiyomi.analysis.styles import styles_of

            found["styles"] = styles_of(self.models.policy, positions)
        return [
            Analysis(position, **{part: values[i] for part, values in found.items()})
            for i, position in enumerate(positions)
        ]

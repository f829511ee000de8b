"""The value of a game as it stands between two hands: places, final scores, a payoff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.errors import HaiyomiError
from haiyomi.events import FourScores
from haiyomi.game.game_end import game_over, honba_after
from haiyomi.game.rounds import WINDS, round_name
from haiyomi.kernels.replay import EndKind, HandEnd
from haiyomi.outcomes.answer import Placement
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel, check_rules
from haiyomi.outcomes.starts import HandEnds
from haiyomi.rules import DEPOSIT, Ruleset

Ended: TypeAlias = Literal["passes", "drawn", "stays", "aborted"]
"""How a hand ended for the deal: it passes on after a win, or after an exhaustive draw, stays with
the dealer, or the hand is redealt."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Between two hands. ``kyoku`` and ``honba`` name the hand that is about to begin, or the one
    that has just ``ended``; ``scores`` by seat wind in that hand, East first. Raises HaiyomiError
    for what cannot occur."""

    rules: Ruleset
    kyoku: int
    honba: int
    sticks: int
    scores: FourScores
    ended: Ended | None = None

    def __post_init__(self) -> None:
        check_rules(self.rules)
        total = sum(self.scores) + DEPOSIT * self.sticks
        due = 4 * self.rules.start_points
        if total != due:
            raise HaiyomiError(
                f"scores and deposits add up to {total}: four players of {self.rules.start_points} "
                f"have {due}"
            )
        if self.kyoku >= 4 * (self.rules.rounds + 1):
            raise HaiyomiError(f"a game of {self.rules.rounds} rounds has no {self.name}")
        if self.ended == "passes" and self.sticks:
            raise HaiyomiError(
                "the winner takes the deposits: if the deal passed after an exhaustive draw, the "
                "hand has ended as drawn"
            )
        if self.ended is None and game_over(self._end_before(), self.rules):
            raise HaiyomiError(f"{self.name} is not played: the game is over with these scores")

    @property
    def name(self) -> str:
        """The hand, such as ``S3``."""
        return round_name(self.kyoku)

    def _absolute(self) -> FourScores:
        a, b, c, d = (self.scores[(seat - self.kyoku) % 4] for seat in range(4))
        return (a, b, c, d)

    def _end_before(self) -> HandEnd:
        """An end of a hand after which this one begins: honba say that it was not won away."""
        kind: EndKind = "abort" if self.honba else "win"
        return HandEnd(kind, False, self._absolute(), self.sticks, self.kyoku, self.honba)

    def end(self) -> HandEnd:
        """The end of the hand that this standing follows."""
        if self.ended is None:
            return self._end_before()
        kinds: dict[Ended, EndKind] = {"aborted": "abort", "drawn": "exhaustive"}
        kind = kinds.get(self.ended, "win")
        stays = self.ended not in ("passes", "drawn")
        honba = int(honba_after(self.honba, kind == "win", stays))
        kyoku = self.kyoku + (not stays)
        return HandEnd(kind, stays, self._absolute(), self.sticks, kyoku, honba)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.ended is not None and game_over(self.end(), self.rules)

    def placements(self, model: PlacementModel, payoff: Payoff) -> tuple[Placement, ...]:
        """Of each seat wind, East first."""
        found = model.ends(HandEnds.of([self.end()]), self.rules)
        values = payoff.value(found.places[0], found.final[0])
        out = []
        for wind in range(4):
            seat = (wind + self.kyoku) % 4
            a, b, c, d = (found.places[0, seat] / found.places[0, seat].sum()).tolist()
            out.append(
                Placement(
                    (a, b, c, d), float(found.final[0, seat]), str(payoff), float(values[seat])
                )
            )
        return tuple(out)

    def to_json(self, placements: tuple[Placement, ...]) -> dict[str, object]:
        """The JSON value of the standing and the placement of each seat."""
        return {
            "schema": "haiyomi-value",
            "version": 1,
            "round": self.name,
            "honba": self.honba,
            "sticks": self.sticks,
            "over": self.over,
            "payoff": placements[0].payoff,
            "seats": [
                {
                    "wind": WINDS[wind],
                    "score": self.scores[wind],
                    "placement": list(placement.places),
                    "final": placement.final,
                    "value": placement.value,
                }
                for wind, placement in enumerate(placements)
            ],
        }


def parse_scores(text: str) -> FourScores:
    """Four scores of a text such as ``25000,31000,24000,20000``. Raises HaiyomiError."""
    try:
        a, b, c, d = (int(number) for number in text.split(","))
    except ValueError:
        raise HaiyomiError(
            f"scores {text!r}: expected four whole numbers, East first, such as "
            "25000,31000,24000,20000"
        ) from None
    if any(score % 100 for score in (a, b, c, d)) or max(map(abs, (a, b, c, d))) > 10**6:
        raise HaiyomiError(f"scores {text!r}: scores must be multiples of 100 of at most 1,000,000")
    return (a, b, c, d)

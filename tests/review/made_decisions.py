"""Decisions with given outcomes, and what each discard leaves."""

from __future__ import annotations

from dataclasses import replace

from review.made_games import made_game

from haiyomi.analysis.value import Analysis, DealInRisks, DiscardRisk
from haiyomi.dealin.answer import PointsRows, TileRisk
from haiyomi.game.position_fold import positions
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.decisions import Aftermath, ReviewedDecision
from haiyomi.tiles import Seat, Tile, parse_tiles


def outcome(text: str, win: float, deal_in: float, worth: float = 4000) -> Outcome:
    """An option with a chance to win ``worth``, one to lose 6,000 points, and a draw else."""
    shares = Endings([
        EndingShare(Ending.RON, win, worth),
        EndingShare(Ending.DEAL_IN_LEFT, deal_in, -6000),
        EndingShare(Ending.DRAW_NOTEN, 1 - win - deal_in, 0),
    ])  # fmt: skip
    return Outcome(Option.parse(text), "pooled", shares)


def decided(*options: Outcome, done: int = 1) -> ReviewedDecision:
    """A decision with these options, best first, of which the one numbered ``done`` was taken."""
    game = made_game(1, 1)
    position = next(p for _, _, p in positions(game.hands[0].events, Seat(0)))
    position = replace(position, hand=parse_tiles("1239m46p789s1155z"))
    analysis = Analysis(position, outcomes=options)
    return ReviewedDecision(0, 5, 0, 1, options[done].option, analysis, Aftermath("none"))


def with_shanten(decision: ReviewedDecision, **shanten: int) -> ReviewedDecision:
    """The decision with the shanten that each discard leaves, such as ``z1=2``."""
    nobody = tuple(TileRisk(Tile.parse("1m"), Seat(s), 0.0, PointsRows()) for s in (1, 2, 3))
    choices = tuple(
        DiscardRisk(Tile.parse(name[1] + name[0]), nobody, 0.0, 0.0, 0.0, shanten=n)
        for name, n in shanten.items()
    )
    risks = DealInRisks("none", (0.0, 0.0, 0.0), choices)
    return replace(decision, analysis=replace(decision.analysis, deal_in=risks))

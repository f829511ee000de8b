"""What the tests of the forecast take for a network's answers, and decisions of played games."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import PointsRow, PointsRows, TileRisk
from haiyomi.game.position import Position
from haiyomi.networks.network import Network
from haiyomi.networks.shape import policy_shape
from haiyomi.outcomes.at_once import Risks
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.later import LaterEndings
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import decision_at
from haiyomi.seeds import generator
from haiyomi.tiles import Seat, Tile


def any_later(block: OptionBlock, seed: int = 0, members: int = 1) -> LaterEndings:
    """Random probabilities of the options of a block."""
    rng = generator(seed, "later")
    e, m, n = members, len(block.act), len(block)
    return LaterEndings(
        rng.dirichlet(np.ones(33), (e, m)), rng.dirichlet(np.ones(9), (e, m)),
        rng.dirichlet(np.ones(9), (n, 3)), rng.random((n, 4)),
    )  # fmt: skip


def risks(tile: Tile, *of: tuple[float, int]) -> Risks:
    """The three opponents' probabilities to win on a tile, and the points of each."""
    a, b, c = (
        TileRisk(tile, Seat(r), p, PointsRows([PointsRow(1, 30, points, p)] if p else []))
        for r, (p, points) in enumerate(of, 1)
    )
    return a, b, c


@cache
def played(seed: int) -> tuple[RecordedDecision, ...]:
    """The decisions of all four seats of a played game."""
    return tuple(decisions(simulate_rule_players(3, seed)))


def small_network(seed: int = 0) -> Network:
    """A network with state heads and random weights."""
    shape = policy_shape(16, 1, 16, state=True)
    rng = generator(seed, "small network")
    return Network(shape, rng.normal(0, 0.1, shape.size).astype(np.float32))


def own_classes(position: Position, option: str) -> NDArray[np.float64]:
    """(2, 9) P of the class of the own hand after an option, by ron and by tsumo."""
    block = OptionBlock.of([decision_at(position)])
    later = any_later(block)
    later = replace(later, share=np.full(len(block.act), 1 / len(block.act)))
    forecast = block_forecast(block, later)
    return np.asarray(forecast.own[:, 0, block.flat.index(Option.parse(option))])

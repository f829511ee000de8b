"""Where the game ends after each option: the joint outcomes of the hand, and what follows them.

The *ends* of a hand are those of ``outcomes.ends``, with the own deposit paid later or not. Their
placements depend on scores and stakes alone, so that all decisions with the same ones share them. A
deposit of another counts where it is likelier than not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.errors import HaiyomiError
from haiyomi.events import FourScores
from haiyomi.game.game_end import honba_after
from haiyomi.game.position import Position
from haiyomi.kernels.option_places import option_tables, option_weights
from haiyomi.outcomes.answer import Placement
from haiyomi.outcomes.claimed import payments
from haiyomi.outcomes.ends import CLASSES, JOINT_OF, N_ENDS, Stakes, ends_of, in_hundreds
from haiyomi.outcomes.forecast import BlockForecast
from haiyomi.outcomes.joint import ABORTED, OWN_WINS, TENPAI, WINNER
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.placement import PlacementModel, check_rules
from haiyomi.outcomes.starts import HandEnds
from haiyomi.rules import DEPOSIT, Ruleset

FLOOR: Final = 1e-3
"""A joint outcome that no option makes as likely as this is left out of the placement."""
_WINNER: Final = WINNER[JOINT_OF]
_NOTEN: Final = TENPAI[JOINT_OF] == 0


def not_placed(position: Position) -> str | None:
    """Why a position has no placement, in words; None where it has one."""
    try:
        check_rules(position.rules)
    except HaiyomiError as error:
        return str(error)
    total = sum(player.score for player in position.players) + DEPOSIT * position.sticks
    due = 4 * position.rules.start_points
    if total != due:
        return f"scores and deposits add up to {total}, not {due}: the scores are unknown"
    return None


def placements(
    forecast: BlockForecast, payoff: Payoff, model: PlacementModel
) -> list[Placement | None]:
    """Where the game ends after each of the b options of a block; None of those of a position that
    has no placement."""
    block = forecast.block
    positions = [decision.position for decision in block.decisions]
    placed = np.array([not_placed(position) is None for position in positions])
    if not placed.any():
        return [None] * len(block.act)
    found = _found(forecast, placed, model)
    values = payoff.value(found[..., :4], found[..., 4])
    mean = found.mean(axis=0)
    places = _shares(mean)
    members = values.T.tolist() if len(found) > 1 else [()] * len(block.act)
    name = str(payoff)
    return [
        Placement((a, b, c, d), end, name, value, members=tuple(each)) if known else None
        for (a, b, c, d), end, value, each, known in zip(
            places.tolist(), mean[:, 4].tolist(), values.mean(axis=0).tolist(),
            members, placed[block.row].tolist(), strict=True,
        )
    ]  # fmt: skip


def places_of_seats(forecast: BlockForecast, model: PlacementModel) -> tuple[Floats, Floats]:
    """Where the game ends for all four seats after each of the b options: (4, b, 4) P(1st) to
    P(4th) of each relative seat, and (4, b) its expected final score in points. The own seat's are
    those of ``placements``. Every position has a placement (``not_placed``)."""
    placed = np.ones(len(forecast.block), np.bool_)
    means = [_found(forecast, placed, model, seat).mean(axis=0) for seat in range(4)]
    return np.stack([_shares(mean) for mean in means]), np.stack([mean[:, 4] for mean in means])


def _shares(mean: Floats) -> Floats:
    """(b, 4) P(1st) to P(4th), which sum to one; zeros where there is no placement."""
    total = mean[:, :4].sum(axis=1, keepdims=True)
    out: Floats = np.divide(mean[:, :4], total, out=np.zeros((len(mean), 4)), where=total > 0)
    return out


def _found(
    forecast: BlockForecast, placed: Bools, model: PlacementModel, relative: int = 0
) -> Floats:
    """(e, b, 5) P(1st) to P(4th) and the final score of a relative seat after each option, by
    members."""
    block, once = forecast.block, forecast.once
    weights, likely = option_weights(
        forecast.group_begins, forecast.later, once.nobody, forecast.own, forecast.others,
        forecast.deposit[0], once.first, once.classes, once.aborted, block.does("nine terminals"),
    )  # fmt: skip
    first = np.searchsorted(forecast.group_rows, np.arange(len(block)))
    kept = (np.maximum.reduceat(likely, first) >= FLOOR) & placed[:, None]
    tables = _tables(forecast, kept, model, relative)
    out = np.empty((*weights.shape[:2], 6))
    begins = forecast.group_begins.tolist()
    for table, begin, end in zip(tables, begins, [*begins[1:], len(block.act)], strict=True):
        np.matmul(weights[:, begin:end], table, out=out[:, begin:end])
    _add_exact(forecast, placed, model, relative, tables, out)
    _add_claims(forecast, placed, model, relative, out)
    out[..., 5][:, ~placed[block.row]] = 1
    found: Floats = out[..., :5] / out[..., 5:]
    return found


def _tables(forecast: BlockForecast, kept: Bools, model: PlacementModel, relative: int) -> Floats:
    """(g, 121, 6) P(1st) to P(4th), the final score and 1 of each column of the weights, by groups
    of options; the ends that are not ``kept`` (n, 322) count as zeros."""
    block = forecast.block
    others = np.add.reduceat(forecast.deposit[1:].mean(axis=1), block.begins, axis=1)
    pay = (others / (block.ends - block.begins) > 0.5).T.tolist()
    first: dict[tuple[_Before, tuple[bool, ...]], int] = {}
    begins = [
        first.setdefault((_Before.of(decision.position), tuple(pays)), 2 * N_ENDS * len(first))
        for decision, pays in zip(block.decisions, pay, strict=True)
    ]
    rules = block.decisions[0].position.rules
    values = [_values_of_ends(before, pays, relative, model, rules) for before, pays in first]
    row = np.where(kept, np.array(begins)[:, None] + np.arange(2 * N_ENDS), -1)
    return option_tables(np.concatenate(values), row[forecast.group_rows], forecast.others)


@lru_cache(maxsize=128)
def _values_of_ends(
    before: _Before, others: tuple[bool, ...], relative: int, model: PlacementModel, rules: Ruleset
) -> Floats:
    """(322, 6) the values of the ends without and with the own deposit, as ``_values`` has them;
    ``others``: which opponents pay one. The same for many decisions of a hand."""
    return _values(before, _moved(before.stakes, others), relative, model, rules)


def _values(
    before: _Before, moved: _Moved, relative: int, model: PlacementModel, rules: Ruleset
) -> Floats:
    """(k, 6) P(1st) to P(4th), the final score and 1 of a relative seat after some ends."""
    found = model.ends(moved.ends(before), rules)
    seat = (before.seat + relative) % 4
    return np.column_stack([found.places[:, seat], found.final[:, seat], np.ones(len(found.final))])


def _add_claims(
    forecast: BlockForecast,
    placed: Bools,
    model: PlacementModel,
    relative: int,
    out: Floats,
) -> None:
    """Add the values of claimed wins, times their probabilities, to ``out`` (e, b, 6)."""
    block = forecast.block
    for option, every in forecast.claims.items():
        position = block.decisions[block.row[option]].position
        ways = [way for way in every if way.probability >= FLOOR]
        if ways and placed[block.row[option]]:
            values = _values_of_wins(position, [way.changes for way in ways], model, relative)
            out[:, option] += np.array([way.probability for way in ways]) @ values


def _add_exact(
    forecast: BlockForecast,
    placed: Bools,
    model: PlacementModel,
    relative: int,
    tables: Floats,
    out: Floats,
) -> None:
    """Put the wins of ``forecast.exact`` in the place of their classes in ``out`` (e, b, 6), whose
    ends have the values ``tables`` (g, 121, 6)."""
    block = forecast.block
    for option, exact in forecast.exact.items():
        p = exact.part * forecast.once.nobody[option] * forecast.later[OWN_WINS, :, option]
        if not placed[block.row[option]] or p.max() < FLOOR:
            continue
        group = np.searchsorted(forecast.group_begins, option, side="right") - 1
        by_class = tables[group, : 4 * CLASSES].reshape(4, CLASSES, 6)
        # A tsumo, and rons off the three others.
        classes = exact.classes[[1, 0, 0, 0]]
        out[:, option] -= np.einsum("pe,pc,pcv->ev", p, classes, by_class)
        position = block.decisions[block.row[option]].position
        paid: dict[FourScores, Floats] = {}
        for win in exact.wins:
            for payer in (0,) if win.tsumo else (1, 2, 3):
                changes = payments(position, win.score, payer)
                paid[changes] = paid.get(changes, 0) + p[payer] * win.p
        values = _values_of_wins(position, list(paid), model, relative)
        out[:, option] += np.stack(list(paid.values()), axis=1) @ values


def _values_of_wins(
    position: Position, paid: Sequence[FourScores], model: PlacementModel, relative: int
) -> Floats:
    """The ``_values`` after own wins, which are ``paid`` so, by relative seat."""
    n = len(paid)
    no = np.zeros(n, np.bool_)
    moved = _Moved(
        np.array(paid, np.int64), np.zeros(n, np.int64), no | (position.dealer == 0), no, ~no
    )
    return _values(_Before.of(position), moved, relative, model, position.rules)


class _Before(NamedTuple):
    """What the placements after the ends of a hand depend on: the absolute ``seat`` of the viewer,
    the hand, and the ``scores`` by relative seat."""

    seat: int
    kyoku: int
    honba: int
    sticks: int
    scores: tuple[int, ...]

    @classmethod
    def of(cls, position: Position) -> _Before:
        scores = tuple(player.score for player in position.players)
        return cls(position.seat, position.kyoku, position.honba, position.sticks, scores)

    @property
    def stakes(self) -> Stakes:
        return Stakes((self.kyoku - self.seat) % 4, self.honba, self.sticks)


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """What k ends of a hand change: ``changes`` (k, 4) of the scores in whole hundreds by relative
    seat, ``sticks`` (k,) deposits left on the table, ``renchan``, ``aborted`` and ``won`` (k,)."""

    changes: Ints
    sticks: Ints
    renchan: Bools
    aborted: Bools
    won: Bools

    def ends(self, before: _Before) -> HandEnds:
        """As ends of a hand; seats are absolute there."""
        scores = np.array(before.scores) + self.changes
        return HandEnds(
            self.aborted,
            self.renchan,
            scores[:, (np.arange(4) - before.seat) % 4].astype(np.int32),
            self.sticks.astype(np.int32),
            (before.kyoku + ~self.renchan).astype(np.int32),
            honba_after(before.honba, self.won, self.renchan).astype(np.int32),
        )


@lru_cache(maxsize=256)
def _moved(stakes: Stakes, others: tuple[bool, ...]) -> _Moved:
    """The 322 ends without and with the own deposit; ``others``: which opponents pay one."""
    ends = ends_of(stakes)
    winner = np.tile(_WINNER, 2)
    wins = winner >= 0
    rows = np.flatnonzero(wins)
    whole = in_hundreds(ends.changes, _WINNER, np.array(stakes.sticks)).astype(np.int64)
    changes = np.tile(whole, (2, 1))
    pays = np.zeros((2 * N_ENDS, 4), np.bool_)
    pays[N_ENDS:, 0] = True
    pays[:, 1:] = others
    pays &= winner[:, None] != np.arange(4)
    pays &= ~np.tile(_NOTEN, (2, 1))
    new = pays.sum(axis=1)
    changes -= DEPOSIT * pays
    changes[rows, winner[rows]] += DEPOSIT * new[rows]
    return _Moved(
        changes,
        np.where(wins, 0, stakes.sticks + new),
        np.tile(ends.renchan, 2),
        np.tile(JOINT_OF == ABORTED, 2),
        wins,
    )

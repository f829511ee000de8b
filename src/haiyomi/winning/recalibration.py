"""From wins by own draws to all wins: a regression that adds ron and the opponents.

The dynamic program has no opponents: nobody discards a winning tile, nobody else wins first. A
logistic regression predicts P(this seat wins the hand) from the program's value and what the
seat sees (turns left, its waits, melds, shanten and score, riichi and melds of the others); two
linear regressions predict the mean points of such a win (``haiyomi fit balance``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import ModelError
from haiyomi.game.position import Position
from haiyomi.kernels.waits import waits
from haiyomi.storage.model_file import read_model
from haiyomi.tiles import kind_counts
from haiyomi.winning.own import Own

NAME = "balance"
VERSION = 4
Floats = NDArray[np.float64]
FEATURES: tuple[str, ...] = (
    "own",  # log odds of the decision's best chance to win by own draws, between .002 and .998
    "behind",  # how far this discard's log odds are below those, at most 3
    "own squared",
    "own cubed",
    "left",  # share of the wall that is left to draw
    "own x left",
    "left squared",
    "tenpai",  # shanten after the discard 0, 1, 2; three or more is the base
    "one away",
    "two away",
    "tenpai x left",
    "open",  # the own hand is open
    "open x own",
    "open x left",
    "open x tenpai",
    "dealer",
    "riichi of another",
    "second riichi",
    "riichi x own",
    "riichi x left",
    "open melds of the others",
    "three melds of one",
    "melds x left",
    "winning tiles",  # tenpai: unseen copies of what the hand waits on
    "kinds waited on",
    "furiten",  # tenpai, one of those kinds among the own discards, this one included
    "winning honours",
    "winning 1, 2, 8, 9",
    "points of own wins / 8000",  # of the best chance, at most 9,000; 0 where not known
    "points unknown",
    "own open melds",
    "own discards / 18",
    "hand of the game / 8",  # 0 East 1
    "score / 10000",
    "least score of the others / 10000",
    "most score of the others / 10000",
    "shanten",
    "most open melds of one",
)


BEHIND = 3.0
"""The most log odds that a discard counts as behind the decision's best."""


def _known(win: float, points: float | None) -> tuple[float, float]:
    """Whether the program has points of these wins, and their mean, else 0."""
    if points is None or win <= 1e-4:
        return 0.0, 0.0
    return 1.0, points / win


def _log_odds(chances: Sequence[float]) -> Floats:
    p: Floats = np.clip(np.array(chances, np.float64), 0.002, 0.998)
    odds: Floats = np.log(p / (1 - p))
    return odds


def features(position: Position, own: Own) -> tuple[float, ...]:
    """The values of FEATURES."""
    return tuple(feature_rows([position], [[own]])[0].tolist())


def feature_rows(positions: Sequence[Position], owns: Sequence[Sequence[Own]]) -> Floats:
    """(n, len(FEATURES)) of the n discards of some positions, one position after the other."""
    at = np.repeat(np.arange(len(positions)), [len(each) for each in owns])
    flat = [own for each in owns for own in each]
    # The hand's best chance and the discard's distance to it are separate features: between hands
    # a chance by own draws predicts little (calls and rons make up for it), between the discards
    # of one hand it predicts nearly everything.
    value = _log_odds([own.best for own in flat])
    behind = np.maximum(_log_odds([own.win for own in flat]) - value, -BEHIND)
    shanten = np.array([own.shanten for own in flat])
    tenpai, one, two = (shanten == n for n in (0, 1, 2))
    known, mean = np.array([_known(own.best, own.best_points) for own in flat]).T
    seen = np.array([_seen(position) for position in positions])[at].T
    (left, opened, dealer, riichi, melds, three, own_open, own_river, kyoku, score, least, most,
     most_melds) = seen  # fmt: skip
    some = riichi > 0
    wait = _waits_of(positions, at, flat)
    live = wait * np.array([position.unseen for position in positions])[at]
    # Furiten: a kind waited on lies in the own river, or is this very discard.
    rivers = np.array([position.players[0].river_mask for position in positions])[at]
    discard = np.array([own.tile.kind for own in flat])
    thrown = (rivers[:, None] >> _KINDS & 1 != 0) | (discard[:, None] == _KINDS)
    columns = (
        value,
        behind,
        value * value,
        value * value * value,
        left,
        value * left,
        left * left,
        tenpai,
        one,
        two,
        tenpai * left,
        opened,
        opened * value,
        opened * left,
        opened * tenpai,
        dealer,
        some,
        riichi > 1,
        some * value,
        some * left,
        melds,
        three,
        melds * left,
        live.sum(axis=1),
        wait.sum(axis=1),
        (wait & thrown).any(axis=1),
        live[:, 27:].sum(axis=1),
        live[:, _OUTER].sum(axis=1),
        np.minimum(mean, 9000.0) / 8000,
        1 - known,
        own_open,
        own_river,
        kyoku,
        score,
        least,
        most,
        shanten,
        most_melds,
    )
    return np.stack(columns, axis=1, dtype=np.float64)


_KINDS = np.arange(34)
_OUTER = [k for k in range(27) if k % 9 in (0, 1, 7, 8)]


def _seen(position: Position) -> tuple[float, ...]:
    """The features of a position that do not depend on the discard."""
    me, *others = position.players
    melds = [o.open_melds for o in others if not o.riichi]
    scores = [o.score / 10000 for o in others]
    return (
        position.draws_left / 70,
        float(me.open_melds > 0),
        float(position.dealer == 0),
        sum(o.riichi for o in others),
        sum(melds),
        float(max(melds, default=0) >= 3),
        me.open_melds,
        len(me.river) / 18,
        position.kyoku / 8,
        me.score / 10000,
        min(scores),
        max(scores),
        max(o.open_melds for o in others),
    )


def _waits_of(
    positions: Sequence[Position], at: NDArray[np.int64], owns: Sequence[Own]
) -> NDArray[np.bool_]:
    """(n, 34) the kinds that each hand waits on after its discard, none unless it is tenpai."""
    out = np.zeros((len(owns), 34), np.bool_)
    ready = [i for i, own in enumerate(owns) if own.shanten == 0]
    if ready:
        counts = np.array([kind_counts(positions[at[i]].hand) for i in ready], np.uint8)
        counts[np.arange(len(ready)), [owns[i].tile.kind for i in ready]] -= 1
        out[ready] = waits(counts)[:, None] >> _KINDS.astype(np.uint64) & np.uint64(1)
    return out


VALUES = 16
"""Columns of ``value_columns``."""
MOST_POINTS = 20_000.0
"""Mean points of the program's wins are taken to be at most this."""


def value_inputs(position: Position, own: Own) -> tuple[float, ...]:
    """What the points of a win are learned from: the program's mean points of a win (0 where it
    has none), whether it has any, the counters on the table, dealer, P(win by own draws),
    shanten up to 3.
    """
    known, mean = _known(own.win, own.points)
    return (
        min(mean, MOST_POINTS),
        known,
        float(300 * position.honba + 1000 * position.sticks),
        float(position.dealer == 0),
        min(max(own.win, 0.0005), 0.9995),
        float(min(own.shanten, 3)),
    )


def value_columns(inputs: Floats, win: Floats) -> Floats:
    """(n, VALUES) regressors of ``value_inputs`` (n, 6) and P(win) (n,).

    The program's mean points have a coefficient for each shanten, weighted by the share of the
    wins that own draws explain: where they explain few, a win is worth the average win.
    """
    mean, known, table, dealer, own, shanten = inputs.T
    share = np.minimum(own / np.maximum(win, 1e-6), 1.0)
    columns = [np.ones(len(mean)), table, dealer, known]
    for n in range(4):
        here = known * (shanten == n)
        columns += [mean * here, here, mean * here * share]
    return np.column_stack(columns)


@dataclass(frozen=True, slots=True)
class Recalibration:
    """The fitted model: ``constant`` and ``weights`` of the log odds; ``closed`` and ``opened``
    the weights of ``value_columns``, points.
    """

    constant: float
    weights: tuple[float, ...]
    closed: tuple[float, ...]
    opened: tuple[float, ...]
    manifest: dict[str, Any] | None = None

    @classmethod
    def load(cls, path: Path | None = None) -> Recalibration:
        """The model of a file, by default the shipped one. Raises ModelError."""
        file = path or Path(__file__).parent / "balance.json"
        payload, manifest = read_model(file, NAME, VERSION)
        try:
            weights, closed, opened = (
                tuple(float(v) for v in payload[name]) for name in ("weights", "closed", "opened")
            )
            if len(weights) != len(FEATURES) or not len(closed) == len(opened) == VALUES:
                raise ValueError("a table has another length")
            return cls(float(payload["constant"]), weights, closed, opened, manifest)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{file.name}: a table is missing or misshapen ({error})") from None

    def win(self, position: Position, own: Own) -> float:
        """P(this seat wins the hand, by ron or own draw)."""
        return self.wins([position], [[own]])[0][0][0]

    def points(self, position: Position, own: Own) -> float:
        """Mean points that a win brings, honba and riichi sticks included; at least 1,000."""
        return self.wins([position], [[own]])[0][0][1]

    def wins(
        self, positions: Sequence[Position], owns: Sequence[Sequence[Own]]
    ) -> list[list[tuple[float, float]]]:
        """(P(win), mean points of a win) of each of some discards of each position."""
        inputs = [
            value_inputs(position, own)
            for position, each in zip(positions, owns, strict=True)
            for own in each
        ]
        if not inputs:
            return [[] for _ in positions]
        # Sums by row instead of a matrix product, so that the result is batch-invariant.
        odds = self.constant + (feature_rows(positions, owns) * self.weights).sum(axis=1)
        win = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
        columns = value_columns(np.array(inputs), win)
        opened = np.repeat(
            [position.players[0].open_melds > 0 for position in positions], list(map(len, owns))
        )
        weights = np.where(opened[:, None], self.opened, self.closed)
        worth = (columns * weights).sum(axis=1)
        found = iter(zip(win.tolist(), np.maximum(worth, 1000.0).tolist(), strict=True))
        return [[next(found) for _ in each] for each in owns]


@cache
def shipped() -> Recalibration:
    """The shipped model, loaded once."""
    return Recalibration.load()

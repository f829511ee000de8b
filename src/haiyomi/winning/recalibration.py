"""From the wins by own draws to all wins: ron and what the opponents threaten taken in.

The dynamic program plays alone: nobody discards a winning tile, nobody else wins first. What
truly happens is learned: P(this seat wins the hand) from the program's value and what the seat
sees (turns left, its waits, melds, shanten and score, riichi and melds of the others), and the
mean points of such a win from the program's own. Features are a visible list; the fit is a
logistic and two linear regressions (``haiyomi fit balance``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.errors import HaiyomiError, ModelError
from haiyomi.game.position import Position
from haiyomi.models import read_model
from haiyomi.tiles import Tile, kind_counts

NAME = "balance"
VERSION = 3
Floats = NDArray[np.float64]
FEATURES: tuple[str, ...] = (
    "own",  # log odds of winning by own draws, between .0005 and .9995
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
    "points of own wins / 8000",  # 0 where they are not known
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


@dataclass(frozen=True, slots=True)
class Own:
    """One discard by the program: P(win by own draws), points of those wins (None where they
    were not asked for), shanten after it.
    """

    tile: Tile
    win: float
    score: float | None
    shanten: int


def own_values(position: Position) -> tuple[Own, ...]:
    """What the program says of each discard, likeliest to win first; empty where it is not the
    viewer's free turn or the graph is too large.
    """
    if len(position.discards) < 2 or len(position.hand) % 3 != 2:
        return ()
    from haiyomi.kernels.shanten import shanten
    from haiyomi.winning.question import WinQuestion
    from haiyomi.winning.table import wins_now

    try:
        found = wins_now(WinQuestion.from_position(position), tenpai=False)
    except HaiyomiError:
        return ()
    tiles = sorted(set(position.hand))
    counts = np.tile(np.array(kind_counts(position.hand), np.uint8), (len(tiles), 1))
    counts[np.arange(len(tiles)), [tile.kind for tile in tiles]] -= 1
    out = []
    for tile, n in zip(tiles, shanten(counts).tolist(), strict=True):
        now = found.get(tile)
        if now is None:
            # A step back that the program does not follow: as good as no win of its own.
            out.append(Own(tile, 0.0, None, n))
        else:
            out.append(Own(tile, now.win, now.score, n))
    return tuple(sorted(out, key=lambda own: (-own.win, own.tile)))


@dataclass(frozen=True, slots=True)
class Seen:
    """What FEATURES take from a position whatever is discarded, found once for all discards."""

    left: float
    opened: float
    riichi: int
    melds: tuple[int, ...]  # open ones of the others not in riichi
    most_melds: int
    scores: tuple[float, ...]
    unseen: tuple[int, ...]

    @classmethod
    def of(cls, position: Position) -> Seen:
        """The numbers of one position."""
        others = position.players[1:]
        return cls(
            position.draws_left / 70,
            float(position.players[0].open_melds > 0),
            sum(o.riichi for o in others),
            tuple(o.open_melds for o in others if not o.riichi),
            max(o.open_melds for o in others),
            tuple(o.score / 10000 for o in others),
            position.unseen,
        )


def features(position: Position, own: Own, seen: Seen | None = None) -> tuple[float, ...]:
    """The values of FEATURES; ``seen``: what the position has of them, if it is at hand."""
    seen = seen or Seen.of(position)
    p = min(max(own.win, 0.0005), 0.9995)
    value = log(p / (1 - p))
    left, opened, riichi, melds = seen.left, seen.opened, seen.riichi, seen.melds
    tenpai, one, two = (float(own.shanten == n) for n in (0, 1, 2))
    some = float(riichi > 0)
    me = position.players[0]
    scores, unseen = seen.scores, seen.unseen
    wait = _wait_of(position, own)
    known = own.score is not None and own.win > 1e-4
    mean = own.score / own.win if known and own.score is not None else 0.0
    return (
        value,
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
        float(position.dealer == 0),
        some,
        float(riichi > 1),
        some * value,
        some * left,
        float(sum(melds)),
        float(max(melds, default=0) >= 3),
        sum(melds) * left,
        float(sum(unseen[k] for k in wait)),
        float(len(wait)),
        float(any(k == own.tile.kind or me.river_mask >> k & 1 for k in wait)),
        float(sum(unseen[k] for k in wait if k >= 27)),
        float(sum(unseen[k] for k in wait if k < 27 and k % 9 in (0, 1, 7, 8))),
        min(mean, 32000.0) / 8000,
        float(not known),
        float(me.open_melds),
        len(me.river) / 18,
        position.kyoku / 8,
        me.score / 10000,
        min(scores),
        max(scores),
        float(own.shanten),
        float(seen.most_melds),
    )


def _wait_of(position: Position, own: Own) -> tuple[int, ...]:
    """The kinds that the hand waits on after the discard, none unless it is tenpai."""
    if own.shanten != 0:
        return ()
    from haiyomi.kernels.waits import waits

    counts = np.array([kind_counts(position.hand)], np.uint8)
    counts[0, own.tile.kind] -= 1
    mask = int(waits(counts)[0])
    return tuple(k for k in range(34) if mask >> k & 1)


VALUES = 16
"""Columns of ``value_columns``."""
MOST_POINTS = 20_000.0
"""Mean points of the program's wins are taken to be at most this."""


def value_inputs(position: Position, own: Own) -> tuple[float, ...]:
    """What the points of a win are learned from: the program's mean points of a win (0 where it
    has none), whether it has any, the counters on the table, dealer, P(win by own draws),
    shanten up to 3.
    """
    known = own.score is not None and own.win > 1e-4
    mean = own.score / own.win if known and own.score is not None else 0.0
    return (
        min(mean, MOST_POINTS),
        float(known),
        float(300 * position.honba + 1000 * position.sticks),
        float(position.dealer == 0),
        min(max(own.win, 0.0005), 0.9995),
        float(min(own.shanten, 3)),
    )


def value_columns(inputs: Floats, win: Floats) -> Floats:
    """(n, VALUES) regressors of ``value_inputs`` (n, 6) and P(win) (n,).

    By shanten the program's mean points count apart, and so far as its own draws make up the
    wins: one that it hardly foresees is worth what wins are worth, whatever its few lines pay.
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

    def win(self, position: Position, own: Own, seen: Seen | None = None) -> float:
        """P(this seat wins the hand, by ron or own draw); ``seen`` as in ``features``."""
        row = features(position, own, seen)
        odds = self.constant + sum(w * x for w, x in zip(self.weights, row, strict=True))
        return 1.0 / (1.0 + exp(-max(min(odds, 30.0), -30.0)))

    def points(self, position: Position, own: Own) -> float:
        """Mean points that a win brings, honba and riichi sticks included; at least 1,000."""
        return self.wins(position, [own])[0][1]

    def wins(self, position: Position, owns: Sequence[Own]) -> list[tuple[float, float]]:
        """(P(win), mean points of a win) of each of some discards of one position."""
        if not owns:
            return []
        seen = Seen.of(position)
        chances = [self.win(position, own, seen) for own in owns]
        weights = np.array(self.opened if position.players[0].open_melds else self.closed)
        inputs: Floats = np.array([value_inputs(position, own) for own in owns])
        rows = value_columns(inputs, np.array(chances))
        return [
            (p, max(1000.0, float(row @ weights))) for p, row in zip(chances, rows, strict=True)
        ]


@cache
def shipped() -> Recalibration:
    """The shipped model, loaded once."""
    return Recalibration.load()

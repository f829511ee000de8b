"""Where games ended, against the placement of the options that were chosen, and by player.

The placement of an option knows the hand and the table. It is held against the placement network
at the start of the hand, which knows the scores, the dealer, honba and deposits, and no tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Ints
from haiyomi.evaluation.metrics import Estimate, interval, mean_estimate, resample_weights
from haiyomi.events import Game
from haiyomi.game.game_end import places_of
from haiyomi.game.rounds import round_name
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.placement import PlacementModel
from haiyomi.outcomes.starts import Starts
from haiyomi.rows import Rows
from haiyomi.seeds import generator

SEED: Final = 23
LEAST: Final = 200
"""Decisions below which a round is not measured."""
GAMES: Final = 20
"""Games below which a player is not measured."""
PLAYERS: Final = 5
RESAMPLES: Final = 1000
_LEAST_P: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Placed(Rows):
    """Of n decisions: the ``hand`` (n,) such as "hanchan S3"; the name of the ``player`` (n,),
    empty where it is unknown; the final ``place`` (n,) 0 to 3, -1 where it or its forecast is
    unknown; P(1st) to P(4th) ``by_option`` (n, 4) that was chosen and ``at_start`` (n, 4) of the
    hand."""

    hand: NDArray[np.str_]
    player: NDArray[np.str_]
    place: Ints
    by_option: Floats
    at_start: Floats


def placed_of(
    game: Game, at: Sequence[tuple[int, int]], chosen: Sequence[Outcome], model: PlacementModel
) -> Placed:
    """Of decisions of one game: the hand and the seat of each, and what was chosen."""
    rounds, final = game.header.rules.rounds, game.header.final
    begins = [hand.start for hand in game.hands]
    numbers = np.array([(rounds, s.kyoku, s.honba, s.sticks) for s in begins], np.int32)
    length, kyoku, honba, sticks = numbers.reshape(-1, 4).T
    scores = np.array([s.scores for s in begins], np.int32)
    starts = Starts(length, kyoku, honba, sticks, scores)
    known = final is not None and all(o.placement is not None for o in chosen)
    nowhere = np.zeros((len(begins), 4, 4))
    before = model.starts(starts).places if known else nowhere
    ended = places_of(np.array([final], np.int32))[0] if known else np.full(4, -1)
    hand, seat = np.array(at, np.int64).reshape(-1, 2).T
    places = [(0.0,) * 4 if o.placement is None else o.placement.places for o in chosen]
    return Placed(
        np.array([hand_name(rounds, begins[h].kyoku) for h in hand], np.str_),
        np.array(game.header.names, np.str_)[seat],
        ended[seat],
        np.array(places, np.float64).reshape(-1, 4),
        before[hand, seat],
    )


def hand_name(rounds: int, kyoku: int) -> str:
    """The length of the game and the hand, such as "hanchan S3"; those after the last are one."""
    length = {1: "East-only", 2: "hanchan"}.get(rounds, f"{rounds} rounds")
    return f"{length} {'extra round' if kyoku >= 4 * rounds else round_name(kyoku)}"


def placement_results(placed: Placed, game: NDArray[Any]) -> list[dict[str, Any]]:
    """The results JSON: by hand, the log loss of the final place by the option that was chosen, and
    how much lower it is than that of the placement at the start of the hand."""
    known = placed.place >= 0
    at = np.maximum(placed.place, 0)[:, None]
    by_option, at_start = (
        -np.log(np.clip(np.take_along_axis(p, at, axis=1)[:, 0], _LEAST_P, 1))
        for p in (placed.by_option, placed.at_start)
    )
    groups = {"all": known}
    groups |= {str(name): known & (placed.hand == name) for name in np.unique(placed.hand)}
    out = []
    for name, mask in groups.items():
        if mask.sum() >= LEAST:
            gain = at_start[mask] - by_option[mask]
            out.append(
                {
                    "hand": name,
                    "n": int(mask.sum()),
                    "log_loss": _mean(by_option[mask], game[mask]),
                    "gain": _mean(gain, game[mask]),
                }
            )
    return out


def player_results(placed: Placed, lost: Floats, game: NDArray[Any]) -> dict[str, Any] | None:
    """The results JSON of what players give up a decision, over those of at least ``GAMES`` games:
    how far two halves of a player's games agree, and the correlation with the mean place; None for
    fewer than ``PLAYERS`` such players. Intervals by bootstrap of players."""
    rows = []
    for name in sorted(set(placed.player.tolist()) - {""}):
        mine = (placed.player == name) & (placed.place >= 0)
        games, index = np.unique(game[mine], return_inverse=True)
        if len(games) < GAMES:
            continue
        given = lost[mine]
        halves = [given[index % 2 == half].mean() for half in (0, 1)]
        places = np.bincount(index, placed.place[mine]) / np.bincount(index)
        rows.append((*halves, given.mean(), places.mean() + 1))
    if len(rows) < PLAYERS:
        return None
    one, other, mean, place = np.array(rows).T
    weights = resample_weights(len(rows), generator(SEED, "players"), RESAMPLES)
    return {
        "players": len(rows),
        "games": GAMES,
        "mean": float(mean.mean()),
        "spread": float(mean.std(ddof=1)),
        "reliability": _bootstrap(one, other, weights, whole=True),
        "with_place": _bootstrap(mean, place, weights, whole=False),
    }


def _bootstrap(
    x: Floats, y: Floats, weights: NDArray[np.integer], *, whole: bool
) -> dict[str, float | None]:
    """The correlation of x and y; ``whole``: that of twice as many games (Spearman-Brown)."""

    def of(w: NDArray[np.number]) -> Floats:
        total = w.sum(axis=1)
        a, b = (v - ((w @ v) / total)[:, None] for v in (x, y))
        r = (w * a * b).sum(axis=1) / np.sqrt((w * a * a).sum(axis=1) * (w * b * b).sum(axis=1))
        out: Floats = 2 * r / (1 + r) if whole else r
        return out

    (value,) = of(np.ones((1, len(x))))
    return Estimate(float(value), *interval(of(weights), len(x))).to_json()


def _mean(values: Floats, game: NDArray[Any]) -> dict[str, float | None]:
    return mean_estimate(values, game, generator(SEED)).to_json()

"""P(win) after the discards that players chose: three of each seat and hand, drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.arrays import Floats
from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.metrics import binary_score
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.events import Discard, Game, Win
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.outcomes.option import Act, Option
from haiyomi.play.stated_decision import decision_at
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.tiles import Seat, Tile

SEED: Final = 7
DRAWN: Final = 3
"""Discards of each seat and hand, all where there are fewer."""
BINS: Final = 10
GAMES_A_PIECE: Final = 4
_BLOCK: Final = 64
Row = tuple[Position, Tile, bool]


def rows_of(name: str, game: Game) -> list[Row]:
    """Free discards of each seat and hand, drawn by the game's name: the position, the tile, and
    whether the seat won the hand."""
    rng = generator(SEED, *name.encode())
    out = []
    for hand in game.hands:
        for seat in range(4):
            free = [
                (position, event.tile)
                for _, event, position in positions(hand.events, Seat(seat), game.header.rules)
                if isinstance(event, Discard) and len(position.discards) > 1
            ]
            won = any(isinstance(event, Win) and event.seat == seat for event in hand.events)
            for index in sorted(rng.permutation(len(free))[:DRAWN].tolist()):
                out.append((*free[index], won))
    return out


def win_forecasts(
    sources: Sequence[Path], jobs: Jobs, progress: Progress | None
) -> tuple[list[Floats], list[Skipped]]:
    """Of each record (n, 2) P(win) of its rows and whether the seat won; and the records left out.
    Raises DatasetError where a source cannot be read."""
    corpus = Corpus(list(sources)).distinct()
    return corpus.map_rows(_of_game, GAMES_A_PIECE, jobs, progress)


def _of_game(name: str, game: Game) -> Floats:
    return of_rows(rows_of(name, game))


def of_rows(rows: Sequence[Row]) -> Floats:
    """(n, 2) P(win) after the discards of some rows, and whether the seat won."""
    out = []
    for first in range(0, len(rows), _BLOCK):
        block = rows[first : first + _BLOCK]
        answers = outcomes_of(Models(), [decision_at(row[0]) for row in block], "points")
        for (position, tile, won), outcomes in zip(block, answers, strict=True):
            own = position.players[0]
            act: Act = "riichi" if own.riichi_index == len(own.river) else "discard"
            chosen = Option(act, (tile,))
            out.append((next(o.win for o in outcomes if o.option == chosen), float(won)))
    return np.array(out, np.float64).reshape(-1, 2)


def win_results(found: Sequence[Floats], what: str) -> dict[str, Any]:
    """The results JSON: log loss and AUC, and ten bins of equal count; 95% intervals by bootstrap
    of games."""
    p, won = np.concatenate([np.zeros((0, 2)), *found]).T
    game = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
    score = binary_score(p, won, game, generator(1))
    order = np.argsort(p, kind="stable")
    bins = [
        {"n": len(part), "predicted": float(p[part].mean()), "observed": float(won[part].mean())}
        for part in np.array_split(order, BINS)
        if len(part)
    ]
    return {
        **head_of("haiyomi-discard-wins", what, len(found)),
        "win": None if score is None else score.to_json(),
        "bins": bins,
    }


def reports(results: dict[str, Any]) -> list[Report]:
    """The tables of results JSON. Raises KeyError where there are no rows."""
    win = results["win"]
    score = (
        "P(win)", Figure(win["n"]), Figure(win["rate"], ".1%"), Figure(win["constant"], ".4f"),
        Figure.of(win["log_loss"], ".4f"), Figure.of(win["auc"], ".3f"),
    )  # fmt: skip
    bins = [
        (str(number), Figure(b["n"]), Figure(b["predicted"], ".1%"), Figure(b["observed"], ".1%"))
        for number, b in enumerate(results["bins"], 1)
    ]
    return [
        Report(
            "P(win) after the discards that players chose",
            ("what", "n", "rate", "log loss of the constant", "log loss", "AUC"),
            (score,),
            Scope.of(results),
        ),
        Report("By tenth of P(win)", ("tenth", "n", "predicted", "observed"), tuple(bins)),
    ]

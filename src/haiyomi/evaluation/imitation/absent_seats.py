"""Disconnected seats: what the server discarded for them, and what the stand-in would.

While a seat is absent the server discards each tile as it is drawn and takes nothing. Every
moment at which such a seat had a choice is given to the policy, after the game as it was played
up to there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.metrics import by_game, finite, ratio_estimate
from haiyomi.evaluation.networks_used import networks_of
from haiyomi.evaluation.report import Figure
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Game,
    Kakan,
    Pon,
    Riichi,
    Win,
    visible_to,
)
from haiyomi.kernels.shanten import shanten
from haiyomi.play.player import Choice, Claim, Pass
from haiyomi.play.seat_state import SeatState
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import SHIPPED as POLICY
from haiyomi.styles.policy import Policy, policy_of

GAMES_A_PIECE: Final = 24


@dataclass(slots=True)
class Absent:
    """Counts over some records. A *turn* is a draw of an absent seat with more than one choice.
    ``by_game``: of each game with one, how many discards are the same tile, and its turns."""

    games: int = 0
    hands: int = 0
    turns: int = 0
    same_tile: int = 0
    shanten_thrown: int = 0
    shanten_kept: int = 0
    offers: int = 0
    calls: int = 0
    wins_offered: int = 0
    wins_taken: int = 0
    riichi: int = 0
    kans: int = 0
    dealt_in: int = 0
    dealt_in_too: int = 0
    shown: list[str] = field(default_factory=list)
    by_game: list[tuple[int, int]] = field(default_factory=list)

    def add(self, other: Absent) -> None:
        """Count another's as well."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def in_game(game: Game, policy: Policy) -> Absent:
    """What one game's absent seats did, and what the pooled policy most likely does there."""
    out = Absent(games=1)
    for number, hand in enumerate(game.hands):
        away = game.absent(number)
        if not away:
            continue
        out.shown.append(f"hand {number + 1}:")
        out.hands += len({seat for seat, _, _ in away})
        rng = generator(0, "absent")
        players = {
            seat: Imitator(seat, policy, rng, rules=game.header.rules) for seat, _, _ in away
        }
        for i, event in enumerate(hand.events):
            for seat, player in players.items():
                player.observe(visible_to(event, seat))
                if any(s == seat and first <= i + 1 < end for s, first, end in away):
                    _count(out, player, hand.events[i + 1 :])
    if out.turns:
        out.by_game.append((out.same_tile, out.turns))
    return out


def _count(out: Absent, player: Imitator, after: Sequence[Any]) -> None:
    options = player.state.options()
    if options is None or len(options.choices) < 2:
        return
    choice = player.act(options)
    wins = any(isinstance(c, Claim) for c in options.choices)
    out.shown.append(f"  seat {player.seat}: {_described(player, choice, after)}")
    out.wins_offered += wins
    out.wins_taken += isinstance(choice, Claim)
    if any(isinstance(c, Pass) for c in options.choices):
        out.offers += 1
        out.calls += isinstance(choice, Chi | Pon | Daiminkan)
        return
    done = next((e for e in after if isinstance(e, Discard) and e.seat == player.seat), None)
    if done is None or isinstance(after[0], Win | AbortiveDraw):
        return
    out.turns += 1
    out.riichi += isinstance(choice, Riichi)
    out.kans += isinstance(choice, Ankan | Kakan)
    would = _discard(player, choice)
    if would is None:
        return
    out.same_tile += would.tile.kind == done.tile.kind
    out.shanten_thrown += _left(player.state, done)
    out.shanten_kept += _left(player.state, would)
    place = after.index(done)
    ronned = place + 1 < len(after) and isinstance(after[place + 1], Win)
    out.dealt_in += ronned
    out.dealt_in_too += ronned and would.tile.kind == done.tile.kind


def _described(player: Imitator, choice: Choice, after: Sequence[Any]) -> str:
    """One decision in words."""
    drawn = player.state.position().drawn
    would = type(choice).__name__.lower()
    if isinstance(choice, Discard):
        would = f"discards {choice.tile}"
    elif isinstance(choice, Claim):
        would = "wins"
    elif isinstance(choice, Pass):
        would = "passes"
    done = next((e for e in after if isinstance(e, Discard) and e.seat == player.seat), None)
    if isinstance(choice, Pass) or drawn is None or done is None:
        return f"on another's tile the stand-in {would}"
    return f"drew {drawn}, the server discarded {done.tile}; the stand-in {would}"


def _discard(player: Imitator, choice: Choice) -> Discard | None:
    """The discard of a choice; with riichi the likeliest that declares it."""
    if isinstance(choice, Discard):
        return choice
    if not isinstance(choice, Riichi):
        return None
    from haiyomi.play.legal import discard_choices, riichi_kinds
    from haiyomi.play.player import Options

    live, side = player.state.live, player.state.side
    if live is None:
        return None
    found = discard_choices(live, side, only=riichi_kinds(side))
    if len(found) == 1:
        return found[0]
    choice_made = player.act(Options(player.seat, tuple(found)))
    return choice_made if isinstance(choice_made, Discard) else None


def _left(state: SeatState, discard: Discard) -> int:
    counts = np.array([state.side.counts], np.uint8)
    counts[0, discard.tile.kind] -= 1
    return int(shanten(counts)[0])


@lru_cache(maxsize=1)
def _policy(model: Path | None) -> Policy:
    return policy_of(model)


def ask_absent(name: str, game: Game, model: Path | None) -> Absent:
    """Count the absent seats of a game of this name."""
    if not game.absences:
        return Absent()
    found = in_game(game, _policy(model))
    found.shown.insert(0, f"{name}:")
    return found


def run(
    records: Corpus,
    model: Path | None,
    what: str,
    jobs: Jobs = None,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], list[str], list[Skipped]]:
    """The counts of some records, called ``what``, each decision in words, and the records left
    out."""
    total = Absent()
    asking = partial(ask_absent, model=model)
    games, skipped = records.map_rows(asking, GAMES_A_PIECE, jobs, progress)
    for found in games:
        total.add(found)
    lists = ("shown", "by_game")
    counts = {name: getattr(total, name) for name in Absent.__slots__ if name not in lists}
    same, turns = np.array(total.by_game, np.float64).reshape(-1, 2).T
    interval = None
    if len(same):
        interval = ratio_estimate(same, turns, np.arange(len(same)), generator(0, "absent seats"))
    results = {
        "schema": "haiyomi-absent-seats",
        "version": 1,
        "what": what,
        "policy": policy_of(model).manifest,
        "networks": networks_of(model or POLICY),
        **counts,
        "skipped": len(skipped),
        "same_tile_low": interval and finite(interval.low),
        "same_tile_high": interval and finite(interval.high),
        "interval": by_game(len(same)),
    }
    return results, total.shown, skipped


def same_tile(r: dict[str, Any]) -> Figure:
    """How often the stand-in discards the tile just drawn."""
    share = r["same_tile"] / max(r["turns"], 1)
    return Figure(share, ".1%", r["same_tile_low"], r["same_tile_high"])


def lines(r: dict[str, Any]) -> list[str]:
    """The counts as text."""
    turns = max(r["turns"], 1)
    return [
        f"{r['what']}: {r['games']} games with a disconnected player, {r['hands']} hands of an "
        f"absent seat, {r['turns']:,} of its turns",
        f"the stand-in discards the tile just drawn, too: {same_tile(r)}",
        f"mean shanten after the discard: server {r['shanten_thrown'] / turns:.2f}, "
        f"stand-in {r['shanten_kept'] / turns:.2f}",
        f"riichi declared {r['riichi']}, own kans {r['kans']}, calls {r['calls']} of "
        f"{r['offers']:,} offers, wins taken {r['wins_taken']} of {r['wins_offered']}",
        f"discards that dealt in: {r['dealt_in']}; the stand-in discards the same tile in "
        f"{r['dealt_in_too']} of them",
    ]

"""The method on players whose kinds are known: rule-based players that differ by stated numbers.

Every kind has several players of its own; they meet at tables drawn by lot, one game each a
round. The classes found are compared with the kinds by the adjusted Rand index: 1 where they are
the same, about 0 where chance would do as well. Two sets of kinds, each played from two seeds:
one draw of players says little.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from haiyomi.arrays import Bools
from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES, RuleStyle
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.classes import SCALINGS
from haiyomi.styles.game_sums import sums_of
from haiyomi.styles.statistics import TalliedGame
from haiyomi.styles.sums_table import Tallies, tallies_of
from haiyomi.training.fit_styles import study_styles

NEARER: dict[str, RuleStyle] = {
    "steady": RuleStyle(riichi=0.85, call_other=0.55),
    "silent": RuleStyle(riichi=0.5, call_other=0.55),
    "opener": RuleStyle(riichi=0.85, call_yakuhai=1.0, call_other=0.85),
    "patient": RuleStyle(riichi=0.85, call_yakuhai=0.6, call_other=0.3, call_shanten=1),
    "stubborn": RuleStyle(riichi=0.85, call_other=0.55, fold_shanten=9),
}
"""Kinds that differ from the first of them in one respect each (riichi, calls, folding), and by
less than those of ``RULE_STYLES`` do."""
KINDS: dict[str, dict[str, RuleStyle]] = {"apart": RULE_STYLES, "nearer": NEARER}
"""Sets of kinds by name."""
SETS: tuple[tuple[str, int], ...] = (
    ("apart", 14),
    ("apart", 1014),
    ("nearer", 14),
    ("nearer", 1014),
)
"""What is played: a set of kinds and the seed of its walls, lots and players."""
EACH = 4
ROUNDS = 40
SIZES = (5, 10, 20, 40)


@dataclass(frozen=True, slots=True)
class Round:
    """One round: every player plays one game."""

    number: int
    each: int
    seed: int
    kinds: str


def simulated(
    kinds: str = "apart",
    seed: int = 14,
    rounds: int = ROUNDS,
    each: int = EACH,
    engine: Jobs = None,
    progress: Progress | None = None,
) -> Tallies:
    """Tallies of so many games a player; a player's name is its kind and a number. ``kinds``
    names one of ``KINDS``."""
    shards = [Round(i, each, seed, kinds) for i in range(rounds)]
    found = map_in_order(play_round, shards, engine, progress)
    return tallies_of(game for games in found for game in games)


def play_round(shard: Round) -> list[TalliedGame]:
    """(name, names by seat, sums) of the games of one round."""
    kinds = KINDS[shard.kinds]
    names = [f"{kind}-{i + 1}" for kind in kinds for i in range(shard.each)]
    order = generator(shard.seed, shard.number).permutation(len(names))
    out: list[TalliedGame] = []
    for table in range(len(names) // 4):
        a, b, c, d = (names[i] for i in order[4 * table : 4 * table + 4])
        styles = [kinds[kind_of(name)] for name in (a, b, c, d)]
        number = shard.number * 1000 + table
        game = simulate_rule_players(shard.seed, number, styles=styles, names=(a, b, c, d))
        out.append((f"round {shard.number} table {table}", (a, b, c, d), sums_of(game)))
    return out


def kind_of(name: str) -> str:
    """The kind of a player of that name."""
    return name.rpartition("-")[0]


def recovery(tallies: Tallies, sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    """How well the classes found are the kinds, by games a player, by scaling.

    With as many classes as there are kinds, and with as many as the silhouette asks for.
    """
    from sklearn.metrics import adjusted_rand_score

    rows = []
    for size in sizes:
        part = tallies.take(_first(tallies, size))
        study = study_styles(part, size)
        truth = [kind_of(name) for name in study.vectors.players]
        kinds = len(set(truth))
        for scaling in SCALINGS:
            clustering = next(c for c in study.by_k[scaling] if c.k == kinds)
            best = study.best(scaling)[0]
            rows.append(
                {
                    "games": size,
                    "scaling": scaling,
                    "players": len(truth),
                    "kinds": kinds,
                    "ari": float(adjusted_rand_score(truth, clustering.labels)),
                    "k_by_silhouette": best.k,
                    "silhouette": best.silhouette,
                    "ari_by_silhouette": float(adjusted_rand_score(truth, best.labels)),
                }
            )
    return rows


def kinds_json() -> dict[str, Any]:
    """The parameters of every kind, by set."""
    return {
        name: {kind: asdict(style) for kind, style in kinds.items()}
        for name, kinds in KINDS.items()
    }


def _first(tallies: Tallies, size: int) -> Bools:
    """The first ``size`` games of each player."""
    out = np.zeros(len(tallies), dtype=bool)
    for player in range(len(tallies.players)):
        out[np.flatnonzero(tallies.player == player)[:size]] = True
    return out

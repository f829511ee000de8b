"""``haiyomi reproduce class-styles``: do bots of a class act like its people?

Classes of players follow from their hanchan in train. Vectors of the classes are those of the
shipped policy (means of its players' vectors), and vectors fitted to the choices of the classes'
people in train. Both are measured at the chances of riichi and calls that people of the class had
in valid, and in games of bots beside the people's hands in valid.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Singles
from haiyomi.corpus import Corpus
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError
from haiyomi.evaluation.metrics import rate_interval, ratio_estimate
from haiyomi.evaluation.networks_used import networks_of
from haiyomi.evaluation.papers.class_acts import SEED, chances, fitted, read_acts
from haiyomi.evaluation.papers.kept_step import once
from haiyomi.evaluation.papers.styles_cache import mark_of, tallies_of_sources, train_and_valid
from haiyomi.json_types import KnownJson
from haiyomi.seeds import generator
from haiyomi.storage.folder_lock import only_writer
from haiyomi.storage.resume import Bar
from haiyomi.storage.seal import digest
from haiyomi.storage.whole_file import make_folder
from haiyomi.styles.classes import shipped_classes
from haiyomi.styles.policy import POOLED, Policy, shipped_policy
from haiyomi.styles.policy import SHIPPED as POLICY
from haiyomi.styles.self_play import games_of_policy
from haiyomi.styles.statistics import COLUMN, RATES
from haiyomi.styles.sums_table import Tallies, tally, vectors
from haiyomi.training.packed_corpus import MANIFEST, pack_corpora

_RATIOS: Final = {f.__name__: f() for f in RATES}


@dataclass(frozen=True, slots=True)
class Design:
    """What is measured: players with at least ``least`` hanchan in train; ``shards`` of packed
    games to learn from; at most ``learn`` and ``test`` chances of riichi, and as many of calls, a
    class; ``games`` of bots for each set of vectors."""

    least: int = 20
    shards: int = 6
    learn: int = 600
    test: int = 3000
    games: int = 100


def experiment(
    corpus: Path, cache: Path, packed: Path, engine: Jobs, bar: Bar, design: Design
) -> KnownJson:
    """Run everything; the corpus is packed into ``packed`` where that is missing, and what takes
    long is kept in the folder ``cache``. Raises DatasetError."""
    train, valid = train_and_valid(corpus)
    sources = [*train, *valid]
    make_folder(cache)
    with only_writer(cache):
        if not (packed / MANIFEST).exists():
            with bar("packing") as step:
                pack_corpora([corpus], packed, engine, step)
        mark = mark_of(sources)
        tallies = tallies_of_sources(sources, cache, mark, engine, bar)
        held_out = {entry.game_name for entry in Corpus(valid).entries}
        tested = np.array([name in held_out for name in tallies.games])[tallies.game]
        group = classes_of_people(tallies.take(~tested), design.least)
        policy = shipped_policy()
        weights = hashlib.sha256(policy.network.weights.tobytes()).hexdigest()
        mark = f"{mark} {design} {weights} {digest(packed / MANIFEST)}"
        with bar("chances") as step:
            found = once(
                cache / "chances.json", mark,
                lambda: at_chances(policy, packed, group, design, step),
            )  # fmt: skip
        results: KnownJson = {
            "experiment": "reproduce class-styles",
            "networks": networks_of(POLICY),
            "design": asdict(design),
            "players": np.bincount(list(group.values())).tolist(),
            "packed_games": packed_games(packed),
            **found,
            "people": people_rates(tallies.take(tested), group),
        }
        results["bots"] = {}
        for name in ("shipped", "fitted"):
            styles = {c: np.array(v[name], np.float32) for c, v in found["vectors"].items()}
            with bar(f"games of bots, {name}"):
                results["bots"][name] = once(
                    cache / f"bots-{name}.json", mark,
                    lambda styles=styles: bot_rates(policy, styles, design.games),  # type: ignore[misc]
                )  # fmt: skip
        return results


def packed_games(packed: Path) -> dict[str, int]:
    """How many games each split of packed games has."""
    manifest = json.loads((packed / MANIFEST).read_text(encoding="utf-8"))
    return {split: sum(row[1] for row in rows) for split, rows in manifest["shards"].items()}


def classes_of_people(tallies: Tallies, least: int) -> dict[str, int]:
    """The number of the shipped class of each player with so many hanchan."""
    found = vectors(tallies, least)
    belongs = shipped_classes().assign(found.values, found.occasions)
    return dict(zip(found.players, map(int, belongs), strict=True))


def at_chances(
    policy: Policy, packed: Path, group: Mapping[str, int], design: Design, step: Any
) -> KnownJson:
    """Vectors fitted to train, and what each says of the chances in valid."""
    learn = read_acts(packed, "train", group, design.shards, step)
    test = read_acts(packed, "valid", group, design.shards, step)
    out: KnownJson = {"vectors": {}, "chances": {}}
    for number, name in enumerate(shipped_classes().names):
        styles = {
            POOLED: policy.style(POOLED),
            "shipped": policy.style(name),
            "fitted": fitted(policy, learn.drawn(number, design.learn)),
        }
        out["vectors"][name] = {of: style.tolist() for of, style in styles.items() if of != POOLED}
        asked = test.drawn(number, design.test)
        if not len(asked.records):
            raise DatasetError(f"no decision of valid is of a player of the class {name!r}")
        out["chances"][name] = {of: chances(policy, s, asked) for of, s in styles.items()}
    return out


def people_rates(tallies: Tallies, group: Mapping[str, int]) -> KnownJson:
    """Rates a hand of the people of each class, with intervals by game."""
    number = np.array([group.get(name, -1) for name in tallies.players])[tallies.player]
    out: KnownJson = {}
    for i, name in enumerate(shipped_classes().names):
        mine = tallies.take(number == i)
        out[name] = {"hands": int(mine.sums[:, COLUMN["hands"]].sum())}
        for rate, (above, below) in _RATIOS.items():
            found = ratio_estimate(
                mine.sums[:, COLUMN[above]], mine.sums[:, COLUMN[below]], mine.game,
                generator(SEED, rate),
            )  # fmt: skip
            out[name][rate] = {"value": found.value, "interval": [found.low, found.high]}
    return out


def bot_rates(policy: Policy, styles: Mapping[str, Singles], games: int) -> KnownJson:
    """Rates a hand of one bot of each class and a pooled one, each in every seat as often, with
    Wilson intervals."""
    names = (POOLED, *styles)
    vectors_of = [policy.style(POOLED), *styles.values()]
    played = []
    for turn in range(len(names)):
        order = [(turn + i) % len(names) for i in range(4)]
        numbers = range(turn, games, len(names))
        a, b, c, d = (names[i] for i in order)
        for number, game in zip(
            numbers,
            games_of_policy(
                SEED, numbers, policy, [vectors_of[i] for i in order], names=(a, b, c, d)
            ),
            strict=True,
        ):
            played.append((str(number), game))
    tallies = tally(played)
    totals = dict(zip(tallies.players, tallies.totals(), strict=True))
    out: KnownJson = {}
    for name in names:
        sums = totals[name]
        hands = int(sums[COLUMN["hands"]])
        out[name] = {"hands": hands}
        for rate, (above, _) in _RATIOS.items():
            low, high = rate_interval(int(sums[COLUMN[above]]), hands)
            out[name][rate] = {"value": sums[COLUMN[above]] / hands, "interval": [low, high]}
    return out

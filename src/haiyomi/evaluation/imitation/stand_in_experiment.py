"""Many games of bots before riichienv, in mixed styles or by value, some seats taken over midway.

Whether anything illegal was done, how long decisions took, where each style placed, and each
style's riichi, call, win and deal-in rates a hand beside those of the people of its class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.evaluation.imitation.referee import GameReport, Handover, play
from haiyomi.evaluation.metrics import rate_interval
from haiyomi.evaluation.networks_used import networks_of, shipped_networks
from haiyomi.evaluation.report import Cell, Figure, Report, Scope
from haiyomi.extras import require
from haiyomi.outcomes.improved_bot import ImprovedBot
from haiyomi.seeds import generator
from haiyomi.storage.resume import Progress
from haiyomi.styles.bot import Bot
from haiyomi.styles.classes import shipped_classes
from haiyomi.styles.policy import POOLED, policy_of
from haiyomi.styles.policy import SHIPPED as POLICY

GAMES_A_SHARD: Final = 4
RATES: Final = ("riichi", "call", "win", "deal-in")
LATEST: Final = 80
"""A relief takes over before so many messages with something to choose."""


@dataclass(frozen=True, slots=True)
class Work:
    """Games ``numbers`` of a seed; ``model`` a policy's file, None for the shipped one. ``by``: all
    seats take options by their ``ev``, or follow the ``policy`` in its styles."""

    numbers: range
    seed: int
    model: Path | None
    temperature: float
    by: str = "policy"

    def names(self) -> tuple[str, ...]:
        """What sits at the tables."""
        return ("ev",) if self.by == "ev" else (POOLED, *policy_of(self.model).styles)

    def bot(self, game: int, seat: int, relief: bool, style: str) -> Bot:
        """The bot of a seat in a game, or the one that takes over from it."""
        rng = generator(self.seed, "bot", game, seat, int(relief))
        if self.by == "ev":
            return ImprovedBot(seat, temperature=self.temperature, seed=rng)
        return Bot(
            seat, style=style, temperature=self.temperature, seed=rng, policy=policy_of(self.model)
        )


def seating(styles: Sequence[str], seed: int, game: int) -> tuple[str, str, str, str]:
    """The styles of the four seats of a game, each in turn and in lots."""
    order = [styles[(game + i) % len(styles)] for i in range(4)]
    lots = generator(seed, "seating", game).permutation(4)
    a, b, c, d = (order[i] for i in lots)
    return a, b, c, d


def handovers(seed: int, game: int) -> tuple[Handover, ...]:
    """In every other game one seat, in every fourth two, are taken over and handed back."""
    lot = generator(seed, "handover", game)
    seats = lot.permutation(4)[: (1, 0, 2, 0)[game % 4]]
    out = []
    for seat in seats:
        start = int(lot.integers(3, LATEST))
        out.append(Handover(int(seat), start, start + int(lot.integers(10, 150))))
    return tuple(out)


def play_shard(work: Work) -> list[GameReport]:
    """Play a shard's games."""
    names = work.names()
    out = []
    for number in work.numbers:
        styles = seating(names, work.seed, number)

        def make(game: int, seat: int, relief: bool, styles: Sequence[str] = styles) -> Bot:
            return work.bot(game, seat, relief, styles[seat])

        out.append(play(number, make, handovers(work.seed, number), work.seed))
    return out


def run(work: Work, jobs: Jobs = None, progress: Progress | None = None) -> dict[str, Any]:
    """The results of some games. Raises MissingExtraError where riichienv is not there."""
    require("bench")
    import riichienv

    games = len(work.numbers)
    shards = [
        replace(work, numbers=work.numbers[at : at + GAMES_A_SHARD])
        for at in range(0, games, GAMES_A_SHARD)
    ]
    played = map_in_order(play_shard, shards, jobs, progress, lambda shard: len(shard.numbers))
    reports = [report for shard in played for report in shard]
    names, seed = work.names(), work.seed
    seconds = np.array([s for r in reports for s in r.seconds])
    return {
        "schema": "haiyomi-stand-in-results",
        "version": 1,
        "referee": f"riichienv {getattr(riichienv, '__version__', '0.4.11')}",
        "games": len(reports),
        "seed": seed,
        "temperature": work.temperature,
        "by": work.by,
        "policy": policy_of(work.model).manifest,
        "networks": shipped_networks() if work.by == "ev" else networks_of(work.model or POLICY),
        "decisions": sum(r.decisions for r in reports),
        "taken_over": sum(len(handovers(seed, r.game)) for r in reports),
        "decisions_of_reliefs": sum(r.reliefs for r in reports),
        "illegal": sum(len(r.illegal) for r in reports),
        "differing_options": sum(len(r.differing) for r in reports),
        "fallbacks": sum(r.fallbacks for r in reports),
        "messages_not_understood": sum(r.errors for r in reports),
        "first_faults": [f for r in reports for f in (*r.illegal, *r.differing)][:20],
        "milliseconds": {
            "median": float(1000 * np.median(seconds)),
            "p99": float(1000 * np.percentile(seconds, 99)),
            "most": float(1000 * seconds.max()),
        },
        "styles": {n: _style(n, names, seed, reports) for n in names},
        "people": {
            c.name: dict(zip(RATES, c.rates, strict=True)) for c in shipped_classes().classes
        },
    }


def _style(name: str, names: Sequence[str], seed: int, reports: Sequence[GameReport]) -> Any:
    """Placements and rates of a style over all its seats."""
    places: Counter[int] = Counter()
    found: Counter[str] = Counter()
    hands = 0
    points = 0
    for report in reports:
        styles = seating(names, seed, report.game)
        for seat in range(4):
            if styles[seat] != name:
                continue
            places[report.ranks[seat]] += 1
            points += report.scores[seat]
            n, some = _hands(report, seat)
            hands += n
            found.update(some)
    rates: dict[str, Any] = {}
    for key in RATES:
        low, high = rate_interval(found[key], hands)
        rates[key] = {"value": found[key] / max(hands, 1), "low": low, "high": high}
    seats = sum(places.values())
    return {
        "seats": seats,
        "hands": hands,
        "placements": [places[r] for r in (1, 2, 3, 4)],
        "mean_place": sum(r * n for r, n in places.items()) / max(seats, 1),
        "mean_score": points / max(seats, 1),
        "rates": rates,
    }


def _hands(report: GameReport, seat: int) -> tuple[int, Counter[str]]:
    """Hands of a game, and in how many of them a seat did what."""
    hands = 0
    found: Counter[str] = Counter()
    did: set[str] = set()
    for message in report.log:
        kind = message["type"]
        if kind == "start_kyoku":
            hands += 1
            did = set()
        elif kind == "end_kyoku":
            found.update(did)
        elif kind == "reach_accepted" and message["actor"] == seat:
            did.add("riichi")
        elif kind in ("chi", "pon", "daiminkan") and message["actor"] == seat:
            did.add("call")
        elif kind == "hora":
            if message["actor"] == seat:
                did.add("win")
            elif message["target"] == seat:
                did.add("deal-in")
    return hands, found


def lines(results: dict[str, Any]) -> list[str]:
    """The results as text."""
    r = results
    ms = r["milliseconds"]
    return [
        f"{r['games']} games before {r['referee']}, {r['decisions']:,} answers, "
        f"{r['taken_over']} seats taken over for {r['decisions_of_reliefs']:,} of them",
        f"illegal {r['illegal']}, other sets of legal choices {r['differing_options']}, "
        f"fallbacks {r['fallbacks']}, messages not understood {r['messages_not_understood']}",
        f"a decision takes {ms['median']:.2f} ms (median), {ms['p99']:.1f} ms (99%), "
        f"{ms['most']:.0f} ms (most)",
        "",
        styles_report(r).text(),
        *r["first_faults"],
    ]


def styles_report(results: dict[str, Any]) -> Report:
    """Seats, places and rates by style; below a style, where known, those of its people."""
    rows: list[tuple[Cell, ...]] = []
    for name, s in results["styles"].items():
        places = (n for n in s["placements"])
        rates = (Figure.of(e, ".1%") for e in s["rates"].values())
        mean = Figure(s["mean_place"], ".2f")
        rows.append((name, s["seats"], s["hands"], *places, mean, *rates))
        if name in results["people"]:
            people = (Figure(v, ".1%") for v in results["people"][name].values())
            rows.append(("its players", *[""] * 7, *people))
    columns = ("style", "seats", "hands", "1st", "2nd", "3rd", "4th", "mean", *RATES)
    scope = Scope(results["games"], None, "95% (Wilson)")
    return Report("Styles", columns, tuple(rows), scope)

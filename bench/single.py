"""One question at a time from Python: how bots and notebooks ask, beside other programs.

    python -m bench.single [--json OUT]

Hands are drawn from a seed, and every program gets the same ones in the form that it takes. The
answers are compared first; a difference stops the run. Each call is timed *cold*, with all other
hands between two calls of one hand, and *repeated*, one hand again and again. A figure is the
median over rounds of the mean over hands (cold), or the median over hands of each hand's least
(repeated), of the thread's processor time; programs take turns within a round. The batch column is
the same hands in one call. Positions, which cost a thousand times as much, are fewer.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from bench.kernels import counts_of, dealt, won
from bench.machine import protocol, store
from haiyomi.kernels.scoring import score, score_one
from haiyomi.kernels.shanten import shanten, shanten_of, shanten_of_ids
from haiyomi.tiles import TILES, Tiles, format_tiles

HANDS = 400
ROUNDS = 7
AGAIN = 40
POSITIONS = 24
Ask = Callable[[int], object]
"""Asks about the hand of a number."""


@dataclass(frozen=True, slots=True)
class Single:
    """Microseconds a call of one program: ``cold``, ``repeated``, and a hand in a ``batch``."""

    task: str
    program: str
    given: str
    cold: float
    repeated: float
    batch: float | None = None


def version_of(name: str) -> str | None:
    """A package's name and version, None where it is not installed."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return None


def microseconds(turn: Callable[[], object], calls: int) -> float:
    """Processor time a call of this thread."""
    start = time.thread_time_ns()
    turn()
    return (time.thread_time_ns() - start) / calls / 1000


def every(ask: Ask, n: int) -> Callable[[], object]:
    """All hands, one call each."""
    return lambda: [ask(i) for i in range(n)]


def again(ask: Ask, i: int, calls: int) -> Callable[[], object]:
    """One hand, many calls."""
    return lambda: [ask(i) for _ in range(calls)]


def timed(
    task: str, n: int, programs: Sequence[tuple[str, str, Ask]], calls: int = AGAIN
) -> list[Single]:
    """The times of (program, what it is given, its call), in turn; each hand is asked ``calls``
    times again. The loop's own time, that of a call that does nothing, is taken off."""
    idle: Ask = lambda i: i  # noqa: E731
    asks = [("", "", idle), *programs]
    cold: list[list[float]] = [[] for _ in asks]
    least = np.full((len(asks), n), np.inf)
    for _ in range(ROUNDS):
        for j, (_, _, ask) in enumerate(asks):
            cold[j].append(microseconds(every(ask, n), n))
        for i in range(n):
            for j, (_, _, ask) in enumerate(asks):
                least[j, i] = min(least[j, i], microseconds(again(ask, i, calls), calls))
    middles = [statistics.median(c) for c in cold]
    repeated = np.median(least, axis=1).tolist()
    return [
        Single(task, name, given, middles[j] - middles[0], repeated[j] - repeated[0])
        for j, (name, given, _) in enumerate(asks)
        if name
    ]


def batched(
    rows: Iterable[Single], program: str, turn: Callable[[], object], n: int = HANDS
) -> list[Single]:
    """The rows, those of a program with its time a hand in one call of n hands."""
    took = statistics.median(microseconds(turn, n) for _ in range(5 * ROUNDS))
    return [
        Single(r.task, r.program, r.given, r.cold, r.repeated, took) if r.program == program else r
        for r in rows
    ]


def same(found: Sequence[object], wanted: Sequence[object], what: str) -> None:
    """Stop the run where two programs disagree."""
    if list(found) != list(wanted):
        raise SystemExit(f"{what}: the programs disagree")


def shanten_calls() -> list[Single]:
    """The shanten of 14 tiles."""
    ids = dealt(np.random.default_rng(11), HANDS, 14)
    counts = counts_of(ids)
    id_lists, count_lists, rows = ids.tolist(), counts.tolist(), list(counts)
    wanted = shanten(counts).tolist()
    programs: list[tuple[str, str, Ask]] = [
        ("haiyomi", "14 tile ids", lambda i: shanten_of_ids(id_lists[i])),
        ("haiyomi", "list of 34 counts", lambda i: shanten_of(count_lists[i])),
        ("haiyomi", "array of 34 counts", lambda i: shanten_of(rows[i])),
        ("haiyomi, batch call", "array of 34 counts", lambda i: shanten(rows[i])),
    ]
    named = version_of("riichienv")
    if named is not None:
        from riichienv import calculate_shanten

        programs.append((named, "14 tile ids", lambda i: calculate_shanten(id_lists[i])))
    named = version_of("mahjong")
    if named is not None:
        from mahjong.shanten import Shanten

        their = Shanten()
        programs.append(
            (named, "list of 34 counts", lambda i: their.calculate_shanten(count_lists[i]))
        )
    for name, _, ask in programs:
        same([int(ask(i)) for i in range(HANDS)], wanted, name)  # type: ignore[call-overload]
    found = timed("shanten of 14 tiles", HANDS, programs)
    return batched(found, "haiyomi", lambda: shanten(counts))


def scoring_calls() -> list[Single]:
    """Yaku, han, fu and points of a closed hand in riichi, the circumstances stated in the call."""
    ids, win = won(np.random.default_rng(12), HANDS)
    tsumo = (np.random.default_rng(13).random(HANDS) < 0.5).tolist()
    id_lists, wins = ids.tolist(), win.tolist()
    kinds = (ids // 4).tolist()
    tiles = [Tiles(TILES[k] for k in row) for row in kinds]
    texts = [format_tiles(row) for row in tiles]
    reds = np.isin(ids, (16, 52, 88)).sum(axis=1)
    red_list = reds.tolist()

    def ours(hands: Sequence[Any]) -> Ask:
        return lambda i: score_one(
            hands[i], wins[i] // 4, seat_wind=28, riichi=1, tsumo=tsumo[i], reds=red_list[i]
        )

    programs: list[tuple[str, str, Ask]] = [
        ("haiyomi", "14 kinds", ours(kinds)),
        ("haiyomi", "14 tiles", ours(tiles)),
        ("haiyomi", "notation", ours(texts)),
    ]
    wanted = [ours(kinds)(i) for i in range(HANDS)]
    programs += their_scoring(id_lists, wins, tsumo, wanted)
    counts, win_kind = counts_of(ids), (win // 4).astype(np.uint8)
    found = timed("score of one hand", HANDS, programs)
    flags = np.array(tsumo)
    return batched(
        found,
        "haiyomi",
        lambda: score(counts, win_kind, seat_wind=28, riichi=1, tsumo=flags, reds=reds),
    )


def their_scoring(
    ids: list[list[int]], wins: list[int], tsumo: list[bool], wanted: Sequence[Any]
) -> list[tuple[str, str, Ask]]:
    """The calls of the programs that are installed, compared with ``wanted``."""
    programs: list[tuple[str, str, Ask]] = []
    named = version_of("riichienv")
    if named is not None:
        import riichienv

        rust = riichienv._riichienv
        east, south = rust.Wind.East, rust.Wind.South

        def rust_class(i: int) -> Any:
            about = rust.Conditions(tsumo=tsumo[i], riichi=True, player_wind=south, round_wind=east)
            return rust.HandEvaluator(ids[i], []).calc(wins[i], [], [], about)

        def public_class(i: int) -> Any:
            about = riichienv.Conditions(tsumo=tsumo[i], riichi=True, player_wind=1, round_wind=0)
            return riichienv.HandEvaluator(ids[i], []).calc(wins[i], [], about)

        programs += [
            (f"{named}, Rust class", "14 tile ids", rust_class),
            (f"{named}, public class", "14 tile ids", public_class),
        ]
        for i, one in enumerate(wanted):
            found = rust_class(i)
            plain = found.yakuman or (found.han, found.fu) == (one.han, one.fu)
            same([found.yakuman, plain], [bool(one.yakuman), True], f"{named} on hand {i}")
    named = version_of("mahjong")
    if named is not None:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

        rules = OptionalRules(has_aka_dora=True, has_open_tanyao=True)

        def calculator(i: int) -> Any:
            config = HandConfig(
                is_tsumo=tsumo[i], is_riichi=True, player_wind=28, round_wind=27, options=rules
            )
            return HandCalculator().estimate_hand_value(ids[i], wins[i], config=config)

        programs.append((named, "14 tile ids", calculator))
        for i, one in enumerate(wanted):
            found = calculator(i)
            plain = bool(one.yakuman) or (found.han, found.fu) == (one.han, one.fu)
            same([found.error, plain], [None, True], f"{named} on hand {i}")
    return programs


def ask_one(ask: Callable[[Sequence[Any]], object], few: Sequence[Any]) -> Ask:
    """About one position at a time."""
    return lambda i: ask(few[i : i + 1])


def position_calls() -> list[Single]:
    """The deal-in risk of every tile and the hidden hands of one position, all three opponents."""
    from haiyomi.analysis.models import Models
    from haiyomi.game.position_fold import positions
    from haiyomi.play.demo import demo_game
    from haiyomi.tiles import Seat

    models = Models()
    dealin, hands = models.deal_in, models.hidden_hands
    found = [
        position
        for hand in demo_game()
        for seat in map(Seat, range(4))
        for _, _, position in positions(hand.events, seat)
        if position.to_act
    ]
    out = []
    for melds, open_ in (("nobody has melded", False), ("somebody has melded", True)):
        some = [p for p in found if any(o.open_melds for o in p.players[1:]) == open_]
        few = some[:: len(some) // POSITIONS][:POSITIONS]
        tasks: tuple[tuple[str, Callable[[Sequence[Any]], object]], ...] = (
            ("deal-in risks", lambda p: [each.deal_in() for each in dealin.read(p)]),
            ("hidden hands", lambda p: hands.answers(p).marginals),
        )
        for task, ask in tasks:
            rows = timed(
                f"{task}, {melds}", len(few), [("haiyomi", "Position", ask_one(ask, few))], 4
            )
            out += batched(rows, "haiyomi", partial(ask, few), len(few))
    return out


def review_calls() -> list[Single]:
    """All that a review says of one decision, with what comes of its options and without."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.value import PARTS
    from haiyomi.play.decision import decisions
    from haiyomi.play.demo import demo_game

    rest = Analyzer(parts=[part for part in PARTS if part != "outcomes"])
    whole = Analyzer(rest.models)
    found = [decision for decision in decisions(demo_game()) if len(decision.choices) > 1]
    out = []
    for what, on_offer in (("own turn", False), ("another's tile", True)):
        some = [d for d in found if (d.offer is not None) == on_offer]
        few = some[:: len(some) // POSITIONS][:POSITIONS]
        asks = {
            name: each.analyze_offers if on_offer else each.analyze
            for name, each in (("without outcomes", rest), ("with outcomes", whole))
        }
        programs = [("haiyomi", name, ask_one(ask, few)) for name, ask in asks.items()]
        for row in timed(f"review of a decision, {what}", len(few), programs, 4):
            out += batched([row], "haiyomi", partial(asks[row.given], few), len(few))
    return out


def measure() -> list[Single]:
    """All tasks."""
    return [*shanten_calls(), *scoring_calls(), *position_calls(), *review_calls()]


def main() -> None:
    """Print the table, and write it with the protocol."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/single.json"))
    given = parser.parse_args()
    answer = protocol() | {"hands": HANDS, "rounds": ROUNDS}
    rows = measure()
    print(f"{'one call':36} {'program':32} {'given':20} {'cold':>7} {'again':>7} {'batch':>7} µs")
    for r in rows:
        batch = "" if r.batch is None else f"{r.batch:.3f}"
        print(f"{r.task:36} {r.program:32} {r.given:20} {r.cold:7.2f} {r.repeated:7.2f} {batch:>7}")
    answer["calls"] = [asdict(r) for r in rows]
    store(given.json, answer)


if __name__ == "__main__":
    main()

"""Deal-in risks of one position beside akochan: the same positions, one run.

    python -m bench.dealin_rival --ako PROGRAM [--json OUT]

``bench/rivals/README.md`` says how to build the program, which runs in the folder of its
parameters. Both read all three opponents: on which tiles each wins, how likely, and with how many
han and fu. The models differ, so that answers are not compared. Positions are those of the
bundled record before a discard, by the most open melds of an opponent. Each is timed *cold*,
between others, and *repeated*, in processor time, the programs in turn. haiyomi is called from
Python, one thread, with a Position; akochan in C++, with its own state of the game.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from bench.machine import protocol, store
from bench.single import microseconds
from bench.win_rivals import Program
from haiyomi.analysis.models import Models
from haiyomi.events import Discard
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.logs.mjai_write import messages
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat

AKOCHAN = "critter-mj/akochan 53188a0"
POSITIONS = 24
ROUNDS = 7
"""Rounds of cold calls, of which the median counts."""
AGAIN = 5
GROUPS = ("nobody has melded", "one meld", "two melds and more")
"""By the most open melds of an opponent."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the same as the messages of its hand so far."""

    seat: int
    position: Position
    record: str


@dataclass(frozen=True, slots=True)
class Line:
    """Median microseconds of n positions, cold and repeated, and the median ratio of akochan's
    cold time to haiyomi's, with the least and the greatest."""

    positions: str
    n: int
    cold: float
    repeated: float
    their_cold: float
    their_repeated: float
    ratio: float
    least_ratio: float
    most_ratio: float


def questions() -> Iterator[Question]:
    """Every decision to discard in the bundled record."""
    game = demo_game()
    hands: list[list[dict[str, object]]] = []
    for message in messages(game):
        if message["type"] == "start_kyoku":
            hands.append([])
        if hands:
            hands[-1].append(message)
    for hand, told in zip(game.hands, hands, strict=True):
        for seat in map(Seat, range(4)):
            ends = [
                i for i, m in enumerate(told) if m["type"] == "dahai" and m["actor"] == int(seat)
            ]
            own = [p for _, event, p in positions(hand.events, seat) if isinstance(event, Discard)]
            for end, position in zip(ends, own, strict=True):
                if position.to_act:
                    yield Question(int(seat), position, json.dumps(told[:end]))


def line(program: Program, name: str, few: Sequence[Question]) -> Line:
    """Time both programs on some positions."""
    model = Models().deal_in

    def ask(i: int) -> object:
        return [each.deal_in() for each in model.read([few[i].position])]

    n = range(len(few))
    cold: list[list[float]] = [[] for _ in few]
    their_cold: list[list[float]] = [[] for _ in few]
    for _ in range(ROUNDS):
        for i in n:
            cold[i].append(microseconds(lambda i=i: ask(i), 1))
            first = program.ask(few[i].seat, 1, few[i].record)[0]
            their_cold[i].append(1e6 * first)
    again = [min(microseconds(lambda i=i: ask(i), 1) for _ in range(AGAIN)) for i in n]
    their_again = [1e6 * program.ask(q.seat, AGAIN, q.record)[1] for q in few]
    middle = statistics.median
    mine, theirs = [middle(c) for c in cold], [middle(c) for c in their_cold]
    ratios = [b / a for a, b in zip(mine, theirs, strict=True)]
    return Line(
        name, len(few), middle(mine), middle(again), middle(theirs), middle(their_again),
        middle(ratios), min(ratios), max(ratios),
    )  # fmt: skip


def melds(question: Question) -> int:
    """The number of GROUPS."""
    return min(2, max(other.open_melds for other in question.position.players[1:]))


def main() -> None:
    """Print the table, and write it with the protocol."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--ako", required=True, help="the built bench/rivals/ako.cpp")
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("out/bench/dealin.json"))
    given = parser.parse_args()
    program = Program(given.ako)
    answer = protocol() | {"clock": "processor time of one thread", "program": AKOCHAN}
    every = list(questions())
    found = []
    for number, name in enumerate(GROUPS):
        some = [q for q in every if melds(q) == number]
        each = line(program, name, some[:: max(1, len(some) // POSITIONS)][:POSITIONS])
        found.append(each)
        print(
            f"{each.positions:20} {each.n:3} {each.cold:9,.0f} µs {each.their_cold:11,.0f} µs  "
            f"ratio {each.ratio:8.2f} ({each.least_ratio:.2f} to {each.most_ratio:.2f}), "
            f"repeated {each.repeated:9,.0f} {each.their_repeated:11,.0f}",
            flush=True,
        )
    answer["lines"] = [asdict(each) for each in found]
    store(given.json, answer)


if __name__ == "__main__":
    main()

"""Games inside riichienv whose every decision and payment is compared with the core's.

    PYTHONPATH=tests python -m play.against_riichienv --games N --log FILE [--seed N]

Four players that call, declare and win sit at riichienv's table. Its legal actions at each decision
are compared with the options that the core lists for the same record, and its payments with the
checked replay's. A line for each batch of games is appended to the log, so that a run may stop and
go on. riichienv counts a hand as tenpai that waits only on kinds of which the seat holds all four;
a hand that the checked replay refuses for this reason is counted apart.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from kernels.hand_options import hand_options

from haiyomi.errors import HaiyomiError
from haiyomi.events import Hand
from haiyomi.kernels.replay import replay
from haiyomi.kernels.shanten import shanten_of
from haiyomi.logs.load import parse
from haiyomi.play.actions import ACTION_NAMES
from haiyomi.rules import Ruleset
from haiyomi.tiles import N_KINDS, Tile

BATCH: Final = 10
Message: TypeAlias = dict[str, Any]
Moment: TypeAlias = dict[int, frozenset[str]]
"""What each seat that has a choice may do."""
WIN_RATE, ABORT_RATE, RIICHI_RATE, KAN_RATE, CALL_RATE = 0.97, 0.7, 0.8, 0.5, 0.25
"""How often the players take what they are offered."""
_REASONS: Final = {
    "exhaustive": "fanpai", "kyu": "kyushukyuhai", "suukan": "sukaikan", "sufon": "sufonrenta",
    "suufon": "sufonrenta", "sucha": "suchareach", "suucha": "suchareach", "sancha": "sanchaho",
    "nagashi": "nagashimangan",
}  # fmt: skip
"""Draws by the beginnings of riichienv's names, as mjai names them."""


class Seats:
    """The tiles of the four seats, from riichienv's messages."""

    def __init__(self) -> None:
        self.held = [[0] * N_KINDS for _ in range(4)]
        self.melded = [[0] * N_KINDS for _ in range(4)]

    def apply(self, message: Message) -> None:
        kind = message["type"]
        if kind == "start_kyoku":
            self.__init__()
            for seat, tiles in enumerate(message["tehais"]):
                for tile in tiles:
                    self.held[seat][_kind(tile)] += 1
        elif kind == "tsumo":
            self.held[message["actor"]][_kind(message["pai"])] += 1
        elif kind == "dahai":
            self.held[message["actor"]][_kind(message["pai"])] -= 1
        elif kind in ("chi", "pon", "daiminkan", "ankan", "kakan"):
            given = [message["pai"]] if kind == "kakan" else message["consumed"]
            taken = [message["pai"]] if kind in ("chi", "pon", "daiminkan") else []
            for tile in given:
                self.held[message["actor"]][_kind(tile)] -= 1
            for tile in [*given, *taken]:
                self.melded[message["actor"]][_kind(tile)] += 1

    def waits_on_a_fifth_tile(self, seat: int) -> bool:
        """Whether a seat would be tenpai, but only on kinds of which it holds all four."""
        held, melded = self.held[seat], self.melded[seat]
        if sum(held) % 3 != 1:
            return False
        waits = []
        for kind in range(N_KINDS):
            counts = list(held)
            counts[kind] += 1
            if _is_complete(counts):
                waits.append(kind)
        return bool(waits) and all(held[k] + melded[k] == 4 for k in waits)


def _is_complete(counts: list[int], pair: bool = True) -> bool:
    """Whether counts, of which one may be five, are sets and a pair."""
    kind = next((k for k in range(N_KINDS) if counts[k]), None)
    if kind is None:
        return not pair
    ways = [(kind, kind, kind)]
    if pair:
        ways.append((kind, kind))
    if kind < 27 and kind % 9 < 7:
        ways.append((kind, kind + 1, kind + 2))
    for way in ways:
        rest = list(counts)
        for k in way:
            rest[k] -= 1
        if min(rest) >= 0 and _is_complete(rest, pair and len(way) == 3):
            return True
    return False


def their_key(message: Message) -> str:
    """A legal action of riichienv; those that give the same choice have the same key."""
    kind = message["type"]
    simple = {"reach": "riichi", "hora": "win", "ryukyoku": "nine terminals", "none": "pass"}
    if kind in simple:
        return simple[kind]
    if kind == "dahai":
        return "discard " + str(Tile.from_mjai(message["pai"]))
    if kind == "chi":
        low, high = sorted(map(Tile.from_mjai, message["consumed"]), key=lambda t: t.kind)
        return f"chi {str(low)[0]}{high}"
    if kind == "pon":
        return _pon(any(Tile.from_mjai(tile).red for tile in message["consumed"]))
    return f"kan {_kind(message.get('pai') or message['consumed'][0])}"


def our_keys(actions: Sequence[int]) -> frozenset[str]:
    """The same keys of the core's options, 256 bits in four words."""
    return frozenset(
        _our_key(name)
        for number, name in enumerate(ACTION_NAMES)
        if int(actions[number >> 6]) >> (number & 63) & 1
    )


def _our_key(name: str) -> str:
    verb, _, what = name.partition(" ")
    if verb in ("discard", "tsumogiri"):
        return "discard " + what
    if verb == "pon":
        return _pon(what[0] == "0")
    if verb == "kan":
        return f"kan {Tile.parse(what).kind}"
    return "win" if verb in ("tsumo", "ron") else name


def _pon(with_red: bool) -> str:
    return "pon " + ("red" if with_red else "plain")


def _kind(tile: str) -> int:
    return Tile.from_mjai(tile).kind


def _choose(dice: random.Random, keys: Sequence[str], held: Sequence[int]) -> int:
    """The index of what a player does: it wins, declares and calls often, and discards by
    shanten."""
    by_verb: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        by_verb.setdefault(key.split()[0], []).append(number)
    rates = {"win": WIN_RATE, "nine": ABORT_RATE, "riichi": RIICHI_RATE, "kan": KAN_RATE}
    for verb, rate in rates.items():
        if verb in by_verb and dice.random() < rate:
            return dice.choice(by_verb[verb])
    calls = by_verb.get("pon", []) + by_verb.get("chi", [])
    if calls and dice.random() < CALL_RATE:
        return dice.choice(calls)
    if "pass" in by_verb:
        return by_verb["pass"][0]
    shanten = []
    for number in by_verb["discard"]:
        rest = list(held)
        rest[Tile.parse(keys[number].split()[1]).kind] -= 1
        shanten.append((shanten_of(rest) + dice.random() / 2, number))
    return min(shanten)[1]


def their_game(seed: int, number: int) -> tuple[list[Message], list[list[Moment]]]:
    """The messages of a game at riichienv's table, and its legal actions by hand and moment."""
    from riichienv import GameRule, RiichiEnv

    dice = random.Random(seed * 100_003 + number)
    rule = GameRule.default_tenhou()
    env = RiichiEnv(game_mode="4p-red-half", rule=rule, seed=seed * 100_003 + number)
    observations = env.reset()
    hands: list[list[Moment]] = []
    place = None
    while not env.done():
        # Its log is read once, at the end: each look at it parses all of it.
        if place != (place := (env.round_wind, env.kyoku_idx, env.honba)):
            hands.append([])
        actions, moment = {}, {}
        for player, observation in observations.items():
            legal = observation.legal_actions()
            keys = [their_key(json.loads(action.to_mjai())) for action in legal]
            moment[player] = frozenset(keys)
            held = [0] * N_KINDS
            for tile in observation.hand:
                held[tile // 4] += 1
            actions[player] = legal[_choose(dice, keys, held)]
        if moment:
            hands[-1].append(moment)
        observations = env.step(actions)
    return [_message(m) for m in env.mjai_log], hands


def _message(given: str | Message) -> Message:
    message = dict(json.loads(given) if isinstance(given, str) else given)
    if message["type"] == "ryukyoku":
        reason = message["reason"]
        named = (mjai for start, mjai in _REASONS.items() if reason.startswith(start))
        message["reason"] = next(named, reason)
    return message


def our_moments(hand: Hand, rules: Ruleset) -> list[Moment]:
    """What the core lets each seat do, by moment."""
    found = hand_options(hand, rules)
    moments: dict[int, Moment] = {}
    for event, seat, actions in zip(
        found.event.tolist(), found.seat.tolist(), found.actions.tolist(), strict=True
    ):
        moments.setdefault(event, {})[seat] = our_keys(actions)
    return list(moments.values())


def compare(seed: int, number: int) -> tuple[Counter[str], list[str]]:
    """The counts of one game, and a sentence for each difference.

    A hand counts as ``hands`` if the checked replay takes it: its options and payments are
    compared. Else it is one of ``fifth_tile`` or ``refused``.
    """
    messages, theirs = their_game(seed, number)
    game = parse("\n".join(map(json.dumps, messages)).encode(), f"{seed}-{number}")
    counts, differences = Counter(games=1), list[str]()
    for place, (hand, log) in enumerate(zip(game.hands, _hands(messages), strict=True)):
        where = f"seed {seed}, game {number}, hand {place}"
        try:
            replay(hand, game.header.rules)
        except HaiyomiError as error:
            if _comes_to_a_fifth_tile(log):
                counts["fifth_tile"] += 1
            else:
                counts["refused"] += 1
                differences.append(f"{where}: {error}; it ends with {log[-8:]}")
            continue
        counts["hands"] += 1
        moments = theirs[place]
        counts["decisions"] += sum(map(len, moments))
        counts["options"] += sum(len(keys) for moment in moments for keys in moment.values())
        ours = our_moments(hand, game.header.rules)
        for at in range(max(len(ours), len(moments))):
            a, b = (side[at] if at < len(side) else {} for side in (ours, moments))
            if a != b:
                counts["differing"] += 1
                differences.append(f"{where}, moment {at}: {_apart(a, b)}")
                break
    return counts, differences


def _hands(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """The messages of each hand."""
    starts = [i for i, m in enumerate(messages) if m["type"] == "start_kyoku"]
    for begin, end in zip(starts, [*starts[1:], len(messages)], strict=True):
        yield list(messages[begin:end])


def _comes_to_a_fifth_tile(log: Sequence[Message]) -> bool:
    """Whether a seat waits on a fifth tile at its riichi or at the end of the hand."""
    seats, declared = Seats(), False
    for message in log:
        seats.apply(message)
        if message["type"] == "reach":
            declared = True
        elif message["type"] == "dahai" and declared:
            declared = False
            if seats.waits_on_a_fifth_tile(message["actor"]):
                return True
    return any(map(seats.waits_on_a_fifth_tile, range(4)))


def _apart(ours: Moment, theirs: Moment) -> str:
    nothing: frozenset[str] = frozenset()
    return "; ".join(
        f"seat {seat}: only ours {sorted(ours.get(seat, nothing) - theirs.get(seat, nothing))}, "
        f"only theirs {sorted(theirs.get(seat, nothing) - ours.get(seat, nothing))}"
        for seat in sorted(ours.keys() | theirs.keys())
        if ours.get(seat) != theirs.get(seat)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lines = given.log.read_text().splitlines() if given.log.exists() else []
    total = sum((Counter(json.loads(line)["counts"]) for line in lines), Counter[str]())
    for first in range(len(lines) * BATCH, given.games, BATCH):
        began = time.process_time()
        counts, differences = Counter[str](), list[str]()
        for number in range(first, first + BATCH):
            found, apart = compare(given.seed, number)
            counts += found
            differences += apart
        line = {
            "seed": given.seed, "first": first, "counts": counts, "differences": differences,
            "seconds": round(time.process_time() - began, 2),
        }  # fmt: skip
        with given.log.open("a") as log:
            log.write(json.dumps(line) + "\n")
        total += counts
    print(", ".join(f"{number:,} {name}" for name, number in total.items()))


if __name__ == "__main__":
    main()

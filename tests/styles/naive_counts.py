"""The statistics counted again from mjai messages, slowly and by other means.

Nothing here shares code with ``styles``: tiles are mjai texts in lists, shanten comes from the
package ``mahjong``.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from mahjong.shanten import Shanten

HONOURS = ("E", "S", "W", "N", "P", "F", "C")
RANKS = {"m": 0, "p": 9, "s": 18}


def kind(tile: str) -> int:
    plain = tile.replace("r", "")
    return 27 + HONOURS.index(plain) if plain in HONOURS else RANKS[plain[1]] + int(plain[0]) - 1


def next_kind(indicator: str) -> int:
    k = kind(indicator)
    if k >= 31:
        return 31 + (k - 30) % 3
    if k >= 27:
        return 27 + (k - 26) % 4
    return k // 9 * 9 + (k % 9 + 1) % 9


def steps(hand: list[str]) -> int:
    counts = [0] * 34
    for tile in hand:
        counts[kind(tile)] += 1
    return int(Shanten().calculate_shanten(counts))


def dora(hand: list[str], markers: list[str]) -> int:
    total = sum("r" in tile for tile in hand)
    for marker in markers:
        total += sum(kind(tile) == next_kind(marker) for tile in hand)
    return total


def count(lines: str, seat: int, absent_hands: set[int]) -> dict[str, tuple[float, float]]:
    """Statistic -> (what is divided, by what) of one seat over the games of some mjai lines."""
    messages = [json.loads(line) for line in lines.splitlines()]
    lists: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        lists.setdefault(name, []).append(value)

    turns_of_game: list[float] = []
    for number, hand in enumerate(_hands(messages)):
        if number in absent_hands:
            continue
        _one(hand, seat, note, turns_of_game)
    if turns_of_game:
        note("riichi_turn_by_game", sum(turns_of_game) / len(turns_of_game))
    return {name: (sum(values), len(values)) for name, values in lists.items()}


def _hands(messages: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    hands: list[list[dict[str, Any]]] = []
    for m in messages:
        if m["type"] == "start_kyoku":
            hands.append([])
        if hands and m["type"] not in ("end_kyoku", "end_game"):
            hands[-1].append(m)
    return hands


def _one(hand: list[dict[str, Any]], seat: int, note: Any, turns_of_game: list[float]) -> None:
    start = hand[0]
    points = start["scores"][seat]
    dealer = start["oya"] == seat
    if seat == 0:
        note("first_dealer_points", points)
    if (start["oya"] + 3) % 4 == seat:
        note("north_points", points)
    if start["bakaze"] == "E":
        note("east_round_points", points)
    if start["bakaze"] == "S":
        note("south_round_points", points)
    mine = list(start["tehais"][seat])
    kans: list[str] = []
    markers = [start["dora_marker"]]
    own_calls = own_turns = 0
    riichi_before = pending = reached = False
    first = False
    for m in hand[1:]:
        me = m.get("actor") == seat
        if m["type"] == "dora":
            markers.append(m["dora_marker"])
        elif m["type"] == "tsumo" and me:
            mine.append(m["pai"])
        elif m["type"] == "reach":
            if me:
                pending = True
                first = not riichi_before
                note("riichi_turn", own_turns + 1)
                note("riichi_points", points)
                turns_of_game.append(own_turns + 1)
            riichi_before = True
        elif m["type"] == "dahai" and me:
            mine.remove(m["pai"])
            own_turns += 1
            if pending:
                note("riichi_dora", dora(mine + kans, markers))
            if not own_calls and not reached and steps(mine) == 0:
                reached = True
                note("immediate_riichi_rate", pending)
                if not dealer:
                    note("immediate_riichi_rate_child", pending)
            pending = False
        elif m["type"] in ("chi", "pon", "daiminkan") and me:
            if not own_calls:
                note("first_call_points", points)
                note("first_call_honours", sum(t in HONOURS for t in mine))
                note("first_call_dora", dora(mine + kans, markers))
                note("first_call_shanten", steps(mine))
            own_calls += 1
            note("call_turn", own_turns + 1)
            if dealer:
                note("dealer_call_honba", start["honba"])
            for tile in m["consumed"]:
                mine.remove(tile)
        elif m["type"] == "ankan" and me:
            for tile in m["consumed"]:
                mine.remove(tile)
            kans += m["consumed"]
        elif m["type"] == "kakan" and me:
            mine.remove(m["pai"])
    note("first_riichi_rate", first)
    note("calls", own_calls)
    note("end_honours", sum(t in HONOURS for t in mine))
    note("riichi_rate", sum(m["type"] == "reach" and m["actor"] == seat for m in hand))
    note("call_rate", own_calls > 0)
    wins = Counter(m["actor"] for m in hand if m["type"] == "hora")
    note("win_rate", wins[seat])
    dealt = [m for m in hand if m["type"] == "hora" and m["target"] == seat != m["actor"]]
    note("deal_in_rate", bool(dealt))

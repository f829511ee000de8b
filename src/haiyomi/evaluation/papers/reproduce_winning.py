"""``haiyomi reproduce winning``: tomohxx's equations on worked hands, and two programs' values.

The file of published values holds 28 hands under seven conventions, computed with
tomohxx/mahjong-win-prob and nekobean/mahjong-cpp (its ``meta`` names the versions).
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from haiyomi.errors import DatasetError
from haiyomi.json_types import KnownJson
from haiyomi.kernels.winning import SEVEN_PAIRS, THIRTEEN_ORPHANS, GraphRules, WinHands, win_values
from haiyomi.tiles import kind_counts, parse_tiles
from haiyomi.winning.convention import DEFAULT, RETURNS, Convention, find_convention
from haiyomi.winning.irregular import seven_pairs, thirteen_orphans
from haiyomi.winning.question import TURNS, WinQuestion
from haiyomi.winning.table import WinTable, win_tables
from haiyomi.winning.unbranched import backward, closed_form, forward

CONVENTIONS: Final = {
    "tomo_main1": "tomo-main1",
    "tomo_main2_extra0": "tomo-main2",
    "tomo_main2_extra1": "tomo-main2-extra1",
    "neko_A": "neko-A",
    "neko_B": "neko-B",
    "neko_C": "neko-C",
    "neko_D": "neko-D",
}
"""Name in the file of published values -> the convention that reproduces them."""
QUANTITIES: Final = {"win": "win", "tenpai": "tenpai", "score": "points"}
MELDS: Final = {0: "", 1: "777z", 2: "777z,666z"}
CHAINS: Final = ((4,), (20, 8), (36, 20, 8), (60, 44, 30, 12, 7, 3))
"""Useful tiles a_0, a_1, ... of hands whose numbers change in one way only."""
PAIRS: Final = ("1133m2244p5566s7z", "1199m27p358s12z66z", "1379m2468p24s125z")
ORPHAN_HANDS: Final = ("19m19p19s1234567z", "119m19p19s123456z", "1357m19p29s1234z7z")
WALL: Final = 123
FIGURE_HAND: Final = "1123m"


def experiment(published: Path) -> KnownJson:
    """Every comparison. Raises DatasetError where the file does not hold published values."""
    try:
        with gzip.open(published, "rt", encoding="utf-8") as file:
            hands: list[KnownJson] = json.load(file)["hands"]
    except FileNotFoundError:
        raise DatasetError(f"no file of published values {published}") from None
    except (OSError, ValueError, KeyError) as error:
        raise DatasetError(f"{published}: no file of published values ({error})") from None
    return {
        "experiment": "reproduce winning",
        "hands": len(hands),
        "turns": TURNS,
        "wall": WALL,
        "chains": [_chain(useful) for useful in CHAINS],
        "irregular": [*map(_pairs, PAIRS), *map(_orphans, ORPHAN_HANDS)],
        "conventions": [_against(hands, name) for name in CONVENTIONS],
        "values": [_values_of(hand) for hand in hands],
        "remedies": _remedies(hands),
    }


def _chain(useful: tuple[int, ...]) -> KnownJson:
    """(1)-(5) of one chain: the chance to have won by turn, in three ways, and over the graph."""
    won = [closed_form(useful, WALL, t) for t in range(TURNS + 1)]
    cuts = [
        sum(
            a * b
            for a, b in zip(
                forward(useful, WALL, cut), backward(useful, WALL, TURNS, TURNS - cut), strict=True
            )
        )
        for cut in range(TURNS + 1)
    ]
    return {
        "useful": list(useful),
        "won": [float(p) for p in won],
        "forward_equal": all(forward(useful, WALL, t)[-1] == p for t, p in enumerate(won)),
        "cuts_equal": all(p == won[-1] for p in cuts),
        "states": [float(p) for p in forward(useful, WALL, TURNS)],
    }


def _graph_values(hand: str, forms: int) -> Any:
    counts = np.array([kind_counts(parse_tiles(hand))], dtype=np.uint8)
    turns = np.arange(1, TURNS + 1)
    wall = (WALL + 1 - turns).astype(np.float64)[None]
    hands = WinHands(counts, 4 - counts, np.zeros((1, 6), bool), wall)
    return win_values(hands, GraphRules(forms=forms)).values[0, 0]


def _irregular(hand: str, form: str, forms: int, closed: Any) -> KnownJson:
    """The closed form with all 18 draws to come, and its largest difference from the graph."""
    counts = kind_counts(parse_tiles(hand))
    values = _graph_values(hand, forms)
    apart = 0.0
    for t in range(1, TURNS + 1):
        tenpai, win = closed(counts, WALL + 1 - t, TURNS - t)
        apart = max(apart, abs(values[0, t - 1] - win), abs(values[1, t - 1] - tenpai))
    tenpai, win = closed(counts, WALL, TURNS - 1)
    return {"hand": hand, "form": form, "tenpai": tenpai, "win": win, "largest": float(apart)}


def _pairs(hand: str) -> KnownJson:
    return _irregular(hand, "seven pairs", SEVEN_PAIRS, seven_pairs)


def _orphans(hand: str) -> KnownJson:
    return _irregular(hand, "thirteen orphans", THIRTEEN_ORPHANS, thirteen_orphans)


def _tables(hands: list[KnownJson], convention: Convention) -> tuple[WinTable, ...]:
    questions = [WinQuestion.parse(hand["hand"], melds=MELDS[hand["melds"]]) for hand in hands]
    return win_tables(questions, convention)


def _against(hands: list[KnownJson], name: str) -> KnownJson:
    """How far the values of one convention are from the published ones, by quantity; of points the
    relative difference."""
    chosen = [hand for hand in hands if name in hand["results"]]
    tables = _tables(chosen, find_convention(CONVENTIONS[name]))
    out: KnownJson = {"published": name, "convention": CONVENTIONS[name], "hands": len(chosen)}
    for theirs, ours in QUANTITIES.items():
        apart, n = 0.0, 0
        for hand, table in zip(chosen, tables, strict=True):
            values = table.to_json()[ours]
            for discard, published in hand["results"][name].get(theirs, {}).items():
                error = np.abs(np.array(published) - values[discard])
                if theirs == "score":
                    error = error / np.maximum(1.0, np.abs(published))
                apart, n = max(apart, float(error.max())), n + len(published)
        out[ours] = {"n": n, "largest": apart if n else None}
    return out


def _values_of(hand: KnownJson) -> KnownJson:
    """The published chance to win of the best discard at turn 1, by convention."""
    best = {
        name: max(values[0] for values in found["win"].values())
        for name, found in hand["results"].items()
    }
    return {"hand": hand["hand"], "melds": hand["melds"], "shanten": hand["shanten"], "win": best}


def _remedies(hands: list[KnownJson]) -> list[KnownJson]:
    """Both remedies and the literal (6) on the same hands and graph, at turn 1."""
    closed = [hand for hand in hands if hand["melds"] == 0]
    literal = DEFAULT.but(name="literal", remedy="literal")
    tables = [_tables(closed, c) for c in (DEFAULT, RETURNS, literal)]
    return [
        {
            "hand": hand["hand"],
            "shanten": hand["shanten"],
            "win": [max(row.win[0] for row in table.rows) for table in of_hand],
            "tenpai": [max(row.tenpai[0] for row in table.rows) for table in of_hand],
        }
        for hand, *of_hand in zip(closed, *tables, strict=True)
    ]

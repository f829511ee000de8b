"""The names of the feature columns say what they hold: compared with the facts of positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from haiyomi.corpus.one import read
from haiyomi.events import Chi, Discard, Kakan, Pon, Riichi
from haiyomi.game.position import Position
from haiyomi.kernels.network import CONTEXT, KIND, STYLE
from haiyomi.play.decision import Decision, decisions
from haiyomi.play.demo import demo_game
from haiyomi.play.feature_names import (
    CONTEXT_FEATURES,
    CONTEXT_NAMES,
    KIND_FEATURES,
    KIND_NAMES,
    OPPONENTS,
    STYLE_SLOT,
)
from haiyomi.play.packed_decision import decision_of, features
from haiyomi.play.stated_decision import decision_at
from haiyomi.play.tables import Tables
from haiyomi.tiles import parse_tiles

Kinds = Callable[[Decision, int], float]
Whole = Callable[[Decision], float]


def _in(mask: int, kind: int) -> bool:
    return bool(mask >> kind & 1)


def _count(tiles: Sequence[Any], kind: int) -> int:
    return sum(tile.kind == kind for tile in tiles)


def _river(d: Decision, seat: int) -> list[Any]:
    return [lain.tile for lain in d.position.players[seat].river]


def _melds(d: Decision, seat: int, kind: int) -> int:
    return sum(_count(meld.tiles, kind) for meld in d.position.players[seat].melds)


def _value_meld(d: Decision, seat: int) -> bool:
    position = d.position
    value = {31, 32, 33, position.round_wind, position.seat_wind(seat)}
    return any(m.kind != "chi" and m.base in value for m in position.players[seat].melds)


def _simple(d: Decision, seat: int) -> bool:
    tiles = [t for m in d.position.players[seat].melds for t in m.tiles]
    return bool(tiles) and all(t.kind < 27 and t.kind % 9 not in (0, 8) for t in tiles)


def _may(d: Decision, act: str) -> bool:
    for choice in d.choices:
        if isinstance(choice, Chi):
            low = min(t.kind for t in choice.consumed)
            high = max(t.kind for t in choice.consumed)
            called = choice.tile.kind
            if act == (
                "chi_low" if called < low else "chi_high" if called > high else "chi_middle"
            ):
                return True
        if (isinstance(choice, Pon) and act == "pon") or (
            isinstance(choice, Riichi) and act == "riichi"
        ):
            return True
    return False


OF_KINDS: dict[str, Kinds] = {
    **{f"held_{n}": lambda d, k, n=n: _count(d.position.hand, k) >= n for n in range(1, 5)},
    **{f"unseen_{n}": lambda d, k, n=n: d.position.unseen[k] >= n for n in range(1, 5)},
    "drawn": lambda d, k: (
        d.offer is None and d.position.drawn is not None and d.position.drawn.kind == k
    ),
    "offered": lambda d, k: d.offer is not None and d.offer.tile.kind == k,
    "own_red": lambda d, k: any(t.red and t.kind == k for t in d.position.hand),
    "dora": lambda d, k: d.position.dora[k],
    "indicator": lambda d, k: _count(d.position.indicators, k),
    "discard": lambda d, k: any(c.tile.kind == k for c in d.of(Discard)),
    "own_river": lambda d, k: _count(_river(d, 0), k),
    "own_river_last_3": lambda d, k: _count(_river(d, 0)[-3:], k),
    "own_river_first_6": lambda d, k: _count(_river(d, 0)[:6], k),
    "own_passed": lambda d, k: _in(d.position.players[0].passed_mask, k),
    "own_wind": lambda d, k: k == d.position.seat_wind(0),
    "round_wind": lambda d, k: k == d.position.round_wind,
    "dragon": lambda d, k: k > 30,
    "rank_1_9": lambda d, k: k < 27 and k % 9 in (0, 8),
    "rank_4_6": lambda d, k: k < 27 and k % 9 in (3, 5),
    "rank_5": lambda d, k: k < 27 and k % 9 == 4,
    "suit_held": lambda d, k: sum(t.kind // 9 == k // 9 for t in d.position.hand) / 10,
    "red_unseen": lambda d, k: k in (4, 13, 22) and not _in(d.position.reds_seen, k // 9),
    "unused": lambda d, k: 0,
}
OF_WHOLE: dict[str, Whole] = {
    "turn": lambda d: len(_river(d, 0)) / 18,
    "first_turn": lambda d: not _river(d, 0),
    "draws_left": lambda d: d.position.draws_left / 70,
    "draws_left_below_12": lambda d: d.position.draws_left < 12,
    "hand": lambda d: d.position.kyoku / 8,
    "south_or_later": lambda d: d.position.kyoku >= 4,
    "south_4_or_later": lambda d: d.position.kyoku >= 7,
    "honba": lambda d: min(d.position.honba, 8) / 4,
    "sticks": lambda d: min(d.position.sticks, 8) / 4,
    "score": lambda d: d.position.players[0].score / 25000,
    "closed": lambda d: not d.position.players[0].open_melds,
    "own_riichi": lambda d: d.position.players[0].riichi,
    "own_value_meld": lambda d: _value_meld(d, 0),
    "own_simple_melds": lambda d: _simple(d, 0),
    "riichi": lambda d: sum(p.riichi for p in d.position.players[1:]) / 2,
    "open_melds": lambda d: sum(p.open_melds for p in d.position.players[1:]) / 4,
    "own_turn": lambda d: d.offer is None,
    "after_call": lambda d: d.offer is None and d.position.drawn is None,
    "offer_riichi": lambda d: isinstance(d.offer, Discard) and any(
        river[-1:] and river[-1].riichi and (d.offer.seat - d.seat) % 4 == seat
        for seat, river in enumerate(p.river for p in d.position.players)
    ),
    "offer_dora": lambda d: 0 if d.offer is None else d.position.dora[d.offer.tile.kind],
    "offer_red": lambda d: isinstance(d.offer, Discard) and d.offer.tile.red,
    "hanchan": lambda d: d.position.rules.rounds == 2,
    "east_only": lambda d: d.position.rules.rounds == 1,
    **{f"place_{n}": lambda d, n=n: n - 1 == sum(
        p.score > d.position.players[0].score for p in d.position.players[1:]
    ) for n in range(1, 5)},
    **{f"own_melds_{n}": lambda d, n=n: len(d.position.players[0].melds) == n for n in range(5)},
    **{f"may_{act}": lambda d, act=act: _may(d, act)
       for act in ("riichi", "chi_low", "chi_middle", "chi_high", "pon")},
    **{f"red_seen_{suit}": lambda d, s=s: _in(d.position.reds_seen, s)
       for s, suit in enumerate("mps")},
    **{f"unused_{n}": lambda d: 0 for n in range(3)},
    **{f"style_{n}": lambda d: 0 for n in range(STYLE)},
    "own_dealer": lambda d: d.position.dealer == 0,
}  # fmt: skip
for seat, who in enumerate(OPPONENTS, 1):
    OF_KINDS |= {
        f"{who}_river": lambda d, k, s=seat: _count(_river(d, s), k),
        f"{who}_river_first_6": lambda d, k, s=seat: _count(_river(d, s)[:6], k),
        f"{who}_river_last_3": lambda d, k, s=seat: _count(_river(d, s)[-3:], k),
        f"{who}_riichi_tile": lambda d, k, s=seat: any(
            lain.riichi and lain.tile.kind == k for lain in d.position.players[s].river
        ),
        f"{who}_passed": lambda d, k, s=seat: _in(d.position.players[s].passed_mask, k),
        f"{who}_meld": lambda d, k, s=seat: _melds(d, s, k) / 3,
        f"{who}_riichi_safe": lambda d, k, s=seat: (
            d.position.players[s].riichi
            and _in(d.position.players[s].river_mask | d.position.players[s].riichi_mask, k)
        ),
    }
    OF_WHOLE |= {
        f"{who}_dealer": lambda d, s=seat: d.position.dealer == s,
        f"{who}_riichi": lambda d, s=seat: d.position.players[s].riichi,
        f"{who}_melds": lambda d, s=seat: len(d.position.players[s].melds) / 4,
        f"{who}_melds_2": lambda d, s=seat: len(d.position.players[s].melds) >= 2,
        f"{who}_value_meld": lambda d, s=seat: _value_meld(d, s),
        f"{who}_simple_melds": lambda d, s=seat: _simple(d, s),
        f"{who}_ippatsu": lambda d, s=seat: d.position.players[s].ippatsu,
        f"{who}_ahead": lambda d, s=seat: np.clip(
            (d.position.players[s].score - d.position.players[0].score) / 10000, -3, 3
        ),
        f"from_{who}": lambda d, s=seat: d.offer is not None and (d.offer.seat - d.seat) % 4 == s,
    }


@pytest.fixture(scope="module")
def made() -> list[Decision]:
    return [*decisions(demo_game()), *decisions(read("tests/samples/haiyomi-7-00001.mjlog"))]


@pytest.fixture(scope="module")
def columns(made: list[Decision]) -> tuple[Any, Any]:
    return features(np.concatenate([decision_of(decision) for decision in made]))


def test_there_is_a_name_for_each_column() -> None:
    for names, listed, n in (
        (KIND_NAMES, KIND_FEATURES, KIND), (CONTEXT_NAMES, CONTEXT_FEATURES, CONTEXT)
    ):  # fmt: skip
        assert len(names) == len(set(names)) == len(listed) == n
        assert all(name.isidentifier() for name in names)
        # They stand in a table of Markdown.
        assert all(feature.meaning and "|" not in feature.meaning for feature in listed)


@pytest.mark.parametrize("name", OF_KINDS)
def test_a_column_of_the_kinds_is_what_its_name_says(
    name: str, made: list[Decision], columns: tuple[Any, Any]
) -> None:
    column = columns[0][..., KIND_NAMES.index(name)]
    says = [[float(OF_KINDS[name](d, k)) for k in range(34)] for d in made]
    np.testing.assert_allclose(column, says, atol=1e-6)
    assert name == "unused" or column.any()


@pytest.mark.parametrize("name", OF_WHOLE)
def test_a_column_of_the_whole_is_what_its_name_says(
    name: str, made: list[Decision], columns: tuple[Any, Any]
) -> None:
    column = columns[1][:, CONTEXT_NAMES.index(name)]
    np.testing.assert_allclose(column, [float(OF_WHOLE[name](d)) for d in made], atol=1e-6)


def _of(text: str) -> tuple[dict[str, Any], dict[str, float]]:
    kinds, whole = features(decision_of(decision_at(Position.from_json(text))))
    named = {name: kinds[0, :, i] for i, name in enumerate(KIND_NAMES)}
    return named, dict(zip(CONTEXT_NAMES, whole[0].tolist(), strict=True))


def _kinds(column: Any) -> list[int]:
    return np.flatnonzero(column).tolist()


def _are(tiles: str) -> list[int]:
    return sorted({tile.kind for tile in parse_tiles(tiles)})


def test_the_columns_of_tile_efficiency_of_a_known_hand() -> None:
    """123m 456p 789s 1122z and 9p: 9p leaves a wait for 1z and 2z, two tiles each."""
    kinds, whole = _of(
        '{"seat": "E", "indicators": "6s", "hand": "123m406p789s1122z", "drawn": "9p"}'
    )
    assert _kinds(kinds["discard_best"]) == _are("9p")
    assert kinds["useful"][17] == pytest.approx(4 / 20)
    assert kinds["useful_kinds"][17] == pytest.approx(2 / 8)
    assert kinds["useful_most"][17] == kinds["useful_share"][17] == 1
    assert 17 not in _kinds(kinds["discard_second"])
    assert 27 in _kinds(kinds["discard_second"])
    assert kinds["useful_otherwise"][17] == 0
    assert _kinds(kinds["wait"]) == _are("12z")
    assert _kinds(kinds["dora"]) == _are("7s")
    assert _kinds(kinds["own_red"]) == _are("0p")
    assert whole["shanten_0"] == whole["thin_wait"] == whole["nine_outer_kinds"] + 1 == 1
    assert whole["best_useful"] == pytest.approx(4 / 20)
    assert whole["best_discards"] == pytest.approx(1 / 6)
    assert whole["own_dora_2"] == 1  # 7s and the red five
    assert whole["pairs"] == pytest.approx(2 / 6)
    assert whole["outer_kinds"] == pytest.approx(5 / 9)  # 1m 9p 9s 1z 2z
    assert whole["flush_share"] == pytest.approx(8 / 14)  # pinzu and honours


def test_the_columns_of_an_opponent_of_a_known_position() -> None:
    """South discarded 4m from the hand, then 9s and declared riichi; West then drew and cut 3p."""
    kinds, whole = _of("""{
        "seat": "E", "indicators": "6s", "hand": "234m556799p34s66z", "drawn": "9s",
        "players": {"E": {"river": "1s 2z"}, "S": {"river": "4m 9s!"}, "W": {"river": "2z 3p*"},
                    "N": {"river": "9p 1z"}}}""")
    assert whole["right_riichi"] == whole["right_riichi_new"] == 1
    assert whole["across_riichi"] == whole["left_riichi"] == 0
    assert whole["riichi"] == 0.5
    assert _kinds(kinds["right_riichi_tile"]) == _are("9s")
    assert kinds["right_last_tedashi"][26] == 1
    assert kinds["right_last_tedashi"][3] == 0.5
    assert _kinds(kinds["across_tedashi"]) == _are("2z")
    assert _kinds(kinds["right_tedashi"]) == _are("4m9s")
    assert set(_are("17m")) <= set(_kinds(kinds["right_suji"]))
    assert set(_are("17m")) <= set(_kinds(kinds["right_riichi_suji"]))
    assert _are("6s")[0] not in _kinds(kinds["right_suji"])  # 45s waits on it
    assert 3 not in _kinds(kinds["right_riichi_suji"])
    assert set(_are("4m9s")) <= set(_kinds(kinds["riichi_safe"]))
    assert kinds["riichi_unsafe"][parse_tiles("5s")[0].kind] == 1
    assert kinds["right_recent"][26] > kinds["right_recent"][3] > 0


def test_a_riichi_s_age_counts_the_discards_after_it(
    made: list[Decision], columns: tuple[Any, Any]
) -> None:
    age = columns[1][:, CONTEXT_NAMES.index("left_riichi_age")]
    expected = [
        0
        if (p := d.position.players[3]).riichi_index is None
        else len(p.river) - p.riichi_index - 1
        for d in made
    ]
    # A riichi whose tile is not discarded yet has no age.
    np.testing.assert_allclose(age * 10, np.maximum(expected, 0), atol=1e-5)


def test_features_leaves_the_style_s_place_empty(columns: tuple[Any, Any]) -> None:
    assert not columns[1][:, STYLE_SLOT].any()
    assert CONTEXT_NAMES[STYLE_SLOT] == tuple(f"style_{n}" for n in range(8))


def test_kakans_are_offered_as_kans(made: list[Decision], columns: tuple[Any, Any]) -> None:
    red = columns[1][:, CONTEXT_NAMES.index("offer_red")]
    assert not any(red[i] for i, d in enumerate(made) if isinstance(d.offer, Kakan))


def test_the_tables_features_have_these_columns() -> None:
    tables = Tables(3, seed=1)
    pending = tables.reset()
    kinds, whole = tables.features()
    assert kinds.shape == (len(pending), 34, len(KIND_NAMES))
    assert whole.shape == (len(pending), len(CONTEXT_NAMES))
    drawn = kinds[..., KIND_NAMES.index("drawn")]
    np.testing.assert_array_equal(drawn.argmax(axis=1), tables.records()["drawn"])

"""What open hands lack for a yaku, by brute force, and what it takes from their wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from forecasts import any_later, played
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, no_melds, score
from haiyomi.kernels.yaku import YAKU
from haiyomi.outcomes.corrections.open_yaku import ONE_MORE, no_yaku_near, open_yaku_part
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.joint import OWN_WINS
from haiyomi.outcomes.option_actions import core_options
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.stated_decision import decision_at
from haiyomi.tiles import Tile, kind_counts

NAMES = [yaku.name for yaku in YAKU]
FLEXIBLE = [i for i, n in enumerate(NAMES) if " wind " in n] + [
    NAMES.index(n)
    for n in ("haku", "hatsu", "chun", "tanyao", "toitoi", "honitsu", "chinitsu", "tsuuiisou")
]
BY_RUNS = [NAMES.index(n) for n in ("ittsu", "sanshoku doujun", "chanta", "junchan", "honroutou")]


def added(hands: NDArray[np.uint8], left: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """All hands with a tile more of those that are left."""
    more = np.concatenate([hands + row for row in np.eye(34, dtype=np.uint8)])
    start = hands[0].astype(int)
    return np.unique(more[(more.astype(int) - start <= left).all(axis=1)], axis=0)


def without_one(hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
    fewer = [hands[hands[:, k] > 0] - np.eye(34, dtype=np.uint8)[k] for k in range(34)]
    return np.unique(np.concatenate(fewer), axis=0)


def lacking(position: Position, thrown: Tile) -> list[int]:
    """The fewest tiles after which the hand is complete; with a flexible yaku; with any of the
    listed ones. 3 for three and more."""
    own = position.players[0]
    tiles = list(position.hand)
    tiles.remove(thrown)
    start = np.array([kind_counts(tiles)], np.uint8)
    left = np.array(position.unseen, np.uint8)
    one = added(start, left)
    found = [3, 3, 3]
    for steps, hands in ((2, without_one(added_to(one, start, left))), (1, one)):
        melds = no_melds(len(hands))
        for i, meld in enumerate(own.melds):
            melds[:, i] = MeldType[meld.kind.upper()], meld.base
        scored = score(
            hands, hands.argmax(axis=1), melds=melds,
            round_wind=27 + position.kyoku // 4, seat_wind=27 + (4 - position.dealer) % 4,
        )  # fmt: skip
        han = scored.yaku_han > 0
        good = han[:, FLEXIBLE].any(axis=1)
        each = (scored.complete, good, good | han[:, BY_RUNS].any(axis=1))
        found = [steps if flag.any() else n for n, flag in zip(found, each, strict=True)]
    return found


def added_to(
    hands: NDArray[np.uint8], start: NDArray[np.uint8], left: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    more = np.concatenate([hands + row for row in np.eye(34, dtype=np.uint8)])
    return np.unique(more[(more.astype(int) - start[0] <= left).all(axis=1)], axis=0)


CALLED = ("chi 1s23s", "chi 7p89p", "chi 2m34m", "chi 4p56p", "pon 9m99m", "pon 4z44z", "pon 5z55z")


def open_position(rng: np.random.Generator) -> Position:
    """A position of an open hand with two melds, most of whose tiles are of a few ranks."""
    melds = [CALLED[i] for i in rng.choice(len(CALLED), 2, replace=False)]
    taken = [meld.split()[1][:2] for meld in melds]
    deck = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] * 2 + ["2z", "3z", "6z"] * 2
    deck[deck.index("9m")] = "5z"
    low = int(rng.integers(0, 19))
    drawn = [deck[i] for i in rng.choice(np.arange(low, low + 12), 5, replace=False)]
    drawn += [deck[27 + i] for i in rng.choice(np.arange(33), 3, replace=False)]
    rivers = {name: {"river": "1z 7z"} for name in "WN"}
    return Position.from_json({
        "seat": "S", "indicators": "4z", "hand": "".join(sorted(drawn[:7], key=lambda t: t[1])),
        "drawn": drawn[7], "draws_left": 50,
        "players": {
            **rivers, "S": {"river": "1z 7z", "melds": [f"{meld} from E" for meld in melds]},
            "E": {"river": " ".join(["7z", *(f"{tile}^S" for tile in taken)])},
        },
    })  # fmt: skip


def test_what_open_hands_lack_is_what_brute_force_finds() -> None:
    rng = np.random.default_rng(8)
    found = [decision_at(open_position(rng)) for _ in range(300)]
    block = OptionBlock.of(found)
    steps = core_options(block.records, block.actions).open_steps(True)
    exact, seen = [], set()
    for i in np.flatnonzero(block.does("discard"))[::11].tolist():
        due = lacking(found[block.row[i]].position, block.flat[i].tiles[0])
        mine = np.minimum(steps[i], 3).tolist()
        assert all(a <= b for a, b in zip(mine, due, strict=True)), (found[block.row[i]], mine, due)
        exact.append(mine == due)
        seen.add(tuple(mine))
    assert len(exact) > 80
    assert np.mean(exact) > 0.95
    assert seen >= {(1, 2, 2), (2, 2, 2), (2, 3, 2), (2, 3, 3), (3, 3, 3)}


def wins(hand: str, called: str) -> dict[str, float]:
    """P(win) after each discard of a hand in the third turn."""
    rivers = {name: {"river": "1z 9s"} for name in "SWN"}
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": hand, "drawn": "9p", "draws_left": 60,
        "players": {**rivers, "S": {"river": "1z 9s", "melds": [f"chi {called} from E"]},
                    "E": {"river": f"9s {called[:2]}^S 4z"}},
    })  # fmt: skip
    (found,) = outcomes_of(Models(), [decision_at(position)], "points")
    return {str(outcome.option): outcome.win for outcome in found}


def test_a_hand_that_has_no_yaku_in_sight_wins_less_often_than_the_same_with_one() -> None:
    """The same shape, once with simples within reach and once with a meld that forbids them."""
    with_yaku = wins("34677m56s44p6p", "3s24s")
    without = wins("34677m56s44p6p", "1s23s")
    assert without["discard 9p"] < 0.6 * with_yaku["discard 9p"]


def test_a_discard_after_a_call_that_nobody_makes_keeps_no_more_wins() -> None:
    found = [d for n in range(4) for d in played(n) if d.position.players[0].open_melds]
    block = OptionBlock.of([d for d in found if d.offer is None])
    n = len(block.decisions)
    later = replace(any_later(block), share=1 / np.bincount(block.row)[block.row])
    often, never = (
        block_forecast(block, later, made=np.full(n, made)).later[OWN_WINS].sum(axis=(0, 1))
        for made in (1.0, 0.0)
    )
    assert (never <= often + 1e-12).all()
    assert (never < 0.9 * often).any()


def test_a_record_whose_hand_lacks_the_discard_is_refused() -> None:
    """A named case: a count below nothing was looked up (found under the sanitizers)."""
    block = OptionBlock.of([decision_at(open_position(np.random.default_rng(8)))])
    rows = core_options(block.records, block.actions)
    records = block.records.copy()
    records["hand"][0, block.flat[0].tiles[0].kind] = 0
    with pytest.raises(ValueError, match="record 0 is damaged"):
        core_options(records, block.actions).open_steps(True)
    assert rows.open_steps(True).shape == (len(block.row), 3)


def test_closed_hands_and_options_that_players_choose_keep_their_wins() -> None:
    found = [d for n in range(4) for d in played(n) if d.offer is None and len(d.choices) > 1]
    block = OptionBlock.of(found)
    none, every = np.zeros(len(block.row)), np.ones(len(block.row))
    part = open_yaku_part(block, none, every)
    opened = np.array([d.position.players[0].open_melds > 0 for d in found])[block.row]
    assert (part[~opened] == 1).all()
    assert (part <= 1).all()
    assert (part == ONE_MORE).any()
    assert (open_yaku_part(block, every, every) == 1).all()


@pytest.mark.parametrize(
    ("hand", "without"),
    [
        ("345m678p3456s", False),  # all simples
        ("123m678p4567s", True),  # tenpai, without a yaku on any tile
        ("123m78p123s99p", True),
        ("345m78p34s777z", False),  # a triplet of Red
        ("1135m78p13s99p", True),
        ("123m23p12s99p9s", False),  # an outside hand
    ],
)
def test_named_hands_without_a_yaku_near(hand: str, without: bool) -> None:
    assert no_yaku_after(hand, "8s67s", "9m", "5z", "4z") is without


def test_a_wait_whose_tiles_are_all_seen_has_its_yaku() -> None:
    assert not no_yaku_after("234m234p22p46s", "5s34s", "0s", "5s", "5s")


def no_yaku_after(hand: str, chi: str, west: str, north: str, indicator: str) -> bool:
    """Of South after a chi from East and the discard of the drawn 1z."""
    position = Position.from_json({
        "seat": "S", "indicators": indicator, "hand": hand, "drawn": "1z",
        "players": {
            "E": {"river": f"4z 6z {chi[:2]}^ 9m 3z 6z"},
            "S": {"river": "2z 9p 9m 5z 1p", "melds": [f"chi {chi} from E"]},
            "W": {"river": f"4z {west} 2z 3z 6z"}, "N": {"river": f"4z 2z 3z {north} 9s"},
        },
    })  # fmt: skip
    block = OptionBlock.of([decision_at(position)])
    return bool(no_yaku_near(block)[[str(option) for option in block.flat].index("discard 1z")])

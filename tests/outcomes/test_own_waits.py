"""The wait of the own hand after an option: tiles left, furiten, yaku."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.outcomes.answer import OwnWait
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.own_waits import own_waits
from haiyomi.play.stated_decision import decision_at

PLAYERS = {name: {"river": "4z 6z 2z 1z 3z"} for name in "WN"} | {
    "E": {"river": "4z 7z 2z 1z 3z 6z"}
}


def wait(
    hand: str, option: str, river: str = "9s 1s 9p 5z 5z", indicator: str = "4z", left: int = 32
) -> OwnWait:
    """Of the South seat that has drawn 1m."""
    position = Position.from_json({
        "seat": "S", "indicators": indicator, "hand": hand, "drawn": "1m", "draws_left": left,
        "players": PLAYERS | {"S": {"river": river}},
    })  # fmt: skip
    block = OptionBlock.of([decision_at(position)])
    return own_waits(block)[block.flat.index(Option.parse(option))]


@pytest.mark.parametrize(
    ("hand", "river", "on", "left", "furiten", "ron"),
    [
        ("234m678p34567s55p", "9s 1s 9p 5z 5z", "2s 5s 8s", 11, False, True),  # tanyao on all three
        ("234m678p34567s55p", "9s 8s 9p 5z 5z", "2s 5s 8s", 10, True, False),
        ("123m789p456s46p99s", "9s 1s 9p 5z 5z", "5p", 4, False, False),  # nothing but riichi
    ],
)
def test_named_waits(hand: str, river: str, on: str, left: int, furiten: bool, ron: bool) -> None:
    found = wait(hand, "discard 1m", river)
    assert " ".join(map(str, found.on)) == on
    assert (found.left, found.furiten) == (left, furiten)
    assert (found.ron, found.ron_left) == ((found.on, left) if ron else ((), 0))
    declared = wait(hand, "riichi 1m", river)
    assert declared[:3] == found[:3]
    assert (declared.ron, declared.ron_left) == (((), 0) if furiten else (found.on, left))


def test_in_silence_a_ron_needs_a_yaku() -> None:
    """A named case: of two kinds one makes all simples. The other wins by own draw alone."""
    found = wait("23478m666p345s77s", "discard 1m")
    assert " ".join(map(str, found.on)) == "6m 9m"
    assert (found.left, found.ron, found.ron_left) == (8, found.on[:1], 4)
    declared = wait("23478m666p345s77s", "riichi 1m")
    assert declared.ron == declared.on


def test_the_tile_that_is_discarded_makes_furiten() -> None:
    found = wait("23456789m123p99s", "discard 1m")
    assert found.furiten
    assert not found.ron


@pytest.mark.parametrize(
    ("hand", "river", "furiten", "ron"),
    [
        ("111m234p567s56s99s", "9s 1s 9p 5z 5z", False, "7s"),  # two runs alike
        ("111m234p789s56s33p", "9s 1s 9p 5z 5z", False, ""),
        ("111m234p56s99s555z", "9s 1s 9p 9m 9m", False, "4s 7s"),
        ("111m234p56s99s555z", "9s 1s 7s 9m 9m", True, ""),
    ],
)
def test_a_kan_waits_on_what_the_rest_of_the_hand_does(
    hand: str, river: str, furiten: bool, ron: str
) -> None:
    """A named case: a kan left a wait in furiten, and 45% wins were expected of it."""
    found = wait(hand, "ankan 1m", river)
    assert " ".join(map(str, found.on)) == "4s 7s"
    assert found.furiten is furiten
    assert " ".join(map(str, found.ron)) == ron


def test_an_added_kan_waits_on_what_the_rest_of_the_hand_does() -> None:
    block = after("pon 2m22m from E", "2m", "112m678p34s55p")
    found = own_waits(block)[block.flat.index(Option.parse("kakan 2m"))]
    assert " ".join(map(str, found.on)) == "2s 5s"
    assert (found.left, found.ron) == (8, ())


def test_every_tile_waited_on_completes_the_hand() -> None:
    found = wait("2345678m123p999s", "discard 1m")
    for tile in found.on:
        kinds = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 26, 26, 26, tile.kind]
        assert shanten(np.bincount(kinds, minlength=34).astype(np.uint8)) == -1
    assert len(found.on) == 3


def test_a_hand_that_is_not_tenpai_has_no_wait() -> None:
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": "159m159p159s1567z", "drawn": "1m",
        "draws_left": 32, "players": PLAYERS | {"S": {"river": "9s 1s 9p 5z 5z"}},
    })  # fmt: skip
    assert not own_waits(OptionBlock.of([decision_at(position)]))


def test_a_hand_with_a_yaku_has_it_where_no_tile_is_left() -> None:
    """ "No yaku" was said of it, because its yaku was looked for on unseen tiles only."""
    found = wait("2233m4455p6677s4z", "discard 1m", indicator="9m")
    assert (found.left, found.furiten, found.ron_left) == (0, False, 0)
    assert found.ron == found.on


def after(
    melds: str, called: str, hand: str, kuitan: bool = True, river: str = "9s 1s 9p 5z 5z"
) -> OptionBlock:
    """South, who has called a discard of East's, draws 1m."""
    players = PLAYERS | {
        "E": {"river": f"4z 7z {called}^ 1z 3z 6z"},
        "S": {"river": river, "melds": [melds]},
    }
    position = Position.from_json({
        "seat": "S", "indicators": "4z", "hand": hand, "drawn": "1m", "rules": {"kuitan": kuitan},
        "players": players,
    })  # fmt: skip
    return OptionBlock.of([decision_at(position)])


@pytest.mark.parametrize("kuitan", [True, False])
def test_open_all_simples_are_a_yaku_where_the_rules_say_so(kuitan: bool) -> None:
    """They were one under all rules."""
    block = after("chi 2m34m", "2m", "678p34567s55p", kuitan)
    found = own_waits(block)[block.flat.index(Option.parse("discard 1m"))]
    assert " ".join(map(str, found.on)) == "2s 5s 8s"
    assert bool(found.ron) is kuitan


def test_a_wait_on_a_fifth_tile_is_none() -> None:
    """It was named without a tile."""
    block = after("pon 2p22p from E", "2p", "567p567s234s2p")
    number = block.flat.index(Option.parse("discard 1m"))
    assert block.shanten[number] == 0
    assert number not in own_waits(block)


def test_an_open_hand_wins_on_tiles_with_a_yaku_alone() -> None:
    """A named case: the other kinds that complete it were counted as left."""
    block = after("chi 2m34m", "2m", "78m678p345s66s")
    found = own_waits(block)[block.flat.index(Option.parse("discard 1m"))]
    assert " ".join(map(str, found.on)) == "6m"
    assert (found.left, found.ron, found.ron_left) == (4, found.on, 4)


@pytest.mark.parametrize("river", ["9s 1s 9p 5z 5z", "9s 1s 6m 5z 5z"])
def test_an_open_hand_without_a_yaku_is_not_called_furiten(river: str) -> None:
    """It was: its missing yaku was not said."""
    block = after("chi 2m34m", "2m", "78m678p345s11s", river=river)
    found = own_waits(block)[block.flat.index(Option.parse("discard 1m"))]
    assert " ".join(map(str, found.on)) == "6m 9m"
    assert (found.furiten, found.ron) == (False, ())


def test_three_concealed_triplets_are_a_yaku_by_own_draw() -> None:
    block = after("chi 2m34m", "2m", "555p777s99m22s")
    found = own_waits(block)[block.flat.index(Option.parse("discard 1m"))]
    assert " ".join(map(str, found.on)) == "9m 2s"
    assert (found.left, found.ron, found.ron_left) == (4, (), 0)


@pytest.mark.parametrize(("left", "ron"), [(2, False), (1, True)])
def test_the_last_tile_of_the_hand_is_a_yaku(left: int, ron: bool) -> None:
    """A named case: a wait that any discard would have won by houtei was said to have no yaku."""
    assert bool(wait("123m789p456s46p99s", "discard 1m", left=left).ron) is ron

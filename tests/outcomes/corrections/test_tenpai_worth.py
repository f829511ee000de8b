"""The worth of a tenpai hand by the rules: closed, after riichi and without it, and open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from forecasts import any_later, own_classes, played
from numpy.typing import NDArray

from haiyomi.events import Riichi, Win
from haiyomi.game.position import Position
from haiyomi.outcomes.corrections.tenpai_worth import (
    HAND_CHANGES,
    LATER_MOST,
    NO_YAKU_CHANGES,
    classes_of,
    wins_of,
    wins_without_riichi,
)
from haiyomi.outcomes.ends import tilted
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.joint import worth_class
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.play.decision import RecordedDecision
from haiyomi.tiles import Tile

Floats = NDArray[np.float64]

HOUTEI = 6

CHEAP = {
    "seat": "S",
    "indicators": "4s",
    "hand": "123789m23468p99s",
    "drawn": "1z",
    "players": {
        "E": {"river": "4z 9p"},
        "S": {"river": "2z"},
        "W": {"river": "3z"},
        "N": {"river": "1s"},
    },
}
"""Riichi with the East wind waits on a 7p between: no other yaku, no dora."""


def worth(
    position: Position, tile: Tile, declares: bool = False, often: float = 0.0
) -> Floats | None:
    """(2, 9) P of the class by ron, and by tsumo, of the hand that a tile leaves."""
    wins = wins_of(position, tile, declares, often)
    return classes_of(position, wins) if wins else None


def closed_worth(
    position: Position, tile: Tile, often: float = 0.0
) -> tuple[Floats, Floats] | None:
    """The same after riichi and after damaten."""
    declared, silent = worth(position, tile, declares=True), worth(position, tile, often=often)
    assert (declared is None) == (silent is None)
    return None if declared is None or silent is None else (declared, silent)


def declarations() -> Iterator[tuple[RecordedDecision, Tile]]:
    """The decisions of some games that may declare riichi, each with a tile."""
    for seed in range(8):
        for decision in played(seed):
            for option in options_of(decision):
                if option.act == "riichi":
                    yield decision, option.tiles[0]


def test_the_classes_of_a_hand_sum_to_one_and_riichi_is_worth_more() -> None:
    seen = 0
    for decision, tile in declarations():
        found = closed_worth(decision.position, tile)
        if found is None:  # no tile is left that completes the hand
            continue
        classes = np.arange(9)
        for each in found:
            assert each.sum(axis=1) == pytest.approx([1, 1])
        assert found[0][1] @ classes >= found[1][1] @ classes - 1e-9
        seen += 1
    assert seen > 30


def test_the_wins_that_followed_have_a_class_that_was_foreseen() -> None:
    seen = 0
    for decision, tile in declarations():
        wins = [e for e in decision.followed if isinstance(e, Win) and e.seat == decision.seat]
        declared = [e for e in decision.followed[:1] if isinstance(e, Riichi)]
        if not wins or not declared or wins[0].tsumo:
            continue
        found = closed_worth(decision.position, tile)
        if found is None:
            continue
        dealer = np.array([decision.position.dealer == 0])
        paid = worth_class(np.array([wins[0].points], np.int32), dealer)[0]
        assert found[0][0, paid] > 0 or found[0][0, paid - 1] > 0  # haitei adds a han
        seen += 1
    assert seen > 3


def test_a_cheap_hand_is_cheap_however_much_the_network_hopes() -> None:
    """Riichi alone, without dora, was forecast at the price of a mangan."""
    found = closed_worth(Position.from_json(CHEAP), Tile.parse("1z"))
    assert found is not None
    declared, silent = found
    assert declared[0, :2].sum() > 0.6  # one or two han
    assert declared[0, 4:].sum() < 0.12
    assert silent[0] == pytest.approx(declared[0])  # without a yaku a ron comes after riichi
    assert silent[1, :2].sum() > declared[1, :2].sum()


def test_damaten_has_no_ura_dora() -> None:
    """Tanyao with a red five: two han without riichi, three and more with it."""
    position = Position.from_json({**CHEAP, "hand": "234678m23468p66s", "indicators": "1z"})
    found = closed_worth(position, Tile.parse("1z"))
    assert found is not None
    declared, silent = found
    assert silent[0, 0] == pytest.approx(1 - min(6.7e-5 * position.draws_left**2, LATER_MOST))
    assert declared[0, 0] == 0


@pytest.mark.parametrize(
    ("draws", "often", "yaku", "none"),
    [(20, 0.0, 0.04, 0.044), (40, 0.25, 0.288, 0.224), (68, 0.5, 0.5, 0.5)],
)
def test_damaten_declares_later_where_draws_are_left(
    draws: int, often: float, yaku: float, none: float
) -> None:
    """The share of the worth of riichi in that of own draws."""
    for hand, indicators, due in (
        ("234678m23468p66s", "1z", yaku), ("123789m23468p99s", "4s", none)
    ):  # fmt: skip
        position = Position.from_json({**CHEAP, "hand": hand, "indicators": indicators})
        at = [
            closed_worth(replace(position, draws_left=left), Tile.parse("1z"), often)
            for left in (0, draws)
        ]
        assert at[0] is not None
        assert at[1] is not None
        (declared, never), (_, later) = at
        assert never.sum(axis=1) == pytest.approx([1, 1])
        assert later[1] == pytest.approx((1 - due) * never[1] + due * declared[1])


def test_an_open_hand_and_one_in_riichi_are_worth_what_they_win() -> None:
    """Of 1,000 and 2,000 points, and riichi without ippatsu."""
    pon = {"river": "2z 3p", "melds": ["pon 55z5z from W"]}
    for indicators, due in (("1z", 1000), ("8m", 2000)):
        position = Position.from_json({
            **CHEAP, "hand": "234p789m99s68p", "indicators": indicators,
            "players": {**CHEAP["players"], "S": pon, "W": {"river": "5z^S 3z"}},
        })  # fmt: skip
        found = worth(position, Tile.parse("1z"))
        assert found is not None
        dealer = np.array([False])
        assert found[0, worth_class(np.array([due], np.int32), dealer)[0]] == pytest.approx(1)
    riichi = {**CHEAP, "players": {**CHEAP["players"], "S": {"river": "2z!"}}}
    position = Position.from_json({**riichi, "drawn": "1z"})
    found, declared = (
        worth(position, Tile.parse("1z")),
        worth(position, Tile.parse("1z"), declares=True),
    )
    assert found is not None
    assert declared is not None
    assert found[0] @ np.arange(9) < declared[0] @ np.arange(9)


@pytest.mark.parametrize("yaku", [True, False])
def test_the_forecast_takes_the_worth_of_both(yaku: bool) -> None:
    decision, tile = next(
        (d, t)
        for d, t in declarations()
        if Option("discard", (t,)) in options_of(d)
        and closed_worth(d.position, t) is not None
        and wins_without_riichi(d.position, t) == yaku
    )
    block = OptionBlock.of([decision])
    later = any_later(block)
    own, networks = block_forecast(block, later).own, tilted(later.own)
    often = 0.0 if later.share is None else later.share[block.does("riichi")].sum()
    found = closed_worth(decision.position, tile, often)
    assert found is not None
    for act, by_rules in zip(("riichi", "discard"), found, strict=True):
        number = block.flat.index(Option(act, (tile,)))
        part = (HAND_CHANGES if yaku else NO_YAKU_CHANGES) if act == "discard" else 0
        due = (1 - part) * by_rules + part * networks[:, 0, number]
        assert own[:, 0, number] == pytest.approx(due)


def test_the_discard_after_the_last_draw_is_a_yaku() -> None:
    """Without one a hand wins by ron on no tile, and with one draw left it wins for one han."""
    last, before = (Position.from_json(CHEAP | {"draws_left": left}) for left in (1, 2))
    one, other = (
        {win.score.yaku for win in wins_of(position, Tile.parse("1z")) if not win.tsumo}
        for position in (last, before)
    )
    assert {yaku.id for yaku, _ in min(one, key=len)} == {HOUTEI}
    assert all(HOUTEI not in {yaku.id for yaku, _ in each} for each in other)


YAKUMAN = {
    "seat": "S",
    "indicators": "4s",
    "hand": "19m19p19s1234567z",
    "drawn": "5m",
    "players": {
        "E": {"river": "8m 8p"},
        "S": {"river": "2m"},
        "W": {"river": "8s"},
        "N": {"river": "2p"},
    },
}
"""Thirteen orphans with thirteen waits: riichi adds nothing."""


@pytest.mark.parametrize("option", ["discard 5m", "riichi 5m"])
def test_a_hand_that_wins_yakuman_alone_is_worth_it_in_silence_too(option: str) -> None:
    """Named cases: riichi was ranked above damaten for thirteen orphans and four concealed
    triplets, because a part of the worth of damaten was the networks'."""
    assert own_classes(Position.from_json(YAKUMAN), option)[:, -1] == pytest.approx(1)

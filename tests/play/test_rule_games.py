"""Whole games: refereed by the independent replay, conserved, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haiyomi.events import AbortiveDraw, Deal, Discard, DoraReveal, Draw, Game, Win
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset

MIXED = [RULE_STYLES[name] for name in ("balanced", "caller", "bold", "timid")]
RULES = [
    TENHOU,
    TENHOU_EAST,
    TENHOU_EAST.but(red_fives=False, kuitan=False),
    TENHOU_EAST.but(tobi=False, immediate_kan_dora=True),
    TENHOU_EAST.but(triple_ron=True, kiriage=True, double_yakuman=True),
    TENHOU_EAST.but(wind_pair_fu=2, target_points=35000),
    MAHJONG_SOUL.but(rounds=1),
]


def referee(game: Game) -> None:
    from haiyomi.game.table import check_game

    check_game(game)


@pytest.mark.parametrize("number", range(20))
def test_games_pass_the_referee(number: int) -> None:
    referee(simulate_rule_players(11, number, rules=RULES[number % len(RULES)], styles=MIXED))


@pytest.mark.slow
def test_a_thousand_games_pass_the_referee() -> None:
    for number in range(1000):
        referee(simulate_rule_players(12, number, styles=MIXED))


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**63), rules=st.sampled_from(RULES[1:]))
def test_points_and_tiles_are_conserved(seed: int, rules: Ruleset) -> None:
    game = simulate_rule_players(seed, rules=rules, styles=MIXED)
    total = 4 * rules.start_points
    for hand in game.hands:
        assert sum(hand.start.scores) + 1000 * hand.start.sticks == total
        assert hand.copies is not None
        fresh = [*hand.copies[:53]]  # the indicator and the 52 dealt
        river: list[object] = []
        at = 0
        for event in hand.events:
            if isinstance(event, Draw | DoraReveal):
                fresh.append(hand.copies[at])
            if isinstance(event, Discard):
                river.append(hand.copies[at])
            at += _named(event)
        assert at == len(hand.copies)
        assert len(set(fresh)) == len(fresh)
        assert len(set(river)) == len(river)
        for win in (e for e in hand.events if isinstance(e, Win)):
            assert win.points is not None
            assert win.yaku
    assert game.header.final is not None
    assert sum(game.header.final) == total


def _named(event: object) -> int:
    if isinstance(event, Deal):
        return 52
    if isinstance(event, Win):
        return 1 + len(event.ura)
    if type(event).__name__ in {"Start", "Draw", "Discard", "Kakan", "DoraReveal"}:
        return 1
    return {"Chi": 3, "Pon": 3, "Daiminkan": 4, "Ankan": 4}.get(type(event).__name__, 0)


def test_a_seed_and_a_number_fix_a_game() -> None:
    game = simulate_rule_players(5, 3, rules=TENHOU_EAST)
    assert game == simulate_rule_players(5, 3, rules=TENHOU_EAST)
    assert game.hands[0] != simulate_rule_players(5, 4, rules=TENHOU_EAST).hands[0]


@pytest.mark.parametrize("format", ["mjlog", "tenhou6", "mjai"])
def test_games_survive_every_format(format: str) -> None:
    from haiyomi.logs.load import parse, write
    from haiyomi.logs.missing import without

    for number in range(3):
        game = simulate_rule_players(13, number, rules=TENHOU_EAST, styles=MIXED)
        back = parse(write(game, format).encode(), "game")
        assert without(back, format) == without(game, format)
        if format == "mjlog":
            assert [h.copies for h in back.hands] == [h.copies for h in game.hands]


def test_play_is_lively() -> None:
    """Wins by ron and tsumo, draws, riichi, calls: each at a share that people have too."""
    counts: dict[str, float] = {}
    hands = 0
    for number in range(12):
        for hand in simulate_rule_players(14, number, rules=TENHOU_EAST).hands:
            hands += 1
            for event in hand.events:
                name = type(event).__name__
                if isinstance(event, Win):
                    name = "tsumo" if event.tsumo else "ron"
                counts[name] = counts.get(name, 0) + 1
            if isinstance(hand.events[-1], AbortiveDraw):
                counts["aborted"] = counts.get("aborted", 0) + 1
    share = {name: n / hands for name, n in counts.items()}
    assert 0.25 < share["ron"] < 0.75
    assert 0.1 < share["tsumo"] < 0.5
    assert 0.05 < share["ExhaustiveDraw"] < 0.4
    assert 0.5 < share["RiichiAccepted"] < 1.5
    assert share["Pon"] + share["Chi"] > 0.5


def test_styles_show() -> None:
    """A caller calls more than a closed player at the same table."""
    styles = [
        replace(RULE_STYLES["caller"]),
        RULE_STYLES["closed"],
        RULE_STYLES["caller"],
        RULE_STYLES["closed"],
    ]
    calls = [0, 0, 0, 0]
    for number in range(6):
        for hand in simulate_rule_players(15, number, rules=TENHOU_EAST, styles=styles).hands:
            for event in hand.events:
                if type(event).__name__ in {"Chi", "Pon"}:
                    calls[event.seat] += 1  # type: ignore[union-attr]
    assert calls[0] + calls[2] > 2 * (calls[1] + calls[3])

"""Played games replay under each rule set, and one changed event is always found out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from game.small_hands import put

from haiyomi.errors import MismatchError, RecordError
from haiyomi.events import Discard, Draw, Game, Hand, Riichi, Start, Win
from haiyomi.game.table import Table, check_game
from haiyomi.game.truth import could_ron, truths_of
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset
from haiyomi.tiles import TILES, Seat

RULES = {
    "tenhou": TENHOU,
    "mahjong soul": MAHJONG_SOUL,
    "no red fives": TENHOU.but(red_fives=False, kuitan=False, immediate_kan_dora=True),
}


@cache
def played(name: str, number: int) -> Game:
    return simulate_rule_players(31, number, rules=RULES[name])


@pytest.mark.parametrize("name", RULES)
def test_played_games_replay(name: str) -> None:
    rules: Ruleset = RULES[name]
    for number in range(3):
        game = played(name, number)
        assert game.header.rules == rules
        check_game(game)
        for hand, truth in zip(game, truths_of(game), strict=True):
            for win in hand.events:
                if isinstance(win, Win) and not win.tsumo:
                    rows = truth.discards if truth.discards.ronned.any() else truth.kakans
                    assert rows.ronned[-1] >> win.seat & 1
                    assert could_ron(rows.ron[-1, win.seat], np.array(win.tile.kind))
                    assert rows.points[-1, win.seat] == win.points


def hands() -> list[Hand]:
    return [hand for number in range(3) for hand in played("tenhou", number)]


def test_an_event_dropped_or_doubled_is_found_out() -> None:
    rng = np.random.default_rng(1)
    for hand in hands():
        for at in rng.integers(0, len(hand.events), 25):
            event = hand.events[at]
            # one of two winners may be all there is, and a riichi won on leaves no other trace
            if isinstance(event, (Win, Riichi)):
                continue
            for broken in (put(hand, int(at)), put(hand, int(at), event, event)):
                with pytest.raises(RecordError):
                    Table().play(broken)


def test_another_seat_is_found_out() -> None:
    rng = np.random.default_rng(2)
    for hand in hands():
        for at in rng.integers(2, len(hand.events), 25):
            event = hand.events[at]
            if isinstance(event, (Draw, Discard)):
                other = Seat((event.seat + int(rng.integers(1, 4))) % 4)
                with pytest.raises(RecordError) as caught:
                    Table().play(put(hand, int(at), replace(event, seat=other)))
                assert caught.value.event == at


def test_another_discard_is_found_out() -> None:
    rng = np.random.default_rng(3)
    for hand in hands():
        held_after = Table()
        held_after.play(hand)
        for at in rng.integers(2, len(hand.events), 25):
            event = hand.events[at]
            if isinstance(event, Discard) and event.tsumogiri:
                other = TILES[(event.tile.code + int(rng.integers(1, 37))) % 37]
                with pytest.raises(RecordError) as caught:
                    Table().play(put(hand, int(at), replace(event, tile=other)))
                assert caught.value.event == at


def test_another_figure_is_found_out() -> None:
    for hand in hands():
        win = hand.events[-1]
        if not isinstance(win, Win) or len([e for e in hand.events if isinstance(e, Win)]) > 1:
            continue
        assert win.yaku is not None
        assert win.points is not None
        yaku, han = win.yaku[0]
        changed = [
            replace(win, yaku=((yaku, han + 1), *win.yaku[1:])),
            replace(win, yaku=win.yaku[1:]),
            replace(win, points=win.points + 100),
            replace(win, deltas=tuple(d + 100 for d in win.deltas)),
        ]
        if win.yaku[0][1] < 13:
            changed.append(replace(win, fu=(win.fu or 0) + 10))
        for wrong in changed:
            with pytest.raises(MismatchError) as caught:
                Table().play(put(hand, -1, wrong))
            assert caught.value.event == len(hand.events) - 1


@pytest.mark.parametrize("field", ["kyoku", "honba", "sticks", "scores"])
def test_a_hand_that_does_not_follow_is_found_out(field: str) -> None:
    game = played("tenhou", 0)
    for number in range(len(game.hands)):
        start = game.hands[number].start
        assert isinstance(start, Start)
        if field == "scores":
            a, b, c, d = start.scores
            wrong = replace(start, scores=(a + 100, b - 100, c, d))
        else:
            wrong = replace(start, **{field: getattr(start, field) + 1})
        changed = list(game.hands)
        changed[number] = put(game.hands[number], 0, wrong)
        with pytest.raises(MismatchError) as caught:
            check_game(replace(game, hands=tuple(changed)))
        assert (caught.value.hand, caught.value.event) == (number, 0)

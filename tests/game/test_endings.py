"""Rare endings by hand: several rons, liability, nagashi mangan, aborted hands, game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game.small_hands import DRAW, RIICHI, TENPAI, WINDS, drawn_out, event, hand, put, script

from haiyomi.errors import IllegalError, MismatchError, TruncatedError
from haiyomi.events import (
    AbortiveDraw,
    Discard,
    Draw,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Header,
    Win,
    by_place,
    final_scores,
)
from haiyomi.game.game_end import game_over, may_go_on
from haiyomi.game.table import Table, check_game
from haiyomi.kernels.replay import HandEnd
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset
from haiyomi.tiles import YAOCHU, Seat, Tile

# Seats 1, 2, 3 all wait on 5p alone: all simples, 1 han 40 fu.
THREE = ("1199m1199p199s12z", "234567m345s88s46p", "234567m678s22s46p", "345678m234s77s46p")
FIVE = Tile.parse("5p")


def wins(*seats: int, honba: int = 0, sticks: int = 0) -> list[Win]:
    out = []
    for i, seat in enumerate(seats):
        pays = 1300 + (300 * honba if i == 0 else 0)
        deltas = [0, 0, 0, 0]
        deltas[0] = -pays
        deltas[seat] = pays + (1000 * sticks if i == 0 else 0)
        a, b, c, d = deltas
        out.append(Win(Seat(seat), Seat(0), FIVE, (a, b, c, d), (), ((8, 1),), 40, 1300))
    return out


def test_two_may_win_and_the_first_in_turn_takes_honba_and_deposits() -> None:
    start = {"honba": 2, "sticks": 3}
    end = Table().play(hand(THREE, "7z", "0+5p 0-5p!", *wins(1, 3, honba=2, sticks=3), **start))
    assert end.scores == (25000 - 1300 - 600 - 1300, 25000 + 1900 + 3000, 25000, 26300)
    assert (end.sticks, end.next_kyoku, end.next_honba) == (0, 1, 0)
    first, second = wins(1, 3, honba=2, sticks=3)
    with pytest.raises(MismatchError, match="seat 0 should change by -1900"):
        Table().play(hand(THREE, "7z", "0+5p 0-5p!", *wins(1, 3), **start))
    with pytest.raises(IllegalError, match="not in turn order") as caught:
        Table().play(hand(THREE, "7z", "0+5p 0-5p!", *wins(3, 1, honba=2, sticks=3), **start))
    assert caught.value.event == 5
    with pytest.raises(MismatchError):
        Table().play(hand(THREE, "7z", "0+5p 0-5p!", second, first, **start))


def test_three_wins_abort_the_hand_unless_the_rules_allow_them() -> None:
    three = hand(THREE, "7z", "0+5p 0-5p!", *wins(1, 2, 3))
    aborted = hand(THREE, "7z", "0+5p 0-5p!", AbortiveDraw("triple-ron"))
    with pytest.raises(IllegalError, match="third winner") as caught:
        Table().play(three)
    assert caught.value.event == 6
    end = Table().play(aborted)
    assert (end.kind, end.renchan, end.next_honba) == ("abort", True, 1)
    many = TENHOU.but(triple_ron=True)
    assert Table(many).play(three).scores == (21100, 26300, 26300, 26300)
    with pytest.raises(IllegalError, match="triple ron"):
        Table(many).play(aborted)


# Seat 1 calls all three dragons, the last from seat 3, and waits on 9p.
DRAGONS = hand(
    ("258m147p258s1444z", "123m9p123z556677z", "369m258p147s1333z", "147m369p369s1222z"),
    "9s",
    "0+5z 0-5z! 1p0:5z:55z 1-1z 2+6z 2-6z! 1p2:6z:66z 1-2z 2+9m 2-9m! 3+7z 3-7z! 1p3:7z:77z "
    "1-3z 2+8m 2-8m! 3+8m 3-8m! 0+8m 0-8m!",
    honba=1,
)
LIMIT = Win(Seat(1), Seat(1), Tile.parse("9p"), (0, 0, 0, 0), (), ((39, 13),), None, 32000, Seat(3))


def test_who_fed_the_last_dragon_pays_a_tsumo_alone() -> None:
    win = replace(LIMIT, deltas=(0, 32300, 0, -32300))
    Table().play(Hand((*DRAGONS.events, event("1+9p"), win)))
    with pytest.raises(MismatchError, match="liable"):
        Table().play(Hand((*DRAGONS.events, event("1+9p"), replace(win, pao=Seat(0)))))
    shared = replace(win, deltas=(-16100, 32300, -8100, -8100), pao=None)
    with pytest.raises(MismatchError, match="should change by 0"):
        Table().play(Hand((*DRAGONS.events, event("1+9p"), shared)))


def test_who_fed_the_last_dragon_pays_half_of_a_ron() -> None:
    events = (*DRAGONS.events, *script("1+4m 1-4m! 2+9p 2-9p!"))
    win = replace(LIMIT, target=Seat(2), deltas=(0, 32300, -16000, -16300))
    Table().play(Hand((*events, win)))
    events = (*DRAGONS.events, *script("1+4m 1-4m! 2+7m 2-7m! 3+9p 3-9p!"))
    win = replace(LIMIT, target=Seat(3), deltas=(0, 32300, 0, -32300))
    Table().play(Hand((*events, win)))


def nagashi(seat: int, *ending: Event) -> Hand:
    """``DRAW`` with the wall laid so that one seat discards terminals and honours only."""
    base = drawn_out()
    tiles = [e.tile for e in base.events if isinstance(e, Draw)]
    dealt = [t for h in base.events[1].hands for t in h]  # type: ignore[union-attr]
    out = [t for k in YAOCHU for t in [Tile(k)] * (4 - dealt.count(Tile(k)))]
    others = [t for t in tiles if t.kind not in YAOCHU]
    events: list[Event] = list(base.events[:2])
    for i in range(70):
        who = Seat(i % 4)
        pool = out if who == seat or not others else others
        tile = pool.pop()
        events += [Draw(who, tile), Discard(who, tile, True)]
    return Hand((*events, *ending))


def test_nagashi_mangan_is_paid_like_a_tsumo_without_honba() -> None:
    pays = (-4000, -2000, 8000, -2000)
    end = Table().play(nagashi(2, ExhaustiveDraw(pays, TENPAI, (Seat(2),))))
    assert end.scores == (21000, 23000, 33000, 23000)
    assert (end.renchan, end.next_honba) == (True, 1)  # the dealer is tenpai
    with pytest.raises(MismatchError, match="seat 2 made nagashi"):
        Table().play(nagashi(2, DRAW.events[-1]))
    with pytest.raises(MismatchError, match="should change by -4000"):
        Table().play(nagashi(2, ExhaustiveDraw((0, 0, 0, 0), TENPAI, (Seat(2),))))
    assert Table().play(
        nagashi(0, ExhaustiveDraw((12000, -4000, -4000, -4000), TENPAI, (Seat(0),)))
    )


FOUR_READY = ("111999m111999p1s", *THREE[1:])
FOUR_RIICHI = (
    "0+1z 0R 0-1z! 0r 1+2z 1R 1-2z! 1r 2+3z 2R 2-3z! 2r 3+4z 3R 3-4z! "  # the last to accept
)


def test_four_riichi_abort_the_hand() -> None:
    aborted = AbortiveDraw("four-riichi")
    end = Table().play(hand(FOUR_READY, "7z", FOUR_RIICHI + "3r", aborted))
    assert (end.scores, end.sticks, end.kind) == ((24000,) * 4, 4, "abort")
    with pytest.raises(IllegalError, match="deposit of seat 3 is missing"):
        Table().play(hand(FOUR_READY, "7z", FOUR_RIICHI, aborted))
    with pytest.raises(IllegalError, match="should have been aborted"):
        Table().play(hand(FOUR_READY, "7z", FOUR_RIICHI + "3r 0+5z"))


KANS = hand(
    ("1111m1111p999s45z", "2222z369m258p147s", "258m369p258s1367z", "258m369p258s1367z"),
    "8p",
    "0+9s 0a1111m d7s 0+2m* 0a1111p d6s 0+3m* 0a9999s d3s 0+4m* 0-4z 1+5z 1a2222z d8s 1+6z*",
)


def test_four_kans_of_two_players_abort_the_hand_after_the_discard() -> None:
    aborted = AbortiveDraw("four-kans")
    Table().play(Hand((*KANS.events, event("1-6z!"), aborted)))
    with pytest.raises(IllegalError, match="four kans"):
        Table().play(Hand((*KANS.events, aborted)))
    with pytest.raises(IllegalError, match="should have been aborted"):
        Table().play(Hand((*KANS.events, *script("1-6z! 2+9m"))))
    at = KANS.events.index(event("d8s"))
    with pytest.raises(IllegalError, match="1 new dora indicator") as caught:
        Table().play(put(KANS, at))
    assert caught.value.event == at


def test_a_kan_in_riichi_must_leave_the_waits_alone() -> None:
    others = ("258m147p258s1446z", "369m258p147s1336z", "258m369p147s2467z")
    head = "0+3z 0R 0-3z! 0r 1+2z 1-2z! 2+2z 2-2z! 3+8s 3-8s! "
    with pytest.raises(TruncatedError):  # 111m678m + 2p3p: the kan changes nothing
        Table().play(hand(("111678m678s23p99s", *others), "7z", head + "0+1m 0a1111m"))
    with pytest.raises(IllegalError, match="does not allow"):  # 1113m waits on 2m and 3m
        Table().play(hand(("1113m456789p999s", *others), "7z", head + "0+1m 0a1111m"))
    with pytest.raises(IllegalError, match="a kan of 9s in riichi"):  # not the tile drawn
        Table().play(hand(("234m1456p789999s", *others), "7z", head + "0+1z 0a9999s"))


def end(kind: str, renchan: bool, scores: tuple[int, int, int, int], kyoku: int) -> HandEnd:
    return HandEnd(kind, renchan, scores, 0, kyoku, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand_end", "over"),
    [
        (end("win", False, (40000, 30000, 30100, -100), 3), True),
        (end("win", False, (40000, 30000, 30000, 0), 7), False),
        (end("win", False, (40000, 30000, 30000, 0), 8), True),
        (end("win", False, (29900, 29900, 29900, 10300), 8), False),
        (end("exhaustive", False, (30000, 29900, 29900, 10200), 9), True),
        (end("win", True, (20000, 20000, 20000, 40000), 7), True),
        (end("win", True, (20000, 20000, 40000, 20000), 7), False),
        (end("win", True, (29900, 20000, 20200, 29900), 7), False),
        (end("abort", True, (20000, 20000, 20000, 40000), 7), False),
        (end("win", False, (29900, 29900, 29900, 10300), 12), True),
    ],
)
def test_when_a_game_is_over(hand_end: HandEnd, over: bool) -> None:
    assert game_over(hand_end, TENHOU) is over
    if over and hand_end.next_kyoku < 12:
        assert not may_go_on(hand_end, TENHOU)


def test_old_games_play_on_after_a_leading_tenpai_dealer() -> None:
    draw = end("exhaustive", True, (20000, 20000, 20000, 40000), 7)
    assert game_over(draw, TENHOU)
    assert may_go_on(draw, TENHOU)


def test_places_and_final_scores() -> None:
    assert by_place((25000, 30000, 25000, 20000)) == (1, 0, 2, 3)
    assert final_scores((24000, 24000, 24000, 24000), 4) == (28000, 24000, 24000, 24000)


def test_a_whole_game_begins_with_east_one_and_ends_when_it_is_over() -> None:
    header = Header(final=(49000, 25000, 1000, 25000))
    with pytest.raises(IllegalError, match="the game is not over"):
        check_game(Game(header, (RIICHI,)))
    check_game(Game(Header(), (RIICHI,)))  # a fragment
    late = put(RIICHI, 0, replace(RIICHI.start, honba=1, sticks=0))
    with pytest.raises(MismatchError, match="honba should be 0") as caught:
        check_game(Game(header, (late,)))
    assert caught.value.hand == 0
    # seat 2 falls below zero
    poor = put(RIICHI, 0, replace(RIICHI.start, scores=(25000, 27000, 23000, 25000)))
    poor_rules = TENHOU.but(start_points=25000)
    table = Table(poor_rules)
    table.play(poor)
    assert table.over
    assert table.finish((49000, 27000, -1000, 25000)) == (49000, 27000, -1000, 25000)
    with pytest.raises(MismatchError, match="seat 0 should end with 49000"):
        table.finish((48000, 28000, -1000, 25000))
    table = Table(poor_rules, whole=True)
    table.end = Table(poor_rules).play(poor)
    follows = replace(WINDS.start, honba=1, scores=(49000, 27000, -1000, 25000))
    with pytest.raises(IllegalError, match="the game is over before this hand"):
        table.play(put(WINDS, 0, follows))


# Seat 1 calls the dragons as above and holds nothing but honours: two limit hands.
HONOURS = hand(
    ("258m147p258s1444z", "99m8p2223556677z", "369m258p147s1334z", "147m3699p3699s12z"),
    "9s",
    "0+5z 0-5z! 1p0:5z:55z 1-9m 2+6z 2-6z! 1p2:6z:66z 1-9m 2+9m 2-9m! 3+7z 3-7z! 1p3:7z:77z "
    "1-8p 2+8m 2-8m! 3+8m 3-8m! 0+8m 0-8m!",
    honba=1,
)
BOTH = replace(LIMIT, tile=Tile.parse("3z"), yaku=((39, 13), (42, 13)), points=64000)


@pytest.mark.parametrize(
    ("rules", "tsumo", "ron"),
    [
        (TENHOU, (0, 64300, 0, -64300), (0, 64300, -32000, -32300)),
        (MAHJONG_SOUL, (-16000, 64300, -8000, -40300), (0, 64300, -48000, -16300)),
    ],
)
def test_liability_for_one_of_two_limit_hands(
    rules: Ruleset, tsumo: tuple[int, int, int, int], ron: tuple[int, int, int, int]
) -> None:
    Table(rules).play(Hand((*HONOURS.events, event("1+3z"), replace(BOTH, deltas=tsumo))))
    events = (*HONOURS.events, *script("1+4m 1-4m! 2+3z 2-3z!"))
    Table(rules).play(Hand((*events, replace(BOTH, target=Seat(2), deltas=ron))))


def test_thirteen_orphans_rob_a_closed_kan_where_the_rules_say_so() -> None:
    deal = ("258m147p258s1246z", "234m567p3388s555z", "369m258p14s33467z", "199m19p19s123467z")
    orphans = Win(Seat(3), Seat(1), Tile.parse("5z"), (0, -32000, 0, 32000), yaku=((47, 13),))
    robbed = hand(deal, "1p", "0+8m 0-8m! 1+5z 1a5555z", orphans)
    Table(MAHJONG_SOUL).play(robbed)
    with pytest.raises(IllegalError, match="no tile to win on"):
        Table(TENHOU).play(robbed)
    other = replace(orphans, seat=Seat(2), yaku=None)
    with pytest.raises(IllegalError):
        Table(MAHJONG_SOUL).play(put(robbed, -1, other))

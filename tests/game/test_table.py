"""The table: legal hands replay, and one corrupted thing is named with its event."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game.small_hands import (
    CHANKAN,
    DRAW,
    KAN,
    KAN_DEAL,
    KAN_GOES_ON,
    LEGAL,
    NINE,
    RIICHI,
    RIICHI_DEAL,
    RIICHI_HEAD,
    RIICHI_WIN,
    WINDS,
    event,
    hand,
    put,
    script,
)

from haiyomi.errors import IllegalError, MismatchError, RecordError, TruncatedError
from haiyomi.events import (
    AbortiveDraw,
    Deal,
    Discard,
    Hand,
    HiddenDraw,
    Start,
    Win,
)
from haiyomi.game.table import Table
from haiyomi.rules import TENHOU
from haiyomi.tiles import Seat, Tile, parse_tiles


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_hand_replays(name: str) -> None:
    Table().play(LEGAL[name])


def swap(hand_: Hand, word: str, *instead: str) -> Hand:
    """The hand with the event of one word replaced by those of others."""
    at = hand_.events.index(event(word))
    return put(hand_, at, *(event(w) for w in instead))


def last(hand_: Hand, **changes: object) -> Hand:
    """The hand with fields of its last event changed."""
    return put(hand_, -1, replace(hand_.events[-1], **changes))  # type: ignore[type-var]


def start(hand_: Hand, **changes: object) -> Hand:
    """The hand with fields of its Start changed."""
    return put(hand_, 0, replace(hand_.start, **changes))  # type: ignore[arg-type]


def ron(winner: int, target: int, tile: str, *deltas: int) -> Win:
    a, b, c, d = deltas
    return Win(Seat(winner), Seat(target), Tile.parse(tile), (a, b, c, d))


WAITING = ("123456789m23p11s", *RIICHI_DEAL[1:])  # seat 0 waits on 1p 4p from the deal
RIICHI_ON = hand(RIICHI_DEAL, "3s", RIICHI_HEAD + "1+6m 1-6m!")
OPEN = hand(KAN_DEAL, "1p", "0+5z 0-5z! 1p0:5z:55z")
HEADS = {
    "riichi": RIICHI_ON,
    "plain": hand(KAN_DEAL, "1p", ""),
    "waiting": hand(WAITING, "3s", ""),
    "open": OPEN,
}


def more(head: str, text: str, *ending: Win) -> Hand:
    return Hand((*HEADS[head].events, *script(text), *ending))


W = RIICHI.events[-1]
assert isinstance(W, Win)
PONNED = "0+8s 0-8s! 1p0:8s:88s 1-1z 2+8m 2-8m! 3+3s 3-3s!"

# name -> (the corrupted hand, the event blamed (from the end if negative), words of the error)
ILLEGAL: dict[str, tuple[Hand, int, str]] = {
    # tiles
    "a fourth plain five": (swap(RIICHI, "1+6m", "1+5m"), 6, "5m appears, of which all copies"),
    "a fifth copy": (
        more("riichi", "2+0m 2-0m! 3+5m"), -1, "5m appears, of which all copies"),
    "a second red five": (more("riichi", "2+0m 2-0m! 3+0m"), -1, "0m appears a second time"),
    "a discard not held": (swap(RIICHI, "1-6m!", "1-9p"), 7, "seat 1 uses 9p, which it does"),
    "a red five not held": (swap(RIICHI, "1-6m!", "1-0m"), 7, "seat 1 uses 0m"),
    "another tile as drawn": (swap(RIICHI, "1-6m!", "1-2m!"), 7, "which is 6m"),
    "the tile drawn as from the hand": (swap(RIICHI, "1-6m!", "1-6m"), 7, "its only 6m"),
    # turns
    "a draw out of turn": (swap(RIICHI, "1+6m", "2+6m"), 6, "it is the turn of seat 1"),
    "a discard out of turn": (swap(RIICHI, "1-6m!", "2-6m!"), 7, "it is the turn of seat 1"),
    "no draw": (swap(RIICHI, "1+6m"), 6, "without having drawn or called"),
    "no discard": (swap(RIICHI, "1-6m!"), 7, "seat 1 has yet to discard"),
    "two discards": (swap(RIICHI, "1-6m!", "1-6m!", "1-2m"), 8, "without having drawn"),
    # riichi
    "riichi without tenpai": (swap(RIICHI, "0-1z", "0-1m"), 4, "not tenpai after discarding 1m"),
    "riichi without discard": (swap(RIICHI, "0-1z"), 4, "deposit of seat 0 does not belong"),
    "a draw instead of the riichi discard": (swap(RIICHI, "0-1z", "1+6m"), 4, "must discard"),
    "riichi without deposit": (swap(RIICHI, "0r"), 5, "deposit of seat 0 is missing"),
    "a deposit of another": (swap(RIICHI, "0r", "1r"), 5, "it is the turn of seat 0"),
    "a deposit out of nowhere": (swap(RIICHI, "1-6m!", "1-6m!", "1r"), 8, "does not belong"),
    "riichi with 900 points": (start(RIICHI, scores=(900, 0, 0, 0)), 3, "riichi with 900 points"),
    "riichi twice": (more("riichi", "2+9m 2-9m! 3+9p 3-9p! 0+9s 0R"), -1, "riichi twice"),
    "riichi with a pon": (more("open", "1R"), -1, "riichi with an open hand"),
    "riichi by another": (more("plain", "0+5z 1R"), -1, "turn of seat 0"),
    "riichi too late": (put(DRAW, 139, event("0R"), drop=0), 139, "with 1 tiles left"),
    "a tile from the hand in riichi": (
        more("riichi", "2+9m 2-9m! 3+9p 3-9p! 0+9s 0-1s"), -1, "in riichi and discards 1s"),
    "a call in riichi": (more("riichi", "2+1s 2-1s! 0p2:1s:11s"), -1, "calls while in riichi"),
    # calls
    "a pon from the wrong seat": (more("plain", "0+5z 0-5z! 1p2:5z:55z"), -1, "tile of seat 2"),
    "a pon by one who lacks it": (more("plain", "0+5z 0-5z! 2p0:5z:55z"), -1, "seat 2 uses 5z"),
    "a pon of another tile": (more("plain", "0+5z 0-5z! 1p0:8s:88s"), -1, "last discard is 5z"),
    "a pon of one's own": (more("plain", "0+8s 0-8s! 0p0:8s:88s"), -1, "its own discard"),
    "a chi from across": (more("plain", "0+4m 0-4m! 2c0:4m:23m"), -1, "does not sit to its left"),
    "a chi of no sequence": (more("plain", "0+1m 0-1m! 1c0:1m:34m"), -1, "make no such set"),
    "a chi of honours": (more("plain", "0+6z 0-6z! 1c0:6z:55z"), -1, "make no such set"),
    "a pon of three kinds": (more("plain", "0+5z 0-5z! 1p0:5z:58s"), -1, "make no such set"),
    "a call out of nowhere": (more("plain", "0+5z 1p0:5z:55z"), -1, "has yet to discard"),
    "a draw instead of the discard": (more("open", "2+1m"), -1, "has yet to discard"),
    "swap-calling the same tile": (more("plain", "0+4m 0-4m! 1c0:4m:23m 1-4m"), -1, "swap-calling"),
    "swap-calling the other end": (more("plain", "0+1m 0-1m! 1c0:1m:23m 1-4m"), -1, "swap-calling"),
    "swap-calling after a pon": (
        hand(("258m147p258s1246z", "234m567p3388s555z", "369m258p14s33467z", "199m19p19s123467z"),
             "1p", "0+5z 0-5z! 1p0:5z:55z 1-5z"), -1, "swap-calling"),
    "just drawn after a call": (more("open", "1-1z!"), -1, "as just drawn after a call"),
    # kans
    "no draw from the dead wall": (swap(KAN, "1+8s*", "1+8s"), 14, "from the wall after its kan"),
    "no draw after a kan": (swap(KAN, "1+8s*"), 14, "there is no tile to win on"),
    "a dead wall draw without kan": (swap(RIICHI, "1+6m", "1+6m*"), 6, "without a kan"),
    "no indicator after an added kan": (swap(KAN_GOES_ON, "d6z"), 15, "1 new dora indicator"),
    "an added kan's indicator too early": (
        swap(KAN, "1+8s*", "d6z", "1+8s*"), 14, "the indicator 6z is shown, but no kan"),
    "an indicator without kan": (swap(RIICHI, "1+6m", "1+6m", "d6z"), 7, "6z is shown"),
    "an added kan without pon": (swap(RIICHI, "1-6m!", "1x6m"), 7, "has no pon of it"),
    "a kan right after a call": (more("open", "1x5z"), -1, "without having drawn"),
    "a kan of a tile not held": (swap(KAN, "1+5z", "1+7p"), 13, "seat 1 uses 5z"),
    # wins
    "furiten by the own river": (
        more("waiting", "0+1p 0-1p! 1+4p 1-4p!", ron(0, 1, "4p", 0, 0, 0, 0)), -1, "furiten"),
    "furiten until the next discard": (
        more("waiting", "0+9s 0-9s! 1+4p 1-4p! 2+1p 2-1p!", ron(0, 2, "1p", 0, 0, 0, 0)), -1,
        "furiten"),
    "furiten in riichi": (
        more("riichi", "2+4p 2-4p! 3+9p 3-9p! 0+9s 0-9s! 1+1p 1-1p!",
             replace(RIICHI_WIN, target=Seat(1), tile=Tile.parse("1p"))), -1,
        "wins on 1p while furiten"),
    "no yaku": (more("plain", PONNED, ron(1, 3, "3s", 0, 1000, 0, -1000)), -1, "without a yaku"),
    "a win that completes nothing": (
        more("riichi", "2+5p 2-5p!", replace(W, tile=Tile.parse("5p"))), -1, "does not complete"),
    "a tsumo that completes nothing": (
        more("plain", "0+5z", ron(0, 0, "5z", 3000, -1000, -1000, -1000)), -1,
        "does not complete"),
    "a win on another tile": (last(RIICHI, tile=Tile.parse("1p")), -1, "but the tile is 4p"),
    "a win off another seat": (last(RIICHI, target=Seat(1)), -1, "but seat 2 discarded last"),
    "a win twice": (put(RIICHI, 11, W), 11, "wins twice"),
    "a win after the deposit": (more("plain", "0+5z 0-5z!", ron(3, 0, "1z", 0, 0, 0, 0)), -1,
                                "but the tile is 5z"),
    "ura indicators without riichi": (last(KAN, ura=parse_tiles("9m")), -1, "without riichi"),
    # draws
    "a draw with tiles left": (Hand((*DRAW.events[:-5], DRAW.events[-1])), -1, "with 2 tiles left"),
    "a draw from an empty wall": (put(DRAW, -1, event("2+7z")), -1, "the wall is empty"),
    "nine terminals too late": (
        Hand((*NINE.events[:-1], *script("0-8s! 1+2m 1-2m! 2+3m 2-3m! 3+8m 3-8m! 0+8s"),
              NINE.events[-1])), -1, "may not be declared here"),
    "four winds that differ": (swap(WINDS, "2-1z", "2-5z"), -1, "not one wind"),
    "four riichi of nobody": (put(WINDS, -1, AbortiveDraw("four-riichi")), -1, "not all four"),
    "four kans of nobody": (put(WINDS, -1, AbortiveDraw("four-kans")), -1, "not four by two"),
    "three rons of nobody": (put(WINDS, -1, AbortiveDraw("triple-ron")), -1, "not all three"),
    "play after four winds": (put(WINDS, -1, event("0+6m")), -1, "should have been aborted"),
    # the hand as a whole
    "an event after the end": (Hand((*RIICHI.events, event("3+7z"))), -1, "after the hand has"),
    "no start": (Hand(RIICHI.events[1:]), 0, "does not begin with Start"),
    "no deal": (put(RIICHI, 1), 1, "not followed by Deal"),
    "twelve tiles": (
        put(RIICHI, 1, Deal((parse_tiles("123m"), *RIICHI.events[1].hands[1:]))), 1,  # type: ignore[union-attr]
        "seat 0 is dealt 3 tiles"),
    "a hidden tile": (put(RIICHI, 6, HiddenDraw(Seat(1))), 6, "cannot be replayed"),
    "a seat outside the table": (
        put(RIICHI, 7, Discard(Seat(5), Tile.parse("6m"), True)), 7, "cannot be replayed"),
    "a number too large": (start(RIICHI, honba=1 << 40), 0, "cannot be replayed"),
    "a negative number": (start(RIICHI, honba=-1), 0, "a number is outside 0"),
}  # fmt: skip

MISMATCH: dict[str, tuple[Hand, int, str]] = {
    "a payment": (last(RIICHI, deltas=(26000, 0, -25000, 0)), -1, "should change by 25000"),
    "a payment of another": (last(RIICHI, deltas=(25000, -24000, 0, 0)), -1, "should change by 0"),
    "a han": (last(RIICHI, yaku=((21, 1), *W.yaku[1:])), -1, "double riichi should count 2 han"),  # type: ignore[index]
    "a missing yaku": (last(RIICHI, yaku=W.yaku[:1]), -1, "ippatsu should count 1 han"),  # type: ignore[index]
    "a yaku too many": (last(RIICHI, yaku=(*W.yaku, (8, 1))), -1, "tanyao should count 0 han"),  # type: ignore[misc]
    "fu": (last(RIICHI, fu=40), -1, "has 30 fu"),
    "points": (last(RIICHI, points=18000), -1, "is worth 24000 points"),
    "a liable player": (last(RIICHI, pao=Seat(3)), -1, "seat 0 is nobody"),
    "no ura indicator": (last(RIICHI, ura=()), -1, "should show 1 ura"),
    "another ura indicator": (last(RIICHI, ura=parse_tiles("8s")), -1, "ura"),
    "honba": (start(RIICHI, honba=1), -1, "should change by 25300"),
    "honba of a tsumo": (start(KAN, honba=2), -1, "seat 0 should change by -1800"),
    "a deposit": (start(RIICHI, sticks=1), -1, "should change by 26000"),
    "tenpai": (last(DRAW, tenpai=(True, True, False, False)), -1, "seat 1 is noten"),
    "noten": (last(DRAW, tenpai=(False,) * 4), -1, "seat 0 is tenpai"),
    "payments of a draw": (last(DRAW, deltas=(0, 0, 0, 0)), -1, "should change by 3000"),
    "nagashi": (last(DRAW, nagashi=(Seat(2),)), -1, "seat 2 did not make nagashi"),
}  # fmt: skip


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_event_is_named(name: str) -> None:
    hand_, number, stated = ILLEGAL[name]
    table = Table()
    with pytest.raises(IllegalError) as caught:
        table.play(hand_)
    assert stated in str(caught.value)
    assert caught.value.hand == 0
    assert caught.value.event == (number if number >= 0 else len(hand_.events) + number)


@pytest.mark.parametrize("name", MISMATCH)
def test_a_wrong_figure_is_named(name: str) -> None:
    hand_, number, stated = MISMATCH[name]
    with pytest.raises(MismatchError) as caught:
        Table().play(hand_)
    assert stated in str(caught.value)
    assert caught.value.event == (number if number >= 0 else len(hand_.events) + number)


@pytest.mark.parametrize("name", LEGAL)
def test_a_hand_cut_anywhere_is_refused(name: str) -> None:
    whole = LEGAL[name].events
    for length in range(len(whole)):
        with pytest.raises(RecordError) as caught:
            Table().play(Hand(whole[:length]))
        assert isinstance(caught.value, TruncatedError)
        assert caught.value.event == length


@pytest.mark.parametrize("name", LEGAL)
def test_a_hand_with_any_event_dropped_or_doubled_is_refused(name: str) -> None:
    whole = LEGAL[name].events
    for at in range(len(whole)):
        for broken in (put(LEGAL[name], at), put(LEGAL[name], at, whole[at], whole[at])):
            with pytest.raises(RecordError):
                Table().play(broken)


def test_furiten_passes_with_the_own_discard() -> None:
    # pinfu 1, full straight 2: 3 han 30 fu of the dealer
    win = replace(ron(0, 1, "1p", 5800, -5800, 0, 0), yaku=((7, 1), (24, 2)), fu=30, points=5800)
    Table().play(
        more(
            "waiting",
            "0+9s 0-9s! 1+4p 1-4p! 2+7m 2-7m! 3+9m 3-9m! 0+8s 0-8s! 1+1p 1-1p!",
            win,
        )
    )


def test_no_red_fives_where_the_rules_have_none() -> None:
    table = Table(TENHOU.but(red_fives=False))
    with pytest.raises(IllegalError, match="no red fives"):
        table.play(more("riichi", "2+0m"))
    table.play(swap(swap(RIICHI, "1+6m", "1+5m"), "1-6m!", "1-5m!"))


def test_figures_that_the_record_lacks_are_not_compared() -> None:
    bare = last(RIICHI, yaku=None, fu=None, points=None)
    Table().play(bare)
    with pytest.raises(MismatchError):
        Table().play(last(bare, deltas=(24900, 0, -23900, 0)))
    Table().play(last(DRAW, tenpai=None))


def test_chankan_is_no_win_for_a_hand_without_that_wait() -> None:
    with pytest.raises(IllegalError, match="does not complete"):
        Table().play(last(CHANKAN, seat=Seat(2)))


def test_the_end_says_what_the_next_hand_starts_from() -> None:
    end = Table().play(RIICHI)
    assert (end.kind, end.renchan, end.sticks) == ("win", True, 0)
    assert end.scores == (49000, 25000, 1000, 25000)
    assert (end.next_kyoku, end.next_honba) == (0, 1)
    end = Table().play(KAN)
    assert (end.renchan, end.next_kyoku, end.next_honba) == (False, 1, 0)
    end = Table().play(start(DRAW, honba=3, sticks=2))
    assert (end.kind, end.renchan, end.sticks, end.next_honba) == ("exhaustive", True, 2, 4)
    end = Table().play(WINDS)
    assert (end.kind, end.next_kyoku, end.next_honba) == ("abort", 0, 1)


def test_hands_must_follow_one_another() -> None:
    follows = Start(0, 1, 0, (49000, 25000, 1000, 25000), Tile.parse("7z"))
    for wrong, stated in (
        (replace(follows, kyoku=1), "kyoku should be 0"),
        (replace(follows, honba=0), "honba should be 1"),
        (replace(follows, sticks=1), "deposits should be 0"),
        (replace(follows, scores=(49000, 25000, 0, 26000)), "seat 2 should have 1000 points"),
    ):
        table = Table()
        table.play(RIICHI)
        with pytest.raises(MismatchError, match=stated) as caught:
            table.play(put(WINDS, 0, wrong))
        assert (caught.value.hand, caught.value.event) == (1, 0)
    table = Table()
    table.play(RIICHI)
    table.play(put(WINDS, 0, follows))
    assert table.hands == 2

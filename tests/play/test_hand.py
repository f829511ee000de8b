"""One hand of the live table, rigged: each rule where it bites."""

from __future__ import annotations

import pytest
from play.rigged import Puppet, four, names, rig, run
from play.watching import Watching

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraReveal,
    Draw,
    ExhaustiveDraw,
    Game,
    Header,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.play.decision import decisions
from haiyomi.play.hand import ChoiceError, PlayedHand, play_hand
from haiyomi.play.player import Claim, Options, Pass
from haiyomi.play.wall import DEAD, DEALT, Wall
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import YAOCHU, Seat, Tile

WAIT_5S = "234m567m234p88p46s"
"""Tenpai for all simples on 5s."""


def wins(played: PlayedHand) -> list[Win]:
    return [e for e in played.hand.events if isinstance(e, Win)]


def ending(played: PlayedHand) -> object:
    return played.hand.events[-1]


def test_a_robbed_kan_is_won_without_its_indicator() -> None:
    wall = rig(["", "55p", "46p123m456m678s11s"], "5p1z1z2z0p", indicators="4z")
    played = run(wall, four(s1=Puppet(Pon, Kakan), s2=Puppet(Claim)))
    (win,) = wins(played)
    assert (win.seat, win.target, win.tile) == (2, 1, Tile.parse("0p"))
    assert win.yaku == ((3, 1), (54, 1))
    assert "DoraReveal" not in names(played.hand)


def test_a_kan_right_after_a_riichi_can_be_robbed() -> None:
    hands = ["123456789m113s9p", "55p", "46p123m456m678s22s"]
    played = run(
        rig(hands, "5p1z1z2s0p"), four(s0=Puppet(Riichi), s1=Puppet(Pon, Kakan), s2=Puppet(Claim))
    )
    before = names(played.hand)
    assert before[-5:] == ["Discard", "RiichiAccepted", "Draw", "Kakan", "Win"]
    (win,) = wins(played)
    assert (win.seat, win.target) == (2, 1)


def test_a_kan_that_is_let_pass_goes_on() -> None:
    wall = rig(["", "55p", "46p123m456m678s11s"], "5p1z1z2z0p", rinshan="9m")
    watcher = Puppet()
    played = run(wall, four(s1=Puppet(Pon, Kakan), s2=watcher))
    played_events = names(played.hand)
    kan = played_events.index("Kakan")
    assert played_events[kan : kan + 4] == ["Kakan", "Draw", "DoraReveal", "Discard"]
    assert watcher.offers(Claim) >= 1


def test_four_winds() -> None:
    played = run(rig(draws="1z1z1z1z"), four())
    assert ending(played) == AbortiveDraw("four-winds")
    assert played.end.kind == "abort"
    assert played.end.renchan


def test_four_winds_are_broken_by_a_call() -> None:
    wall = rig(["", "1z1z", "", ""], "1z2m3m4m1z")
    played = run(wall, four(s1=Puppet(Pon)))
    assert not isinstance(ending(played), AbortiveDraw)


def test_nine_terminals() -> None:
    wall = rig(["19m19p19s1234567z"], "2m")
    played = run(wall, four(s0=Puppet(AbortiveDraw)))
    assert ending(played) == AbortiveDraw("nine-terminals", Seat(0))


def test_nine_terminals_only_in_an_untouched_first_turn() -> None:
    hand = "19m19p19s1234567z"
    watcher = Puppet()
    wall = rig(["", "55p", "", hand], "5p2p3p")
    run(wall, four(s1=Puppet(Pon), s3=watcher))
    assert watcher.offers(AbortiveDraw) == 0


def test_four_riichi() -> None:
    hands = ["123456789m11p23s", "123456789p11s23m", "123456789s11m23p", "222333444z55z67p"]
    played = run(rig(hands, "1z6z7z1z"), [Puppet(Riichi) for _ in range(4)])
    assert ending(played) == AbortiveDraw("four-riichi")
    assert names(played.hand).count("RiichiAccepted") == 4
    assert played.end.sticks == 4
    assert played.end.scores == (24000,) * 4


def test_four_kans_of_two_players() -> None:
    hands = ["1111m2222m", "1111p2222p"]
    kans = four(s0=Puppet(Ankan), s1=Puppet(Ankan))
    played = run(rig(hands, "1z2z", rinshan="3z3z4z5z"), kans)
    assert ending(played) == AbortiveDraw("four-kans")
    played_events = names(played.hand)
    first = played_events.index("Ankan")
    assert played_events[first : first + 3] == ["Ankan", "DoraReveal", "Draw"]
    assert played_events.count("DoraReveal") == 4


def test_triple_ron_aborts() -> None:
    hands = ["", WAIT_5S, "234m567m345p77p46s", "345m678m678p22p46s"]
    played = run(rig(hands, "5s"), four(s1=Puppet(Claim), s2=Puppet(Claim), s3=Puppet(Claim)))
    assert ending(played) == AbortiveDraw("triple-ron")


def test_triple_ron_pays_where_the_rules_have_it() -> None:
    hands = ["", WAIT_5S, "234m567m345p77p46s", "345m678m678p22p46s"]
    claims = four(s1=Puppet(Claim), s2=Puppet(Claim), s3=Puppet(Claim))
    played = run(rig(hands, "5s"), claims, TENHOU.but(triple_ron=True))
    assert [w.seat for w in wins(played)] == [1, 2, 3]


def test_double_ron_gives_honba_and_deposits_to_the_first() -> None:
    hands = ["", WAIT_5S, "", "345m678m678p22p46s"]
    claims = four(s1=Puppet(Claim), s3=Puppet(Claim))
    scores = [24000, 25000, 25000, 24000]
    played = run(rig(hands, "5s"), claims, kyoku=0, honba=2, sticks=2, scores=scores)
    first, second = wins(played)
    assert (first.seat, second.seat) == (1, 3)
    assert first.points is not None
    assert second.points is not None
    assert first.deltas == (-first.points - 600, first.points + 2600, 0, 0)
    assert second.deltas == (-second.points, 0, 0, second.points)
    assert played.end.sticks == 0
    assert sum(played.end.scores) == 100000


def test_a_riichi_tile_that_is_won_on_leaves_no_deposit() -> None:
    hands = ["123456789m11p23p", WAIT_5S]
    played = run(rig(hands, "5s"), four(s0=Puppet(Riichi), s1=Puppet(Claim)))
    assert "RiichiAccepted" not in names(played.hand)
    (win,) = wins(played)
    assert played.end.scores[0] == 25000 + win.deltas[0]


def test_same_turn_furiten_lasts_until_the_own_discard() -> None:
    watcher = Puppet()
    wall = rig(["", WAIT_5S], "1z2z5s5s5s3z0s")
    run(wall, four(s1=watcher))
    assert watcher.offers(Claim) == 2  # the first 5s, and the red one after the own discard


def test_a_win_passed_after_riichi_bars_for_the_hand() -> None:
    watcher = Puppet(Riichi)
    wall = rig(["", WAIT_5S], "1z2z5s5s5s3z0s")
    run(wall, four(s1=watcher))
    assert watcher.offers(Claim) == 1


def test_own_discards_bar_a_ron_but_not_a_tsumo() -> None:
    watcher = Puppet(throws="5s")
    wall = rig(["", WAIT_5S], "1z5s5s1z1z0s")
    run(wall, four(s1=watcher))
    claims = [o for o in watcher.offered if any(type(c) is Claim for c in o.choices)]
    assert all(Claim(Seat(1), Seat(1)) in o.choices for o in claims)
    assert len(claims) == 2


def test_an_open_kan_shows_its_indicator_before_the_discard() -> None:
    played = run(rig(["", "", "555z"], "5z", rinshan="9m"), four(s2=Puppet(Daiminkan)))
    played_events = names(played.hand)
    at = played_events.index("Daiminkan")
    assert played_events[at : at + 4] == ["Daiminkan", "Draw", "DoraReveal", "Discard"]


def test_an_open_kan_shows_it_at_once_where_the_rules_say_so() -> None:
    rules = TENHOU.but(immediate_kan_dora=True)
    played = run(rig(["", "", "555z"], "5z", rinshan="9m"), four(s2=Puppet(Daiminkan)), rules)
    played_events = names(played.hand)
    at = played_events.index("Daiminkan")
    assert played_events[at : at + 4] == ["Daiminkan", "DoraReveal", "Draw", "Discard"]


def test_pon_goes_before_chi() -> None:
    wall = rig(["", "46m", "", "55m"], "5m")
    played = run(wall, four(s1=Puppet(Chi), s3=Puppet(Pon)))
    calls = [e for e in played.hand.events if isinstance(e, Chi | Pon)]
    assert isinstance(calls[0], Pon)


def test_ron_goes_before_pon() -> None:
    wall = rig(["", "55s", WAIT_5S], "5s")
    played = run(wall, four(s1=Puppet(Pon), s2=Puppet(Claim)))
    assert [w.seat for w in wins(played)] == [2]


def test_no_swap_after_a_call() -> None:
    caller = Puppet(Chi)
    run(rig(["", "45m36m1z"], "3m"), four(s1=caller))
    called = next(i for i, o in enumerate(caller.offered) if o.choices[0].__class__ is Chi)
    after = caller.offered[called + 1]
    assert all(isinstance(c, Discard) and not c.tsumogiri for c in after.choices)
    assert not {c.tile.kind for c in after.choices if isinstance(c, Discard)} & {2, 5}


DRAGONS = "55z66z77z123m9s128p"


@pytest.mark.parametrize("honba", [0, 1])
def test_who_feeds_the_third_dragon_pays_a_tsumo(honba: int) -> None:
    wall = rig(["", DRAGONS], "5z6z7z1z1z1z9s")
    winner = Puppet(Claim, Pon, throws="1p2p8p")
    played = run(wall, four(s1=winner), honba=honba)
    (win,) = wins(played)
    assert win.yaku == ((39, 13),)
    assert win.pao == 2
    assert win.deltas == (0, 32000 + 300 * honba, -32000 - 300 * honba, 0)


def test_who_feeds_the_third_dragon_pays_half_of_a_ron() -> None:
    wall = rig(["", DRAGONS], "5z6z7z1z9s")
    winner = Puppet(Claim, Pon, throws="1p2p8p")
    played = run(wall, four(s1=winner))
    (win,) = wins(played)
    assert win.deltas == (0, 32000, -16000, -16000)


@pytest.mark.parametrize(
    ("rules", "deltas"),
    [
        (TENHOU, (0, 64300, -64300, 0)),
        (TENHOU.but(pao_whole=False), (-16000, 64300, -40300, -8000)),
    ],
)
def test_of_two_limit_hands_all_or_one_is_paid_by_who_fed_it(
    rules: Ruleset, deltas: tuple[int, ...]
) -> None:
    hand = "55z66z77z112z128p9s"
    wall = rig(["", hand], "5z6z7z3z3z3z2z3z4z4z2z")
    winner = Puppet(Claim, Pon, throws="1p2p8p9s")
    played = run(wall, four(s1=winner), rules, honba=1)
    (win,) = wins(played)
    assert dict(win.yaku or ()) == {39: 13, 42: 13}
    assert win.deltas == deltas


def test_thirteen_orphans_rob_a_closed_kan_where_the_rules_say_so() -> None:
    orphans = "19m19p19s123456z1z"
    for rules, robbed in ((TENHOU, False), (TENHOU.but(rob_ankan=True), True)):
        wall = rig(["777z", "", orphans], "7z", rinshan="5m")
        played = run(wall, four(s0=Puppet(Ankan), s2=Puppet(Claim)), rules)
        assert (names(played.hand)[4] == "Win") is robbed


@pytest.mark.parametrize("wants", [(Claim,), ()])
@pytest.mark.parametrize("rob", [False, True])
def test_a_seats_own_state_may_win_on_a_closed_kan(wants: tuple[object, ...], rob: bool) -> None:
    """Thirteen orphans alone, not another hand that waits on the tile; and the decision is in the
    record, won on or not."""
    rules = TENHOU.but(rob_ankan=rob)
    wall = rig(["777z", "123m456m789m12p11s", "19m19p19s123456z1z"], "7z", rinshan="5m")
    puppets = (Puppet(*wants if s else (Ankan,)) for s in range(4))
    watching = [Watching(puppet, Seat(s), rules) for s, puppet in enumerate(puppets)]
    played = run(wall, watching, rules)
    assert (("Ankan", {Claim, Pass}) in watching[2].answered) is rob
    assert not any(last == "Ankan" for s in (0, 1, 3) for last, _ in watching[s].answered)
    game = Game(Header(rules=rules), (played.hand,))
    kans = [d for d in decisions(game) if isinstance(d.offer, Ankan)]
    assert [(d.seat, d.offer.tile) for d in kans if d.offer] == [(2, Tile.parse("7z"))] * rob
    for decision in kans:
        assert isinstance(decision.chosen, Claim if wants else Pass)
        assert decision.position.unseen[33] == 0


def _nagashi_wall() -> Wall:
    """Seat 0 draws terminals and honours alone; the others draw simples."""
    ends = [t for t in range(136) if t // 4 in YAOCHU]
    simples = [t for t in range(136) if t // 4 not in YAOCHU]
    draws = [ends.pop() if i % 4 == 0 else simples.pop() for i in range(70)]
    rest = ends + simples
    return Wall([*rest[: DEAD + DEALT], *draws])


def test_nagashi_mangan_and_the_last_discard() -> None:
    players = four()
    played = run(_nagashi_wall(), players, honba=1)
    end = ending(played)
    assert isinstance(end, ExhaustiveDraw)
    assert end.nagashi == (0,)
    assert end.deltas == (12000, -4000, -4000, -4000)
    assert names(played.hand).count("Draw") == 70


def test_a_called_discard_is_no_nagashi() -> None:
    wall = _nagashi_wall()
    first = Tile.from_id(wall.tiles[DEAD + DEALT])
    players = [Puppet(Pon, Chi) for _ in range(4)]
    players[0] = Puppet()
    played = play_hand(TENHOU, wall, players)
    calls = [e for e in played.hand.events if isinstance(e, Pon | Chi) and e.target == 0]
    end = ending(played)
    assert first.kind in YAOCHU
    if calls and isinstance(end, ExhaustiveDraw):
        assert 0 not in end.nagashi


def test_haitei_and_houtei() -> None:
    wall = _nagashi_wall()
    players = [Puppet(Claim) for _ in range(4)]
    played = play_hand(TENHOU, wall, players)
    for win in wins(played):
        late = names(played.hand).count("Draw") == 70
        assert win.yaku is not None
        assert ((5, 1) in win.yaku or (6, 1) in win.yaku) == late


def test_riichi_needs_points_and_draws() -> None:
    hand = "123456789m11p23p"
    poor = Puppet(Riichi)
    scores = [900, 25000, 25000, 49100]
    run(rig([hand], "9s"), four(s0=poor), scores=scores)
    assert poor.offers(Riichi) == 0
    late = Puppet()
    run(rig([hand], "9s"), four(s0=late))
    turns = [o for o in late.offered if any(type(c) is Discard for c in o.choices)]
    offered = [any(type(c) is Riichi for c in o.choices) for o in turns]
    assert offered[0]
    assert not offered[-1]  # the dealer's last draw leaves two


def test_each_seat_sees_its_own_draws_alone() -> None:
    players = four()
    run(rig(), players)
    for seat, player in enumerate(players):
        assert all(e.seat == seat for e in player.seen if isinstance(e, Draw | OwnDeal))
        assert sum(type(e).__name__ == "HiddenDraw" for e in player.seen) > 40
        assert not any(type(e).__name__ == "Deal" for e in player.seen)


def test_a_choice_that_is_not_offered_is_refused() -> None:
    class Cheat(Puppet):
        def act(self, options: Options) -> Claim:
            return Claim(options.seat, options.seat)

    with pytest.raises(ChoiceError, match="seat 0 chose"):
        play_hand(TENHOU, rig(draws="1z"), [Cheat(), Puppet(), Puppet(), Puppet()])


def test_double_riichi_ippatsu_and_ura() -> None:
    hands = ["123456789m11p23p"]
    wall = rig(hands, "9s1z2z3z1p", uras="9p")
    played = run(wall, four(s0=Puppet(Claim, Riichi)))
    (win,) = wins(played)
    assert win.yaku is not None
    found = dict(win.yaku)
    assert found[21] == 2  # double riichi
    assert 1 not in found
    assert found[2] == 1  # ippatsu
    assert found[53] == 3  # three 1p under the 9p
    assert win.ura == (Tile.parse("9p"),)
    accepted = next(i for i, e in enumerate(played.hand.events) if isinstance(e, RiichiAccepted))
    assert isinstance(played.hand.events[accepted - 1], Discard)


def test_copies_name_every_tile_of_every_event() -> None:
    hands = ["", "55p", "555z"]
    players = four(s1=Puppet(Pon, Kakan), s2=Puppet(Daiminkan))
    played = run(rig(hands, "5p1z2z5z0p"), players)
    assert played.hand.copies is not None
    copies = iter(played.hand.copies)
    for event in played.hand.events:
        named: list[Tile] = []
        if isinstance(event, Draw | Discard | Kakan):
            named = [event.tile]
        elif isinstance(event, Pon | Chi | Daiminkan):
            named = [event.tile, *event.consumed]
        elif isinstance(event, DoraReveal):
            named = [event.indicator]
        elif type(event).__name__ == "Start":
            named = [played.hand.start.indicator]
        elif hasattr(event, "hands"):
            named = [t for hand in event.hands for t in hand]
        elif isinstance(event, Win):
            named = [event.tile, *event.ura]
        elif isinstance(event, Ankan):
            named = list(event.tiles)
        assert [Tile.from_id(next(copies)) for _ in named] == named
    assert next(copies, None) is None

"""The rule-based player: sensible in plain cases, and blind to what its seat cannot see."""

from __future__ import annotations

from collections.abc import Sequence

from play.rigged import Puppet, rig

from haiyomi.events import (
    Chi,
    Deal,
    Discard,
    Draw,
    Event,
    HiddenDraw,
    OwnDeal,
    Pon,
    Riichi,
    Win,
    visible_to,
)
from haiyomi.play.hand import play_hand
from haiyomi.play.player import Choice, Options
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RuleStyle
from haiyomi.play.wall import Wall
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.tiles import Seat, Tile

KEEN = RuleStyle(riichi=1.0, call_yakuhai=1.0, call_other=1.0, kan=1.0)


def player(seat: int, style: RuleStyle = KEEN) -> RulePlayer:
    return RulePlayer(Seat(seat), generator(0, "player", seat), style)


def play(wall: Wall, *seats: RulePlayer) -> Sequence[Event]:
    """A hand of puppets, but for the players given."""
    by_seat = {p.seat: p for p in seats}
    table = [by_seat.get(Seat(s), Puppet()) for s in range(4)]
    return play_hand(TENHOU, wall, table).hand.events


def own(events: Sequence[Event], seat: int) -> list[Event]:
    return [e for e in events if getattr(e, "seat", None) == seat and not isinstance(e, Draw)]


def test_it_throws_what_is_alone_and_declares_riichi() -> None:
    events = play(rig(["123456789m11p23p"], "4z", indicators="1s"), player(0))
    assert own(events, 0)[:2] == [Riichi(Seat(0)), Discard(Seat(0), Tile.parse("4z"), True)]


def test_it_wins_whenever_it_can() -> None:
    events = play(rig(["", "234m567m234p88p46s"], "5s"), player(1))
    end = events[-1]
    assert isinstance(end, Win)
    assert (end.seat, end.target) == (1, 0)


def test_it_keeps_the_most_useful_shape() -> None:
    events = play(rig(["234m567m67p3452s1z"], "9m", indicators="4z"), player(0))
    first = next(e for e in events if isinstance(e, Discard))
    assert first.tile in (Tile.parse("1z"), Tile.parse("9m"))


def test_it_calls_value_honours_and_all_simples() -> None:
    events = play(rig(["", "55z234m567p34s99m1s"], "5z"), player(1))
    assert any(isinstance(e, Pon) and e.seat == 1 for e in events)
    events = play(rig(["", "22m567p34s67s88p46m"], "5s"), player(1))
    assert any(isinstance(e, Chi | Pon) and e.seat == 1 for e in events)


def test_it_makes_no_call_without_a_yaku_in_sight() -> None:
    events = play(rig(["", "12m999m345p67s19s2z"], "3m"), player(1))
    first = [e for e in events if isinstance(e, Chi | Pon) and e.seat == 1]
    assert not first


def test_it_folds_to_a_riichi_with_safe_tiles() -> None:
    hands = ["123456789m11p23p", "1478m258p136s123z"]
    folding = player(1, RuleStyle(fold_shanten=1, call_yakuhai=0, call_other=0))
    events = play(rig(hands, "8p4z5z6z9s", indicators="1s"), player(0), folding)
    safe: set[int] = set()
    accepted = False
    held: list[int] = []
    checked = 0
    for event in events:
        if isinstance(event, Deal):
            held = [t.kind for t in event.hands[1]]
        if isinstance(event, Draw) and event.seat == 1:
            held.append(event.tile.kind)
        if isinstance(event, Riichi):
            accepted = True
        if isinstance(event, Discard):
            if event.seat == 1:
                if accepted and safe.intersection(held):
                    assert event.tile.kind in safe
                    checked += 1
                held.remove(event.tile.kind)
            if accepted:
                safe.add(event.tile.kind)
    assert checked >= 1


def test_a_style_that_never_declares_stays_silent() -> None:
    quiet = player(0, RuleStyle(riichi=0.0))
    events = play(rig(["123456789m11p23p"], "4z", indicators="1s"), quiet)
    assert not any(isinstance(e, Riichi) and e.seat == 0 for e in events)


class Spy(RulePlayer):
    """Checks that nothing hidden is shown, and that every question has an answer."""

    def observe(self, event: Event) -> None:
        assert not isinstance(event, Deal)
        if isinstance(event, Draw | OwnDeal):
            assert event.seat == self.seat
        if isinstance(event, HiddenDraw):
            assert event.seat != self.seat
        assert visible_to(event, self.seat) == event
        super().observe(event)

    def act(self, options: Options) -> Choice:
        assert options.seat == self.seat
        assert len(options.choices) >= 2
        assert len(set(options.choices)) == len(options.choices)
        counts = sum(self.view.counts)
        assert counts % 3 in (1, 2)
        assert all(0 <= n <= 4 for n in self.view.seen)
        return super().act(options)


def test_players_see_their_own_seat_alone_and_remember_it_right() -> None:
    for number in range(3):
        spies = [Spy(Seat(s), generator(number, "spy", s), KEEN) for s in range(4)]
        play_hand(TENHOU, Wall.shuffled(generator(number, "wall")), spies)

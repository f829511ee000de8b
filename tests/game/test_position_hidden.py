"""What is hidden never enters a Position: dealt anew, it leaves every Position bit-identical."""

from __future__ import annotations

import pathlib
import pickle
import zipfile
from collections import Counter

import numpy as np
import pytest
from properties.made_hands import dealt_anew, made_hand

from haiyomi.events import Deal, Discard, Draw, Event, Kakan, Win, visible_to
from haiyomi.game.position import Position
from haiyomi.game.position_fold import PositionFold, positions
from haiyomi.logs.load import parse
from haiyomi.tiles import N_KINDS, Seat, Tile


def _bits(position: Position) -> bytes:
    return pickle.dumps(position, protocol=5) + repr(position).encode()


def _position_before(events: tuple[Event, ...], index: int, seat: int) -> Position:
    fold = PositionFold(Seat(seat))
    for event in events[:index]:
        fold.apply(visible_to(event, Seat(seat)))
    return fold.position()


def _check(events: tuple[Event, ...], rng: np.random.Generator, share: float) -> int:
    """Compare at a share of the hand's decisions; how many they were."""
    compared = 0
    for index, event in enumerate(events):
        if not isinstance(event, (Discard, Kakan)) or rng.random() >= share:
            continue
        seen = events[:index]
        anew = dealt_anew(seen, event.seat, rng)
        assert anew != seen
        before, after = (_position_before(e, index, event.seat) for e in (seen, anew))
        assert before == after
        assert _bits(before) == _bits(after)
        compared += 1
    return compared


@pytest.mark.parametrize("seed", range(12))
def test_made_hands(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert _check(made_hand(rng), rng, share=0.4) > 10


def test_made_hands_hold_everything() -> None:
    """The property above is worth its words only if its hands have all that happens."""
    kinds: Counter[str] = Counter()
    for seed in range(60):
        events = made_hand(np.random.default_rng(seed))
        kinds.update(type(e).__name__ for e in events)
        kinds.update("rinshan" for e in events if isinstance(e, Draw) and e.rinshan)
    for name in ("Riichi", "Chi", "Pon", "Daiminkan", "Ankan", "Kakan", "DoraReveal", "rinshan"):
        assert kinds[name] >= 5, (name, kinds)


def test_dealing_anew_keeps_the_136_tiles_and_what_was_seen() -> None:
    rng = np.random.default_rng(7)
    events = made_hand(rng)
    for viewer in range(4):
        anew = dealt_anew(events, viewer, rng)
        assert [visible_to(e, Seat(viewer)) for e in anew] == [
            visible_to(e, Seat(viewer)) for e in events
        ]
        drawn: list[Tile] = []
        for event in anew:
            if isinstance(event, Deal):
                drawn += [t for hand in event.hands for t in hand]
            elif isinstance(event, Draw):
                drawn.append(event.tile)
        full = Counter(Tile.from_id(i) for i in range(136))
        assert not Counter(drawn) - full
        assert anew != events


@pytest.mark.parametrize("seed", range(20, 26))
def test_the_counts_of_a_made_hand(seed: int) -> None:
    """Seen counts, hand sizes and the wall, counted a second way from all tiles."""
    events = made_hand(np.random.default_rng(seed))
    for seat in range(4):
        for index, _, p in positions(events, Seat(seat)):
            past = events[:index]
            draws = sum(isinstance(e, Draw) for e in past)
            assert p.draws_left == 70 - draws
            assert len(p.hand) == p.players[0].concealed
            for r, view in enumerate(p.players):
                sets = len(view.melds)
                own_turn = r == 0 and p.to_act
                assert view.concealed == 13 - 3 * sets + own_turn
            seen = [0] * N_KINDS
            for tile in p.hand:
                seen[tile.kind] += 1
            for tile in p.indicators:
                seen[tile.kind] += 1
            for view in p.players:
                for meld in view.melds:
                    for tile in meld.tiles:
                        seen[tile.kind] += 1
                for lying in view.river:
                    seen[lying.tile.kind] += lying.called_by is None
            assert list(p.seen) == seen
            assert p.discards_made == sum(isinstance(e, Discard) for e in past)


def test_the_ura_indicators_of_a_win_do_not_enter() -> None:
    rng = np.random.default_rng(3)
    events = made_hand(rng)
    last = events[-1]
    assert isinstance(last, Discard)
    plain = Win(Seat((last.seat + 1) % 4), last.seat, last.tile, (-1000, 1000, 0, 0))
    shown = Win(plain.seat, plain.target, plain.tile, plain.deltas, (Tile.parse("5z"),))
    ends = [_position_before((*events, win), len(events) + 1, 2) for win in (plain, shown)]
    assert _bits(ends[0]) == _bits(ends[1])


@pytest.mark.corpus
def test_real_hands(corpus: pathlib.Path) -> None:
    rng = np.random.default_rng(11)
    compared = 0
    with zipfile.ZipFile(corpus / "valid.zip") as archive:
        names = sorted(n for n in archive.namelist() if n.endswith(".mjlog"))
        for name in rng.choice(names, 8, replace=False):
            game = parse(archive.read(str(name)))
            if not game.header.rules.red_fives:
                continue
            compared += sum(_check(hand.events, rng, share=0.08) for hand in game)
    assert compared > 150

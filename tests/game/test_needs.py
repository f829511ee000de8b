"""What the last hand asks: named cases worked out by hand, and the places that the wins bring."""

from __future__ import annotations

import pathlib
from collections import Counter
from itertools import islice

import pytest

from haiyomi.corpus import Corpus
from haiyomi.events import FourScores, Riichi, Win, by_place
from haiyomi.game.needs import HandScores, Need, needs
from haiyomi.kernels.scoring import payments
from haiyomi.rules import TENHOU, TENHOU_EAST, Ruleset
from haiyomi.seeds import generator
from haiyomi.tiles import Seat


def start(kyoku: int, scores: FourScores, honba: int = 0, sticks: int = 0) -> HandScores:
    return HandScores(kyoku, honba, sticks, scores)


def test_a_third_place_in_south_4() -> None:
    """Seat 2 has 15,700; of equal points the earlier seat is higher, so 4,500 off seat 0 is short
    of seat 1 by the tie."""
    scores = (13800, 20200, 15700, 50300)
    assert needs(TENHOU, start(7, scores), 2) == (
        Need(0, None, (6000, 12000)),
        Need(0, 3, (24000,)),
        Need(1, None, (1000, 2000)),
        Need(1, 0, (5200,)),
        Need(1, 1, (2600,)),
        Need(1, 3, (5200,)),
    )


def test_a_dealer_needs_the_lead_and_the_target() -> None:
    """2,600 all make 29,800, second by 200: the game would go on."""
    scores = (33000, 24800, 20000, 22000)
    found = needs(TENHOU, start(7, scores), 3)
    assert {need.place for need in found} == {0}
    assert found[0] == Need(0, None, (3200,))


def test_a_dealer_plays_on_unless_first() -> None:
    """A named case: only a bust would end the game with the dealer third, and 18,000 off the next
    player was named as what third place takes."""
    found = needs(TENHOU, start(7, (18300, 34400, 34400, 11900), 2, 1), 3)
    assert {need.place for need in found} == {0}


def test_honba_and_deposits_count() -> None:
    scores = (26000, 25000, 24000, 25000)
    without = needs(TENHOU_EAST, start(3, scores), 2)
    more = needs(TENHOU_EAST, start(3, scores, 2, 2), 2)
    assert Need(0, 0, (6400,)) in without  # 30,400: the target
    assert Need(0, 0, (3900,)) in more  # and 600 for honba, 2,000 deposited: 30,500


def test_the_first_and_earlier_hands_need_nothing() -> None:
    assert needs(TENHOU, start(7, (50000, 20000, 20000, 10000)), 0) == ()
    assert needs(TENHOU, start(6, (50000, 20000, 20000, 10000)), 3) == ()


@pytest.mark.parametrize("seed", range(50))
def test_every_win_brings_its_place(seed: int) -> None:
    rng = generator(seed, "needs")
    x, y, z = (int(score) for score in rng.integers(200, 300, 3) * 100)
    scores = x, y, z, 100000 - x - y - z
    seat, honba = int(rng.integers(4)), int(rng.integers(3))
    for place, payer, points in needs(TENHOU, start(7, scores, honba), seat):
        after = list(scores)
        for other in range(4):
            if other == seat or payer not in (None, other):
                continue
            paid = points[0] + 300 * honba
            if payer is None:
                paid = points[-1 if other == 3 else 0] + 100 * honba
            after[other] -= paid
            after[seat] += paid
        a, b, c, d = after
        assert by_place((a, b, c, d)).index(Seat(seat)) <= place
        assert max(after) >= 30000 or min(after) < 0
        assert sum(after) == sum(scores)


@pytest.mark.corpus
def test_the_records_end_as_the_needs_say(corpus: pathlib.Path) -> None:
    """The final scores of records: who wins enough has the place. Who wins less has it where others
    deposited in the hand, which nobody knew when it began."""
    found: Counter[tuple[bool, bool]] = Counter()
    for _, game in islice(Corpus([corpus / "valid.zip"]), 200):
        hand = game.hands[-1]
        wins = [event for event in hand.events if isinstance(event, Win)]
        if len(wins) != 1 or game.header.final is None:
            continue
        win = wins[0]
        begun = hand.start
        now = HandScores(begun.kyoku, begun.honba, begun.sticks, begun.scores)
        least = needs(game.header.rules, now, win.seat)
        riichi = any(isinstance(event, Riichi) for event in hand.events)
        for place, payer, points in least:
            if payer != (None if win.tsumo else win.target):
                continue
            due = points[0]
            if payer is None:
                due = 2 * points[0] + points[1] if len(points) == 2 else 3 * points[0]
            has = by_place(game.header.final).index(win.seat) <= place
            assert has == (win.points >= due) or (has and riichi)
            found[has, win.points >= due] += 1
    assert found[True, True] > 20
    assert found[False, False] > 20


def brought(
    rules: Ruleset, hand: HandScores, seat: int, payer: int | None, han: int, fu: int
) -> tuple[tuple[int, ...], int | None]:
    """What a win pays as in ``Need``, and the place that it brings, if the game is over then."""
    dealer = hand.kyoku % 4
    ron, by_dealer, each = payments(han, fu, dealer=seat == dealer, rules=rules)
    after = list(hand.scores)
    for other in {0, 1, 2, 3} - {seat} if payer is None else {payer}:
        paid = ron + 300 * hand.honba
        if payer is None:
            paid = (by_dealer if other == dealer else each) + 100 * hand.honba
        after[other] -= paid
        after[seat] += paid
    after[seat] += 1000 * hand.sticks
    place = by_place(after).index(Seat(seat))
    over = min(after) < 0 or max(after) >= rules.target_points
    over &= seat != dealer or place == 0
    drawn = (each,) if seat == dealer else (each, by_dealer)
    return (ron,) if payer is not None else drawn, place if over else None


@pytest.mark.parametrize("seed", range(60))
def test_no_win_below_90_fu_that_pays_less_brings_the_place(seed: int) -> None:
    rng = generator(seed, "least wins")
    x, y, z = (int(score) for score in rng.integers(50, 350, 3) * 100)
    scores = x, y, z, 100000 - x - y - z
    rules = TENHOU.but(kiriage=seed % 2 == 1)
    hand = start(7, scores, int(rng.integers(3)), int(rng.integers(2)))
    seat = int(rng.integers(4))
    plain = [(han, fu) for han in range(1, 14) for fu in range(30, 81 if han > 1 else 61, 10)]
    for payer in {None, 0, 1, 2, 3} - {seat}:
        named = {n.place: n.points for n in needs(rules, hand, seat) if n.payer == payer}
        fewer = [(han, 25) for han in range(3 if payer is None else 2, 14)]
        fewer += [(han, 20) for han in range(2, 14)] if payer is None else []
        last = None
        for place in range(by_place(scores).index(Seat(seat))):
            found = [brought(rules, hand, seat, payer, *each) for each in plain + fewer]
            due = min(
                (pays for pays, got in found if got is not None and got <= place), default=None
            )
            assert named.get(place) == (due if due != last else None)
            last = due

"""The forecast of every option: exact parts by the rules, probabilities that sum to one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from forecasts import any_later, played, risks

from haiyomi.events import Win
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.at_once import at_once
from haiyomi.outcomes.claimed import claimed
from haiyomi.outcomes.corrections.later_deal_ins import (
    OPEN_TENPAI,
    RIICHI_LATER,
    open_tenpai_part,
)
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.forecast import block_forecast
from haiyomi.outcomes.joint import OTHERS_WIN, OWN_DEAL_INS, PAYER, WINNER
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.option_block import ACTS, OptionBlock
from haiyomi.play.decision import RecordedDecision
from haiyomi.play.player import Claim
from haiyomi.tiles import kind_counts

RON = Ending.RON


def forecast_of(decision: RecordedDecision, seed: int = 0):  # type: ignore[no-untyped-def]
    block = OptionBlock.of([decision])
    threat = [
        risks(o.tiles[0], (0.1, 3900), (0.05, 8000), (0, 0))
        if o.act in ("discard", "riichi", "kakan") else None
        for o in block.flat
    ]  # fmt: skip
    return block_forecast(block, any_later(block, seed), threat)


def without_risks(decision: RecordedDecision, options: list[Option]):  # type: ignore[no-untyped-def]
    block = OptionBlock.of([decision], [options])
    return block_forecast(block, any_later(block))


def test_every_option_of_a_game_has_an_outcome() -> None:
    acts = set()
    for decision in (*played(1)[::3], *played(2)[::3]):
        found = forecast_of(decision).outcomes("anybody")
        assert [o.option for o in found] == list(options_of(decision))
        acts |= {o.option.act for o in found}
    assert {"discard", "riichi", "pass", "pon", "chi", "ron", "tsumo"} <= acts


def test_a_claimed_win_pays_what_the_game_paid() -> None:
    """One of the ura dora's ways is what followed; without riichi there is a single way."""
    seen = 0
    for seed in range(6):
        for decision in played(seed):
            wins = [event for event in decision.followed if isinstance(event, Win)]
            if not isinstance(decision.chosen, Claim) or len(wins) > 1:
                continue
            ways = claimed(decision)
            assert sum(way.probability for way in ways) == pytest.approx(1)
            paid = tuple(wins[0].deltas[(decision.seat + r) % 4] for r in range(4))
            assert paid in {way.changes for way in ways}
            if not decision.position.players[0].riichi:
                assert len(ways) == 1
            seen += 1
    assert seen > 30


def test_a_claimed_win_is_certain() -> None:
    decision = next(d for d in played(1) if isinstance(d.chosen, Claim))
    outcome = next(
        o for o in forecast_of(decision).outcomes("x") if o.option.act in ("ron", "tsumo")
    )
    assert outcome.win == 1
    assert outcome.points == pytest.approx(
        sum(way.probability * way.changes[0] for way in claimed(decision))
    )


def test_wins_at_once_are_those_of_three_independent_opponents() -> None:
    """By the enumeration of who wins: the first in turn takes the honba, three wins abort."""
    decision = next(d for d in played(1) if d.offer is None and d.position.honba)
    option = next(o for o in options_of(decision) if o.act == "discard")
    honba = 300 * decision.position.honba
    chances = ((0.3, 2000 + honba), (0.2, 3900 + honba), (0.1, 8000 + honba))
    found = at_once(OptionBlock.of([decision], [[option]]), [risks(option.tiles[0], *chances)])
    first, lost, aborted = np.zeros(3), np.zeros(3), 0.0
    for wins in product((0, 1), repeat=3):
        p = np.prod([q if w else 1 - q for w, (q, _) in zip(wins, chances, strict=True)])
        paid = sum(points for w, (_, points) in zip(wins, chances, strict=True) if w)
        if all(wins):
            aborted += p
        elif any(wins):
            first[wins.index(1)] += p
            lost[wins.index(1)] += p * (paid - honba * (sum(wins) - 1))
    assert found.first[0] == pytest.approx(first)
    assert found.lost[0] == pytest.approx(lost / first)
    assert found.aborted[0] == pytest.approx(aborted)
    assert found.nobody[0] == pytest.approx(0.7 * 0.8 * 0.9)


def test_an_open_tenpai_hand_deals_in_less_often_later() -> None:
    seen = set()
    for decision in (d for seed in range(4) for d in played(seed) if d.offer is None):
        block = OptionBlock.of([decision])
        opened = decision.position.players[0].open_melds > 0
        for shanten, found in zip(block.shanten, open_tenpai_part(block), strict=True):
            assert found == (OPEN_TENPAI if opened and shanten == 0 else 1)
            seen.add((opened, shanten == 0))
    assert len(seen) == 4


def test_a_seat_in_riichi_cannot_escape_though_all_tiles_are_dangerous() -> None:
    """Of the deal-ins that are expected before the choice a part comes later after riichi alone."""
    decision = next(d for d in played(1) if any(o.act == "riichi" for o in options_of(d)))
    block = OptionBlock.of([decision])
    share = np.full(len(block.act), 1 / len(block.act))
    found = replace(any_later(block), share=share)
    ending = found.ending.copy()
    ending[..., OWN_DEAL_INS] *= 1e-3
    later = replace(found, ending=ending)
    dangerous = [
        risks(o.tiles[0], (0.2, 3900), (0, 0), (0, 0)) if o.tiles else None for o in block.flat
    ]
    p = block_forecast(block, later, dangerous).later[OWN_DEAL_INS].sum(axis=(0, 1))
    riichi = block.does("riichi")
    at_once = 0.2 * np.mean([bool(o.tiles) for o in block.flat])
    # Before all endings are normalised.
    assert (p[riichi] / (1 - p[riichi]) > RIICHI_LATER * at_once).all()
    assert (p[riichi] < RIICHI_LATER * (at_once + 0.02)).all()
    assert (p[block.does("discard")] < 0.01).all()


def test_the_deposit_stays_where_the_declaration_tile_is_won_on() -> None:
    """A certain deal-in costs its points alone; with no risk the deposit costs a draw."""
    decision = next(d for d in played(1) if any(o.act == "riichi" for o in options_of(d)))
    riichi = next(o for o in options_of(decision) if o.act == "riichi")
    block = OptionBlock.of([decision], [[riichi]])
    sure = block_forecast(
        block, any_later(block), [risks(riichi.tiles[0], (1, 5200), (0, 0), (0, 0))]
    )
    (outcome,) = sure.outcomes("x")
    assert outcome.deal_in == 1
    assert outcome.points == -5200
    (safe,) = without_risks(decision, [riichi]).outcomes("x")
    shares = {share.ending: share for share in safe.endings}
    assert Ending.DRAW_NOTEN not in shares
    assert shares[Ending.DRAW_TENPAI].points <= 3000 - 1000
    assert shares[Ending.ABORTED].points == -1000


def test_after_the_last_discard_nobody_wins_and_tenpai_is_known() -> None:
    last = [d for s in range(8) for d in played(s) if d.offer is None and not d.position.draws_left]
    assert len(last) > 3
    for decision in last:
        options = [o for o in options_of(decision) if o.act == "discard"]
        p = without_risks(decision, options).endings[0]
        assert not p[: Ending.DRAW_TENPAI].any()
        assert (np.minimum(p[Ending.DRAW_TENPAI], p[Ending.DRAW_NOTEN]) == 0).all()


def all_seen(decision: RecordedDecision, option: Option) -> bool:
    """Whether the seat sees every tile that completes the hand after a riichi."""
    left = list(decision.position.hand)
    left.remove(option.tiles[0])
    mask = int(waits(np.array([kind_counts(left)], np.uint8))[0])
    return not any(decision.position.unseen[kind] for kind in range(34) if mask >> kind & 1)


def test_a_furiten_riichi_wins_by_own_draw_alone() -> None:
    """Of each riichi that a game declared furiten: no ron in the forecast. Others may ron, but for
    those whose winning tiles are all seen, which never win."""
    furiten = []
    for decision in (d for s in range(8) for d in played(s)):
        for option in options_of(decision):
            if option.act == "riichi":
                p = without_risks(decision, [option]).endings[0][:, 0, 0]
                if p[Ending.TSUMO] > 0:
                    furiten.append(p[RON] == 0)
                else:
                    assert p[RON] == 0
                    assert all_seen(decision, option)
    assert any(furiten)
    assert not all(furiten)


def test_an_option_too_many_is_refused() -> None:
    decision = played(1)[0]
    with pytest.raises(ValueError, match="2 rows for 1 options"):
        block_forecast(
            OptionBlock.of([decision], [list(options_of(decision))[:1]]),
            any_later(OptionBlock.of([decision], [list(options_of(decision))[:2]])),
        )


def mean_classes(decision: RecordedDecision):  # type: ignore[no-untyped-def]
    """A block of one decision and (b, 12) the mean class of each other winner after its options."""
    block = OptionBlock.of([decision])
    later = any_later(block)
    later.others[:] = 1 / 9
    share = np.full(len(block.act), 1 / len(block.act))
    forecast = block_forecast(block, replace(later, share=share))
    sizes = np.diff([*forecast.group_begins, len(block.act)])
    return block, np.repeat((forecast.others * np.arange(9)).sum(axis=2), sizes, axis=0)


def test_who_stays_tenpai_deals_in_to_richer_hands() -> None:
    """More where it declares than in silence, and not of opponents who had declared before."""
    decision = next(
        d
        for seed in range(9)
        for d in played(seed)
        if {"riichi", "discard"} <= {o.act for o in options_of(d)}
        and sum(p.riichi for p in d.position.players[1:]) == 1
    )
    block, worth = mean_classes(decision)
    riichi = block.does("riichi")
    ready = {option.tiles for option in block.flat if option.act == "riichi"}
    silent = np.array([o.act == "discard" and o.tiles in ready for o in block.flat])
    declared = [p.riichi for p in decision.position.players]
    for ending in OTHERS_WIN:
        winner, column = WINNER[ending], worth[:, ending - OTHERS_WIN[0]]
        other = column[~riichi & ~silent]
        assert other == pytest.approx(other[:1].repeat(len(other)))
        if PAYER[ending] == 0 and not declared[winner]:
            assert column[riichi].min() > column[silent].max() + 0.1 > other[0] + 0.2
        else:
            assert column == pytest.approx(other[:1].repeat(len(column)))


def test_a_kan_makes_the_hands_of_all_opponents_richer() -> None:
    decision = next(
        d
        for seed in range(20)
        for d in played(seed)
        if {"ankan", "discard"} <= {o.act for o in options_of(d)}
    )
    block, worth = mean_classes(decision)
    kan = block.does("ankan")
    other = worth[block.does("discard")]
    assert worth[kan].min() > other.max() + 0.3


def test_the_tile_of_a_riichi_meets_the_same_hands_before_and_after_the_word() -> None:
    """The first decision declares, the next one discards."""
    seen = 0
    for seed in range(4):
        for before, after in pairwise(played(seed)):
            if after.position.players[0].riichi and not before.position.players[0].riichi:
                (a, first), (b, second) = mean_classes(before), mean_classes(after)
                if {o.act for o in b.flat} != {"riichi"} or before.seat != after.seat:
                    continue
                for number, option in enumerate(b.flat):
                    assert second[number] == pytest.approx(first[a.flat.index(option)])
                seen += 1
    assert seen > 3


def test_open_tenpai_hands_and_states_alone_meet_the_hands_of_the_decision() -> None:
    opened = next(
        d
        for seed in range(9)
        for d in played(seed)
        if d.position.players[0].open_melds
        and len(TenpaiOptions.of(OptionBlock.of([d])).some)
        and not any(p.riichi for p in d.position.players)
    )
    _, worth = mean_classes(opened)
    assert worth == pytest.approx(worth[:1].repeat(len(worth), axis=0))
    riichi = next(d for d in played(1) if any(o.act == "riichi" for o in options_of(d)))
    block = OptionBlock.of([riichi])
    assert len(block_forecast(block, any_later(block)).others) == 1


def test_nine_terminals_abort() -> None:
    decision = played(1)[0]
    block = OptionBlock.of([decision])
    found = block_forecast(
        replace(block, act=np.full_like(block.act, ACTS.index("nine terminals"))), any_later(block)
    )
    outcome = found.outcomes("x")[0]
    assert outcome.probability(Ending.ABORTED) == 1

"""Playing on: what deals are drawn, and what the options of a decision share."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray
from outcomes.hand_outcome import outcome_of

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.models import Models
from haiyomi.errors import HaiyomiError
from haiyomi.events import Hand, Riichi
from haiyomi.game.position import Position
from haiyomi.kernels.decode import decode
from haiyomi.kernels.scoring import MeldType, score_one
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.tables import Games
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.option import Option, options_of
from haiyomi.outcomes.payoff import Payoff
from haiyomi.outcomes.starts import HandEnds
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.stated_decision import decision_at
from haiyomi.playouts.answer import play_on
from haiyomi.playouts.deals import POOL, Deals, Hands, with_reds
from haiyomi.playouts.ends import PlayedEnds
from haiyomi.playouts.once import won_on
from haiyomi.playouts.play import PlayedOn, PlayingOn
from haiyomi.rules import TENHOU
from haiyomi.styles.choice_loss import bits
from haiyomi.styles.policy import Policy, rollout_policy
from haiyomi.tiles import TILES

GAME = simulate_rule_players(5, 5)
PAYOFF = Payoff.parse("90/45/0/-135", TENHOU)


def _played(playing: PlayingOn, most: int = 64) -> PlayedOn:
    for _ in playing.run(most):
        pass
    return playing.found()


@pytest.fixture(scope="module")
def some() -> list[RecordedDecision]:
    """Own turns and another's tile, with and without another's riichi."""
    found = list(islice(decisions(GAME), 400))
    riichi = [d for d in found if any(p.riichi for p in d.position.players[1:])]
    quiet = [d for d in found if d.position.discards_made > 20 and d not in riichi]
    offers = [d for d in found if d.offer is not None and d.position.discards_made > 8]
    return [next(d for d in riichi if d.offer is None), quiet[0], offers[0]]


def _playing(decision: RecordedDecision, policy: Policy, seed: int = 0) -> PlayingOn:
    return PlayingOn(decision, policy, PAYOFF, seed=seed)


def test_the_tile_of_a_declared_riichi_is_played_on(policy: Policy) -> None:
    declared = next(d for d in decisions(GAME) if isinstance(d.history[-1], Riichi))
    found = _played(_playing(declared, policy))
    assert {str(outcome.option) for outcome in found.outcomes} == set(
        map(str, options_of(declared))
    )
    assert min(found.worlds) >= 64


def draw_deals(position: Position, n: int, seed: int) -> Hands:
    """(n, 3, 34) the first n deals of ``Deals``."""
    deals = Deals(position, seed)
    found: list[Hands] = []
    while sum(map(len, found)) < n:
        found.append(deals.block(len(found)))
    return np.concatenate(found)[:n]


def test_the_three_hands_of_a_deal_lie_on_one_table(some: list[RecordedDecision]) -> None:
    for decision in some:
        position = decision.position
        deals = draw_deals(position, 300, 1)
        assert (deals.sum(axis=1) <= np.array(position.unseen)).all()
        concealed = [player.concealed for player in position.players[1:]]
        assert (deals.sum(axis=2) == concealed).all()
        np.testing.assert_array_equal(draw_deals(position, 100, 1), deals[:100])
        codes = with_reds(position, deals, 1)
        kinds = np.where(codes < 34, codes, (codes.astype(int) - 34) * 9 + 4)
        for r in range(3):
            held = kinds[:, position.absolute(r + 1)]
            counts = (held[:, :, None] == np.arange(34)).sum(axis=1)
            np.testing.assert_array_equal(counts, deals[:, r])
        for suit in range(3):
            assert (codes == 34 + suit).sum(axis=(1, 2)).max() <= 1


def _wins(position: Position, seat: int, hands: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(n, 34) the kinds on which tenpai hands of a relative seat win by ron."""
    player = position.players[seat]
    melds = [(MeldType[meld.kind.upper()], meld.base) for meld in player.melds]
    out = bits(waits(hands))
    out &= ~(out & bits(np.array(player.furiten_mask))).any(axis=1, keepdims=True)
    for i, kind in np.argwhere(out).tolist():
        held = np.repeat(np.arange(34), hands[i]).tolist()
        out[i, kind] = score_one(
            [*held, kind], kind, melds=melds, riichi=int(player.riichi),
            round_wind=position.round_wind, seat_wind=position.seat_wind(seat),
            rules=position.rules,
        ).has_yaku  # fmt: skip
    return out


def test_deals_are_tenpai_and_win_on_tiles_as_often_as_the_deal_in_room_says(
    some: list[RecordedDecision],
) -> None:
    models = Models()
    for decision in some:
        position = decision.position
        (read,) = models.deal_in.read([position])
        kinds = [tile for tile in TILES[:34] if position.unseen[tile.kind]]
        answer = read.deal_in(kinds)
        deals = draw_deals(position, 2048, 1)
        for r in range(3):
            drawn = shanten(deals[:, r]) == 0
            share = answer.tenpai[r]
            error = np.sqrt(share * (1 - share) / len(deals))
            assert abs(drawn.mean() - share) <= 4 * error
            won = _wins(position, r + 1, deals[:, r]) & drawn[:, None]
            for tile in kinds:
                risk = answer.risks[tile][r]
                # The pool of hands is finite.
                error = np.sqrt(max(risk.probability, 0.005) / POOL)
                assert abs(won[:, tile.kind].mean() - risk.probability) < 4 * error


def test_hands_that_are_not_tenpai_hold_tiles_as_often_as_the_reading_says(
    some: list[RecordedDecision],
) -> None:
    compared = 0
    for decision in some:
        deals = draw_deals(decision.position, 2048, 1)
        for r, reading in enumerate(read_hands(decision.position, POOL, 1)):
            read = reading.samples[reading.shanten > 0]
            drawn = deals[shanten(deals[:, r]) > 0, r]
            if len(read) > POOL / 4:
                # That three hands lie on one table moves the mean counts a little.
                assert np.abs(drawn.mean(axis=0) - read.mean(axis=0)).mean() < 0.03
                compared += 1
    assert compared == 8  # of nine hands all but the one in riichi


def test_a_block_of_deals_depends_on_its_number_alone(some: list[RecordedDecision]) -> None:
    one, two = (Deals(some[1].position, 1) for _ in range(2))
    one.block(0)
    np.testing.assert_array_equal(one.block(1), two.block(1))
    assert (two.block(0)[:100] != two.block(1)[:100]).any()


def test_the_same_seed_plays_the_same_worlds(some: list[RecordedDecision], policy: Policy) -> None:
    one, two = (_played(_playing(some[2], policy, 3)) for _ in range(2))
    assert one == two
    other = _played(_playing(some[2], policy, 4))
    assert one.outcomes != other.outcomes


def test_every_option_is_played_and_its_parts_sum_up(
    some: list[RecordedDecision], policy: Policy
) -> None:
    for decision in some:
        found = _played(_playing(decision, policy))
        assert [outcome.option for outcome in found.outcomes] == list(options_of(decision))
        assert found.gaps.count(None) == 1
        for outcome, worlds in zip(found.outcomes, found.worlds, strict=True):
            assert worlds == 64
            assert outcome.error is not None
            assert outcome.placement is not None
            assert outcome.placement.error is not None
            assert abs(outcome.points) < 20_000


def test_some_of_the_options_are_played_as_among_all(
    some: list[RecordedDecision], policy: Policy
) -> None:
    every = _playing(some[0], policy)
    few = PlayingOn(some[0], policy, PAYOFF, only=(every.options[0], every.options[2]))
    for playing in (every, few):
        _played(playing)
    assert every.standings is not None
    assert few.standings is not None
    np.testing.assert_array_equal(few.standings.values, every.standings.values[[0, 2]])


def test_a_win_at_once_on_the_own_tile_has_the_risk_of_the_deal_in_room(
    some: list[RecordedDecision], policy: Policy
) -> None:
    decision = some[0]
    (analysis,) = Analyzer().analyze([decision.position])
    found = _played(_playing(decision, policy))
    assert max(outcome.deal_in_now for outcome in found.outcomes) > 0.02
    known = won_on(decision, list(options_of(decision)), Models(), PAYOFF)
    for outcome, once in zip(found.outcomes, known, strict=True):
        if once is None:
            assert outcome.deal_in_now == 0
            continue
        risk = analysis.risks[outcome.option.tiles[0]]
        assert outcome.deal_in_now == pytest.approx(risk.risk, abs=1e-3)
        assert outcome.deal_in >= outcome.deal_in_now - 1e-9
        assert outcome.points >= once.p * once.outcome.points - 30_000


def test_a_race_that_is_left_keeps_what_was_found(
    some: list[RecordedDecision], policy: Policy
) -> None:
    playing = _playing(some[2], policy)
    with pytest.raises(HaiyomiError, match="nothing was played"):
        playing.found()
    next(iter(playing.run(4096)))
    assert playing.found().worlds == (64,) * len(playing.options)


def test_ends_as_columns_are_those_of_the_hands_replayed(
    some: list[RecordedDecision], policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[tuple[Games, PlayedEnds]] = []
    ended = PlayingOn._ended

    def keep(self: PlayingOn, tables: Games) -> PlayedEnds:
        kept.append((tables, ended(self, tables)))
        return kept[-1][1]

    monkeypatch.setattr(PlayingOn, "_ended", keep)
    for decision in some:
        kept.clear()
        _played(_playing(decision, policy))
        ((tables, ends),) = kept
        hands = [Hand(decode(tables.recorded(i)[0].tolist())) for i in range(len(tables))]
        outcomes = [outcome_of(hand, TENHOU) for hand in hands]
        own = decision.position.players[0].score
        seat = decision.seat
        assert [o.seen_by(seat) for o in outcomes] == ends.ending.tolist()
        assert [o.end.scores[seat] - own for o in outcomes] == ends.change.tolist()
        expected = HandEnds.of([o.end for o in outcomes])
        for name in ("aborted", "renchan", "scores", "sticks", "next_kyoku", "next_honba"):
            np.testing.assert_array_equal(getattr(ends.hand, name), getattr(expected, name))
        assert (ends.ronned <= np.isin(ends.ending, (2, 3, 4))).all()


def test_one_call_plays_the_options_on(some: list[RecordedDecision]) -> None:
    decision = some[0]
    playing = PlayingOn(decision, rollout_policy(), PAYOFF, seed=3)
    for _ in playing.run(128):
        pass
    found = play_on(decision, worlds=128, seed=3)
    assert found == playing.found()
    assert found.best.points == max(
        one.points for one, racing in zip(found.outcomes, found.racing, strict=True) if racing
    )
    one, other = (outcome.option for outcome in found.outcomes[:2])
    few = play_on(decision, [other, str(one)], worlds=64)
    assert [outcome.option for outcome in few.outcomes] == [one, other]
    assert few.worlds == (64, 64)


def test_a_limit_of_time_ends_after_the_first_round(some: list[RecordedDecision]) -> None:
    begun = time.perf_counter()
    found = play_on(some[1], worlds=1_000_000, seconds=1e-6)
    assert max(found.worlds) == 64
    assert time.perf_counter() - begun < 30


def test_playing_on_in_one_call_can_be_stopped(some: list[RecordedDecision]) -> None:
    seen: list[PlayedOn] = []

    def two_rounds(found: PlayedOn) -> bool:
        seen.append(found)
        return len(seen) < 2

    found = play_on(some[1], worlds=100_000, progress=two_rounds)
    assert len(seen) == 2
    assert found == seen[-1]
    assert max(seen[0].worlds) < max(found.worlds) < 100_000


def test_what_cannot_be_played_on(some: list[RecordedDecision]) -> None:
    with pytest.raises(HaiyomiError, match="give the hand as mjai lines"):
        play_on(decision_at(some[1].position))
    with pytest.raises(HaiyomiError, match="given no option; leave options out for all"):
        play_on(some[1], [])
    with pytest.raises(HaiyomiError, match="pass is no option here: discard"):
        play_on(some[1], [Option.parse("pass")])
    with pytest.raises(HaiyomiError, match=r"takes a list of options, such as \['discard 5p'\]"):
        play_on(some[1], "discard 5p")  # it was read letter by letter: no option 'd'
    with pytest.raises(HaiyomiError, match="worlds is 63, expected 64 to 1,000,000"):
        play_on(some[1], worlds=63)
    with pytest.raises(HaiyomiError, match="payoff"):
        play_on(some[1], payoff="1/2")
    with pytest.raises(HaiyomiError, match="worlds is nan, expected 64 to 1,000,000"):
        play_on(some[1], worlds=float("nan"))  # type: ignore[arg-type]
    with pytest.raises(HaiyomiError, match="seconds is nan"):
        play_on(some[1], seconds=float("nan"))
    with pytest.raises(HaiyomiError, match="seed is 18446744073709551616"):
        play_on(some[1], seed=2**64)
    for history in (some[1].history[:-1], some[0].history, some[1].history[:1]):
        with pytest.raises(HaiyomiError, match="not the hand up to this decision"):
            play_on(replace(some[1], history=history))


def test_a_hand_that_is_not_the_decisions_is_refused(
    some: list[RecordedDecision], policy: Policy
) -> None:
    decision = some[1]
    playing = PlayingOn(replace(decision, history=decision.history[:-4]), policy, PAYOFF)
    with pytest.raises(HaiyomiError, match="contradict what the seat saw"):
        next(playing.run(64))

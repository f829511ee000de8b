"""The default model: its answers are distributions, its zeros the rules', its waits explain it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.dealin.answer import TileRisk, WaitShare, assess
from haiyomi.dealin.grid import probabilities
from haiyomi.dealin.models import STEPS, load_model
from haiyomi.dealin.posterior_model import PosteriorModel, shipped, shipped_file
from haiyomi.dealin.posterior_opponents import PosteriorOpponents
from haiyomi.errors import ModelError
from haiyomi.events import visible_to
from haiyomi.game.position import Position, PositionFold
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.play.demo import demo_game
from haiyomi.reading.answer import read_opponents
from haiyomi.reading.chain import shipped as shipped_chain
from haiyomi.review.wait_lines import why_line
from haiyomi.review.words import words_of
from haiyomi.storage.model_file import model_name
from haiyomi.tiles import Seat, Tile


@lru_cache(maxsize=1)
def some_positions() -> tuple[Position, ...]:
    found = []
    game = demo_game()
    for hand in game.hands[:4]:
        fold = PositionFold(Seat(1), game.header.rules)
        for event in hand.events:
            fold.apply(visible_to(event, Seat(1)))
            position = fold.position()
            if position.to_act and position.threat:
                found.append(position)
    assert len(found) > 10
    return tuple(found[:: max(1, len(found) // 12)])


def facing_riichi() -> list[tuple[Position, int]]:
    found = [
        (position, seat)
        for position in some_positions()
        for seat in (1, 2, 3)
        if position.players[seat].riichi_index is not None
    ]
    assert found
    return found[:3]


def opponents(position: Position) -> PosteriorOpponents:
    (found,) = shipped().read([position])
    return found


def explained(position: Position, tile: Tile, i: int) -> tuple[TileRisk, tuple[WaitShare, ...]]:
    """The risk of a tile against opponent i + 1, and the waits that it is made of."""
    found = opponents(position)
    risk = found.deal_in([tile]).risks[tile][i]
    if risk.reason is not None:
        return risk, ()
    (shares,) = shipped().wait_shares([(found, Seat(i + 1), tile.kind)])
    return risk, shares


def test_answers_are_distributions() -> None:
    model = shipped()
    for position in some_positions():
        answer = model.assess(position)
        found = opponents(position)
        for tile, risks in answer.risks.items():
            for risk in risks:
                assert 0 <= risk.probability <= answer.tenpai[risk.opponent - 1] + 1e-6
                assert risk.probability == pytest.approx(
                    float(found.ron[risk.opponent - 1, tile.kind]), abs=1e-9
                )
                assert (risk.reason is None) == (risk.probability > 0)
                assert risk.probability == pytest.approx(sum(r.p for r in risk.rows), abs=1e-9)


def test_zeros_are_the_rules() -> None:
    for position in some_positions():
        found = opponents(position)
        (p, points), tenpai = probabilities(found), found.tenpai
        for i in range(3):
            player = position.players[i + 1]
            mask = np.array([player.furiten_mask >> k & 1 for k in range(34)], bool)
            assert (p[i, mask] == 0).all()
            # The mean of hands that all pay 1,000 is that to the last bit but one.
            assert (points[i, p[i] > 0] >= 1000 * (1 - 1e-12)).all()
            assert tenpai[i] == 1.0 or player.riichi_index is None


def test_the_same_position_has_the_same_answer() -> None:
    position = some_positions()[0]
    one, other = shipped().assess(position), PosteriorModel.load().assess(position)
    assert one == other


def test_positions_read_together_have_the_answers_of_each_alone() -> None:
    positions = some_positions()[:6]
    for position, other in zip(positions, shipped().read(positions), strict=True):
        one = opponents(position)
        assert (one.ron == other.ron).all()
        assert (one.tenpai == other.tenpai).all()
        assert one.reasons == other.reasons
        for a, b in zip(one.rows, other.rows, strict=True):
            assert a.posterior.total == b.posterior.total
            assert all((x == y).all() for x, y in zip(a.answer, b.answer, strict=True))
        assert one.deal_in() == other.deal_in()


def test_waits_of_a_risk_are_shares_of_it() -> None:
    seen = 0
    for position in some_positions():
        i, kind = np.unravel_index(int(np.argmax(opponents(position).ron)), (3, 34))
        risk, shares = explained(position, Tile(int(kind)), int(i))
        assert sum(w.share for w in shares) == pytest.approx(1.0)
        assert all(kind in w.wins for w in shares)
        assert "%" in why_line(risk, shares, words_of("en"))
        seen += 1
    assert seen


def test_a_tile_that_the_viewer_lacks_is_explained_too() -> None:
    """Of a kind in the opponent's own chi, hands with the three others cannot be dealt a fifth."""
    checked = 0
    for position in some_positions():
        held = {t.kind for t in position.hand}
        for i in range(3):
            called = [t for m in position.players[i + 1].melds if m.kind == "chi" for t in m.tiles]
            for tile in (t for t in called if t.kind not in held):
                _, shares = explained(position, tile, i)
                assert shares == () or sum(w.share for w in shares) == pytest.approx(1.0)
                checked += 1
    assert checked > 3


def test_a_safe_tile_says_why() -> None:
    position = some_positions()[-1]
    for i in range(3):
        river = position.players[i + 1].river
        if river:
            risk, shares = explained(position, river[0].tile, i)
            assert risk.reason == "river"
            assert "genbutsu" in why_line(risk, shares, words_of("en"))


@pytest.mark.parametrize("name", STEPS)
def test_every_step_of_the_ablation_answers(name: str) -> None:
    model = load_model(name)
    position = some_positions()[3]
    answer = assess(model, position)
    assert answer.model == name
    assert all(0 <= r.probability <= 1 for risks in answer.risks.values() for r in risks)


def test_files_are_distinguished() -> None:
    assert model_name(shipped_file()) == "posterior"
    assert load_model(str(shipped_file())).name == "posterior"
    with pytest.raises(ModelError, match="no model"):
        load_model("posterior:nothing")


def test_hands_drawn_of_a_riichi_are_tenpai_and_wait_as_the_posterior_says() -> None:
    model = shipped()
    for position, seat in facing_riichi():
        hands = model.tenpai_hands(position, seat, 2000, 7)
        assert hands.shape == (2000, 34)
        assert (hands == model.tenpai_hands(position, seat, 2000, 7)).all()
        assert (hands <= np.array(position.unseen)).all()
        assert (shanten(hands) == 0).all()
        won = waits(hands)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)
        expected = opponents(position).rows[seat - 1].answer.wait
        # A kind that less than one hand in 2000 waits on may still be drawn once or twice.
        error = np.sqrt(np.maximum(expected * (1 - expected), 1 / 2000) / 2000)
        assert (np.abs(won.mean(axis=0) - expected) <= 4.5 * error + 1e-9).all()
        shown = read_hands(position, samples=6, seed=7)[seat - 1]
        assert shown.given == "tenpai"
        assert (shown.samples == model.hands_by_risk(position, seat, 6, 7)).all()
        (three,) = read_opponents([position], shipped_chain(), samples=6, seed=7)
        chains = three[seat - 1]
        assert (chains.shanten == 0).all()
        assert (chains.marginals == shown.marginals).all()


def test_hands_shown_of_a_riichi_agree_with_the_risk_beside_them() -> None:
    """Whatever the forests make of the posterior's shares: the hands win as often as the risk."""
    model, n, checked = shipped(), 2000, 0
    for position, seat in facing_riichi():
        risk = model.read([position])[0].ron[seat - 1]
        hands = model.hands_by_risk(position, seat, n, 5)
        assert hands.shape == (n, 34)
        assert (shanten(hands) == 0).all()
        mask = position.players[seat].furiten_mask
        won = (waits(hands)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)).astype(bool)
        furiten = [bool(mask >> k & 1) for k in range(34)]
        won &= ~(won & np.array(furiten)).any(axis=1, keepdims=True)
        error = np.sqrt(np.maximum(risk * (1 - risk), 1 / n) / n)
        likely = risk > 0.01
        assert (np.abs(won.mean(axis=0) - risk) <= 5.0 * error + 0.01)[likely].all()
        checked += int(likely.sum())
    assert checked > 20

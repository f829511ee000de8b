"""Deal-in risk by a network: distributions, the rules' zeros, and waits that agree with risks."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from dealin.assess import assess

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.dealin.models import STEPS, load_model
from haiyomi.dealin.network_model import NetworkModel
from haiyomi.dealin.posterior_opponents import samples_for
from haiyomi.dealin.waits import WAITS
from haiyomi.errors import ModelError
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.tenpai_hands import wait_forms
from haiyomi.kernels.waits import waits
from haiyomi.networks.opponents import OpponentNetwork
from haiyomi.play.seat_record import seat_records
from haiyomi.reading.counts import CountModel
from haiyomi.tiles import TILES


@pytest.fixture(scope="session")
def model(random_network: OpponentNetwork) -> NetworkModel:
    return NetworkModel(random_network)


def test_answers_are_distributions(model: NetworkModel, positions: list[Position]) -> None:
    for position, found in zip(positions, model.read(positions), strict=True):
        answer = found.deal_in()
        assert answer == assess(model, position)
        for tile, risks in answer.risks.items():
            for risk in risks:
                p = float(found.ron[risk.opponent - 1, tile.kind])
                assert 0 <= risk.probability <= answer.tenpai[risk.opponent - 1] + 1e-6
                assert risk.probability == pytest.approx(p, abs=1e-9)
                assert (risk.reason is None) == (risk.probability > 0)
                assert risk.probability == pytest.approx(sum(r.p for r in risk.rows), abs=1e-9)


def test_zeros_are_the_rules(model: NetworkModel, positions: list[Position]) -> None:
    zeros = 0
    for position, found in zip(positions, model.read(positions), strict=True):
        for i, player in enumerate(position.players[1:]):
            furiten = np.array([player.furiten_mask >> k & 1 for k in range(34)], bool)
            no_hand = found.rows[i].posterior.ron(found.rows[i].given).wait == 0
            assert ((found.ron[i] == 0) == (furiten | no_hand)).all()
            assert found.tenpai[i] == 1.0 or player.riichi_index is None
            zeros += int(no_hand.sum())
    assert zeros


def test_a_risk_is_the_mean_of_two_log_odds(model: NetworkModel, positions: list[Position]) -> None:
    seen = model.network.read_positions(positions)
    rons = model.rons(seen, positions[0].rules)
    tenpai = rons.tenpai
    for i in range(0, len(tenpai), 5):
        by_hands = tenpai[i] * rons.rows[i].posterior.ron(rons.rows[i].given).ron
        some = (by_hands > 1e-6) & (rons.wait[i] > 0)
        odds = np.log(by_hands[some] / (1 - by_hands[some])) / 2 + seen.ron[i, some] / 2
        expected = np.minimum(1 / (1 + np.exp(-odds)), tenpai[i])
        assert rons.ron[i, some] == pytest.approx(expected, rel=1e-9)


def test_positions_read_together_have_the_answers_of_each_alone(
    model: NetworkModel, positions: list[Position]
) -> None:
    for position, other in zip(positions, model.read(positions), strict=True):
        (one,) = model.read([position])
        assert (one.ron == other.ron).all()
        assert (one.tenpai == other.tenpai).all()
        assert one.deal_in() == other.deal_in()


def test_a_robbed_kan_needs_no_yaku(model: NetworkModel, positions: list[Position]) -> None:
    """Adding a tile to a pon is itself a yaku for who wins on it: no hand is excluded."""
    more = 0
    for plain, robbed in zip(
        model.read(positions), model.read(positions, chankan=True), strict=True
    ):
        assert (robbed.ron >= plain.ron - 1e-12).all()
        more += int((robbed.ron > plain.ron + 1e-12).sum())
    assert more


def test_the_weights_of_tenpai_hands_are_products_of_the_heads(
    model: NetworkModel, positions: list[Position]
) -> None:
    """Of an opponent with four melds (one tile left) by hand: count times single wait."""
    records = seat_records(positions[:1])
    melds = records["observation"]["players"]["melds"]
    melds[:, 1, :, :2] = [[1, 27], [1, 28], [1, 31], [1, 32]]
    melds[:, 1, :, 5] = 0
    seen = model.network.read(records).take(slice(0, 1))
    found = model.rons(seen, positions[0].rules)
    unseen = seen.observations["unseen"][0]
    suits = np.repeat(np.arange(4), (9, 9, 9, 7))
    tiles = np.exp(seen.tiles[0].astype(float)).reshape(2, 14)[[0, 0, 0, 1]]
    rest = np.prod(tiles[:, 0])
    weight = unseen * np.exp(seen.factors[0, :, 0].astype(float))
    weight *= np.exp(seen.factors[0, :, 7].astype(float))  # waits on it, single
    weight *= tiles[suits, 1] / tiles[suits, 0] * rest
    assert found.wait[0] == pytest.approx(weight / weight.sum(), rel=1e-5, abs=1e-12)


def test_waits_explain_the_risk(model: NetworkModel, positions: list[Position]) -> None:
    """They stand beside risks that are asked for, change none of them, and are the waits of hands
    that the posterior draws given that they win on the kind."""
    compared = 0
    for found in model.read(positions):
        i, kind = map(int, np.unravel_index(int(np.argmax(found.ron)), (3, 34)))
        least = float(found.ron[i, kind]) / 2
        with_waits, without = found.deal_in(TILES[:34], least), found.deal_in(TILES[:34])
        assert replace(with_waits, waits={}) == without
        for (seat, waited), waits_on in with_waits.waits.items():
            assert found.ron[seat - 1, waited] >= least
            assert all(waited in wait.wins for wait in waits_on)
        named = with_waits.waits[i + 1, kind]
        assert sum(wait.share for wait in named) == pytest.approx(1.0)
        reading = found.rows[i]
        if not reading.given.certain_yaku:
            continue
        drawn = reading.posterior.sample(4000, 1, kind, reading.given.barred)
        first = wait_forms(drawn, kind).argmax(axis=1)
        error = (0.25 / int(samples_for(found.ron[i : i + 1, kind])[0])) ** 0.5
        for wait in named:
            if wait.shape not in ("shanpon", "orphans"):
                alike = [(w.shape, w.wins, w.held) for w in WAITS]
                number = alike.index((wait.shape, wait.wins, wait.held))
                assert abs(wait.share - (first == number).mean()) < 5 * error
                compared += 1
    assert compared > 5


def test_hands_shown_win_as_often_as_the_risk_beside_them(
    model: NetworkModel, positions: list[Position]
) -> None:
    n, checked = 2000, 0
    for found, seat in product(model.read(positions[:8]), (1, 2, 3)):
        player = found.position.players[seat]
        if player.riichi_index is None:
            continue
        # Another opinion on each kind than the posterior's own, as far from it as a fitted one.
        rng = np.random.default_rng(seat)
        own = found.rows[seat - 1].posterior.ron(found.rows[seat - 1].given).ron
        ron = np.where(found.ron[seat - 1] > 0, own * rng.uniform(0.8, 1.25, 34), 0)
        found = replace(found, ron=np.repeat(ron[None], 3, axis=0))
        hands = found.hands_by_risk(seat, n, 5)
        assert (shanten(hands) == 0).all()
        assert (hands <= np.array(found.position.unseen)).all()
        won = (waits(hands)[:, None] >> np.arange(34, dtype=np.uint64) & np.uint64(1)).astype(bool)
        furiten = np.array([bool(player.furiten_mask >> k & 1) for k in range(34)])
        won &= ~(won & furiten).any(axis=1, keepdims=True)
        risk = found.ron[seat - 1]
        error = np.sqrt(np.maximum(risk * (1 - risk), 1 / n) / n)
        likely = risk > 0.01
        assert (np.abs(won.mean(axis=0) - risk) <= 5 * error + 0.01)[likely].all()
        checked += int(likely.sum())
    assert checked > 10


def test_an_analyzer_asks_the_network_once(
    model: NetworkModel, positions: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden hands of the same network take what the deal-in model was told; their hands of a
    riichi are those of its risks."""
    calls = []
    read = OpponentNetwork.read_positions

    def counted(self: OpponentNetwork, some: list[Position]) -> object:
        calls.append(len(some))
        return read(self, some)

    monkeypatch.setattr(OpponentNetwork, "read_positions", counted)
    models = Models(deal_in=model, hidden_hands=CountModel(model.network))
    turns = [p for p in positions if p.to_act][:3]
    analyses = Analyzer(models, parts=("deal_in", "hidden_hands")).analyze(turns)
    assert calls == [3]
    alone = Analyzer(
        Models(hidden_hands=CountModel(model.network)), parts=("hidden_hands",)
    ).analyze(turns)
    for one, other in zip(analyses, alone, strict=True):
        for a, b in zip(one.hidden_hands or (), other.hidden_hands or (), strict=True):
            assert (a.marginals == b.marginals).all()
    assert models.tenpai_hands is model


def test_a_file_of_the_network_is_a_model(model: NetworkModel, tmp_path: Path) -> None:
    file = tmp_path / "opponents.safetensors"
    network = replace(model.network.network, manifest={"phase": "opponents"})
    network.save(file)
    found = load_model(str(file))
    assert isinstance(found, NetworkModel)
    assert found.network.network.manifest["phase"] == "opponents"


def test_the_file_of_a_network_serves_risks_and_hands_alike(
    model: NetworkModel, tmp_path: Path
) -> None:
    file = tmp_path / "opponents.safetensors"
    model.network.network.save(file)
    models = Models(str(file), str(file))
    assert isinstance(models.deal_in, NetworkModel)
    assert isinstance(models.hidden_hands, CountModel)
    assert models.hidden_hands.network is models.deal_in.network
    assert models.tenpai_hands is models.deal_in


def test_a_tile_that_the_viewer_lacks_is_explained_too(
    model: NetworkModel, positions: list[Position]
) -> None:
    """Of a kind in the opponent's own chi, hands with the three others cannot be dealt a fifth."""
    checked = 0
    for found in model.read(positions):
        for seat in (1, 2, 3):
            melds = found.position.players[seat].melds
            for kind in {t.kind for m in melds if m.kind == "chi" for t in m.tiles}:
                shares = found.deal_in([TILES[kind]], 0.0).waits.get((seat, kind), ())
                assert shares == () or sum(w.share for w in shares) == pytest.approx(1.0)
                checked += 1
    assert checked > 3


@pytest.mark.parametrize("name", STEPS)
def test_every_step_of_the_ablation_answers(name: str, positions: list[Position]) -> None:
    answer = assess(load_model(name), positions[3])
    assert answer.model == name
    assert all(0 <= r.probability <= 1 for risks in answer.risks.values() for r in risks)


def test_names_that_are_no_model_are_refused() -> None:
    assert load_model("posterior").name == "posterior"
    with pytest.raises(ModelError, match="no model"):
        load_model("posterior:nothing")

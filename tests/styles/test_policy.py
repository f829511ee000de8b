"""The policy's file, its answers, and a style vector found again from what it makes choose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from training.policy_rows import game_rows

from haiyomi.arrays import Singles
from haiyomi.errors import ModelError, RulesError
from haiyomi.events import RiichiAccepted, Win
from haiyomi.game.decision_record import ACTS, Decisions
from haiyomi.game.table import check_game
from haiyomi.kernels.network import STYLE, STYLE_AT
from haiyomi.kernels.tables import new_games
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.shape import POLICY_KINDS, Shape, Tower, policy_shape
from haiyomi.play.match import play_game
from haiyomi.play.tables import recorded_game
from haiyomi.rules import TENHOU
from haiyomi.seeds import generator
from haiyomi.styles.choice_loss import choice_nats
from haiyomi.styles.estimate import PRECISION, style_vector
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import Policy, rollout_policy, shipped_policy
from haiyomi.styles.policy_network import Logits
from haiyomi.styles.seating import four_players, simulate
from haiyomi.styles.self_play import play_out
from haiyomi.tiles import Seat

SHAPE = policy_shape(16, 1, 16)


def made_policy() -> Policy:
    """Random weights, answers included, and two styles."""
    rng = np.random.default_rng(7)
    weights = first_weights(SHAPE, rng)
    weights += (rng.normal(size=SHAPE.size) * 0.05).astype(np.float32)
    at = 0
    for name, rows, columns in SHAPE.parts:
        if "context" in name:
            # Styles that differ much.
            weights[at + STYLE_AT * columns : at + (STYLE_AT + STYLE) * columns] *= 6
        at += rows * columns
    styles = {
        "left": np.full(STYLE, 0.5, np.float32),
        "right": np.full(STYLE, -0.5, np.float32),
    }
    return Policy(Network(SHAPE, weights, {}, {"made": "for a test"}), styles)


def test_a_file_comes_back(tmp_path: Path) -> None:
    policy = made_policy()
    file = tmp_path / "policy.safetensors"
    policy.save(file)
    back = Policy.load(file)
    weights = policy.network.weights.astype("<f2").astype(np.float32)
    assert np.array_equal(back.network.weights, weights)
    assert list(back.styles) == ["left", "right"]
    assert back.manifest["made"] == "for a test"
    assert not back.style("pooled").any()
    with pytest.raises(ModelError, match=r"no style 'up'.*pooled, left, right"):
        back.style("up")


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "policy.safetensors"
    policy = made_policy()
    short = {"left": np.zeros(STYLE - 1, np.float32)}
    Policy(policy.network, short).save(file)
    with pytest.raises(ModelError, match=r"policy\.safetensors: a style of another size"):
        Policy.load(file)
    no_acts = Shape(Tower(16, 1, 0, POLICY_KINDS))
    Network(no_acts, np.zeros(no_acts.size, np.float32)).save(file)
    with pytest.raises(
        ModelError, match=r"policy\.safetensors: a network without the policy's heads"
    ):
        Policy.load(file)
    file.write_bytes(file.read_bytes()[:-2])
    with pytest.raises(ModelError, match=r"policy\.safetensors"):
        Policy.load(file)
    with pytest.raises(ModelError, match=r"none\.safetensors"):
        Policy.load(tmp_path / "none.safetensors")


def test_answers_do_not_depend_on_the_company() -> None:
    policy = made_policy()
    rows = game_rows("made", simulate(5, 0)).decisions[:37]
    result = policy.logits(rows)
    single = policy.logits(rows[20:21])
    assert result.acts.shape == (37, len(ACTS))
    assert np.allclose(result.discards[20], single.discards[0], atol=1e-5)
    assert np.allclose(result.acts[20], single.acts[0], atol=1e-5)
    styled = policy.logits(rows, policy.style("left"))
    assert not np.allclose(styled.discards, result.discards)


def _games(policy: Policy, style: np.ndarray | None, temperature: float, n: int) -> list[object]:
    out = []
    for number in range(n):
        players = [
            Imitator(Seat(s), policy, generator(3, "test", number, s), style, temperature)
            for s in range(4)
        ]
        out.append(play_game(players, 21, number))
    return out


def test_games_are_the_same_again() -> None:
    policy = made_policy()
    assert _games(policy, None, 1.0, 1) == _games(policy, None, 1.0, 1)
    assert _games(policy, None, 0.0, 1) == _games(policy, None, 0.0, 1)


def test_a_style_is_found_again() -> None:
    """Drawn from the policy in one style, choices lead back to its side of the middle."""
    policy = made_policy()
    found = {}
    for name in ("left", "right"):
        games = _games(policy, policy.style(name), 1.0, 2)
        parts = [game_rows(str(i), g) for i, g in enumerate(games)]  # type: ignore[arg-type]
        rows = np.concatenate([p.decisions for p in parts])
        labels = np.concatenate([p.labels for p in parts])
        found[name] = style_vector(policy, rows, labels)
        at_home = style_vector(policy, rows, labels, policy.style(name))
        assert np.abs(at_home - policy.style(name)).mean() < 0.4
    assert found["left"].sum() > 1 > -1 > found["right"].sum()


@pytest.mark.parametrize("centre", [None, "left", "right"])
def test_a_style_vector_is_the_likeliest(centre: str | None) -> None:
    """No step along one of the eight numbers is likelier."""
    policy = made_policy()
    part = game_rows("made", simulate(5, 0))
    start = np.zeros(STYLE, np.float32) if centre is None else policy.style(centre)
    found = style_vector(policy, part.decisions, part.labels, start)

    def loss(style: np.ndarray) -> float:
        odds = policy.logits(part.decisions, style.astype(np.float32), both=False)
        prior = PRECISION / 2 * float((style - start) @ (style - start))
        return float(choice_nats(odds, part.decisions, part.labels).sum()) + prior

    least = loss(found)
    assert least < loss(start) - 10
    for step in np.concatenate([np.eye(STYLE), -np.eye(STYLE)]):
        assert loss(found + step / 20) > least


def test_no_choices_give_the_centre() -> None:
    policy = made_policy()
    rows = game_rows("made", simulate(5, 0))
    none = rows.take(np.zeros(0, np.int64))
    centre = policy.style("left")
    assert np.array_equal(style_vector(policy, none.decisions, none.labels, centre), centre)


def test_a_style_is_found_though_a_trial_goes_beyond_all_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Outputs of 100 and more are refused; a step may lead there, and a shorter one goes on."""
    policy, tried = made_policy(), []
    part = game_rows("made", simulate(5, 0))
    near = style_vector(policy, part.decisions, part.labels)
    logits = Policy.logits

    def narrow(self: Policy, rows: Decisions, style: Singles, both: bool = True) -> Logits:
        tried.append(float(np.abs(style).max()))
        if tried[-1] > np.abs(near).max() + 0.1:
            raise ModelError("beyond all probabilities")
        return logits(self, rows, style, both)

    monkeypatch.setattr(Policy, "logits", narrow)
    found = style_vector(policy, part.decisions, part.labels)
    assert max(tried) > np.abs(near).max() + 0.1, "no trial went too far"
    monkeypatch.undo()

    def nats(style: Singles) -> float:
        odds = policy.logits(part.decisions, style, both=False)
        prior = PRECISION / 2 * float(style @ style)
        return float(choice_nats(odds, part.decisions, part.labels).sum()) + prior

    assert max(nats(found), nats(near)) < nats(np.zeros(STYLE, np.float32)) - 10
    monkeypatch.setattr(Policy, "logits", narrow)
    with pytest.raises(ModelError):
        style_vector(policy, part.decisions, part.labels, np.full(STYLE, 9.0, np.float32))


def test_imitated_games_check_out() -> None:
    """The shipped policy's games are right by the package's own checks, and come out again."""
    policy = shipped_policy()
    names = tuple(f"policy:{name}" for name in ("pooled", *list(policy.styles)[:3]))
    players = ",".join(names)
    game = simulate(4, 1, players, temperature=0.0)
    check_game(game)
    assert game == simulate(4, 1, players, temperature=0.0)
    assert four_players(players) == names
    assert four_players("policy:pooled") == ("policy:pooled",) * 4
    for text, result in (("policy:odd", "no style 'odd'"), ("policy:a,b", "2 players")):
        with pytest.raises(RulesError, match=result):
            four_players(text)


def test_the_rollout_network_plays_hands_on_by_the_rules() -> None:
    """It is small, has no styles, and its games are right by the package's own checks."""
    policy = rollout_policy()
    assert policy.styles == {}
    assert policy.network.shape.size < shipped_policy().network.shape.size / 3
    tables = new_games(TENHOU, [4] * 3, range(3), keep=True)
    assert play_out(tables, policy, both=False) > 1000
    for i in range(3):
        game = recorded_game(tables, i, TENHOU)
        assert game is not None
        check_game(game)
        assert any(isinstance(e, RiichiAccepted | Win) for hand in game.hands for e in hand.events)

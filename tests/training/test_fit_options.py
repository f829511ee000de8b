"""The options' network: what holds of any weights, and that a fit finds what branches show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi

torch = pytest.importorskip("torch")

from haiyomi.errors import ModelError  # noqa: E402
from haiyomi.evaluation.outcomes.option_experiment import agreement_by_kind  # noqa: E402
from haiyomi.game.observation import NONE  # noqa: E402
from haiyomi.networks.first_weights import first_weights  # noqa: E402
from haiyomi.networks.network import Network, columns  # noqa: E402
from haiyomi.networks.shape import (  # noqa: E402
    JOINT_ENDINGS,
    OPPONENT_KINDS,
    OPPONENT_WHOLE,
    Shape,
    Tower,
    policy_shape,
)
from haiyomi.outcomes.corrections.rare_wins import rare_wins  # noqa: E402
from haiyomi.outcomes.option_block import OptionBlock  # noqa: E402
from haiyomi.outcomes.option_inputs import NAMES, exact_inputs, see  # noqa: E402
from haiyomi.outcomes.option_model import (  # noqa: E402
    ENDING_ACTS,
    OptionModel,
    later_state,
    with_swaps,
)
from haiyomi.play.decision import decisions  # noqa: E402
from haiyomi.play.rule_games import simulate_rule_players  # noqa: E402
from haiyomi.seeds import generator  # noqa: E402
from haiyomi.styles.policy import Policy  # noqa: E402
from haiyomi.training.branch_folder import PlayedGames, played_words  # noqa: E402
from haiyomi.training.branches import Branches, BranchSettings, branches_of  # noqa: E402
from haiyomi.training.fit_options import (  # noqa: E402
    Batch,
    OptionModule,
    OptionSettings,
    fit_options,
    of_member,
)
from haiyomi.training.option_rows import option_rows  # noqa: E402
from haiyomi.training.ranks import use_threads  # noqa: E402

SETTINGS = OptionSettings(width=16, epochs=15, batch=16, rate=0.01, drop=0.0, held=0.2)
HONOUR = 27


def _network(shape: Shape, seed: int) -> Network:
    rng = generator(seed, "network")
    weights = first_weights(shape, rng)
    return Network(shape, weights + rng.normal(size=weights.shape).astype(np.float32) * 0.05)


@pytest.fixture(scope="module")
def policy() -> Policy:
    return Policy(_network(policy_shape(16, 1, 16, state=True), 1))


@pytest.fixture(scope="module")
def opponents() -> Network:
    return _network(Shape(Tower(16, 1), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE)), 2)


@pytest.fixture(scope="module")
def branches(policy: Policy) -> Branches:
    games = played_words(PlayedGames(3, range(2)), policy)
    return branches_of(games, policy, BranchSettings(fraction=1 / 10), generator(1, "options"))


@pytest.fixture(scope="module")
def fitted(branches: Branches, policy: Policy, opponents: Network) -> OptionModel:
    """Fitted to branches in which every option with an honour wins, and every other deals in."""
    kind = branches.options.kind[branches.taken]
    honour = (kind >= HONOUR) & (kind < 34)
    made = replace(
        branches,
        ending=np.where(honour, 1, 4).astype(np.uint8),
        worth=np.where(honour, 3, 0).astype(np.uint8),
        ronned=np.zeros(len(kind), np.uint8),
        change=np.where(honour, 5000, -5000)[:, None] * np.array([1, 0, 0, 0]),
    )
    use_threads(1)
    return fit_options(option_rows(made, policy, opponents), policy, opponents, SETTINGS, str)


def test_what_the_tower_ends_in_makes_the_outputs(branches: Branches, policy: Policy) -> None:
    network = policy.network
    records = branches.records[:20].view(np.uint8).reshape(20, -1)
    mirror = np.arange(20, dtype=np.uint8) % 2
    style = np.zeros((20, 8), np.float32)
    found = network.channels(records, mirror, style)
    outputs = network.outputs(records, mirror, style)
    for name, values in outputs.items():
        assert found[name].tobytes() == values.tobytes()
    parts = {name: (rows, wide) for name, rows, wide in network.shape.parts}
    at, weights = 0, {}
    for name, (rows, wide) in parts.items():
        weights[name] = network.weights[at : at + rows * wide].reshape(rows, wide)
        at += rows * wide
    whole = found["pooled"] @ weights["whole"] + weights["whole bias"]
    ending = columns(whole, network.shape.decision.whole)["ending"]
    np.testing.assert_allclose(ending, outputs["ending"], rtol=0, atol=1e-4)
    kinds = found["channels"][:, 27:] @ weights["out honours"] + weights["out bias"]
    np.testing.assert_allclose(kinds[:, :, :1], outputs["discard"][:, 27:], rtol=0, atol=1e-4)


def test_a_fit_finds_what_the_branches_show(fitted: OptionModel, branches: Branches) -> None:
    found = fitted.answers(branches.records, branches.options)
    honour = (branches.options.kind >= HONOUR) & (branches.options.kind < 34)
    row = branches.options.row
    both = np.isin(row, np.intersect1d(row[honour], row[~honour]))
    for win in found.ending[:, :, 1]:
        assert win[both & honour].mean() > 2 * win[both & ~honour].mean()
    assert all(float(held["explained"]) > 0.2 for held in fitted.manifest["held"])


def test_no_two_members_see_the_same_game(
    branches: Branches, policy: Policy, opponents: Network
) -> None:
    rows = option_rows(branches, policy, opponents)
    parts = [set(of_member(rows, number, 2).tolist()) for number in (0, 1)]
    assert parts[0] | parts[1] == set(range(len(rows)))
    assert not parts[0] & parts[1]
    # The high bits of the number are those of the game: two games were played.
    assert len(set((rows.number >> np.uint64(48)).tolist())) == 2


def by_network(branches: Branches, numbers: np.ndarray) -> np.ndarray:
    """(n,) the decisions of which the network alone speaks: no option waits in furiten or without
    a yaku, there is neither a win nor nine terminals to declare, and no discard is forbidden right
    after a call. ``numbers`` (b, ...) of ``exact_inputs``."""
    furiten = numbers[:, NAMES.index("furiten")] > 0
    share = numbers[:, NAMES.index("share")].astype(np.float64)
    rare = rare_wins(branches.records, branches.options, furiten, share, True)
    n = len(branches.records)
    few = (rare.by_draw < 1) | (rare.by_ron < 1)
    special = np.bincount(branches.options.row[few], minlength=n) > 0
    every, allowed = with_swaps(branches.records, branches.options)
    special[every.row[~allowed]] = True
    plain: np.ndarray = ~special & (branches.records["legal"] & ENDING_ACTS == 0)
    assert n / 2 < plain.sum() < n
    return plain


def test_answers_are_probabilities_and_centred(fitted: OptionModel, branches: Branches) -> None:
    records, options = branches.records, branches.options
    found = fitted.answers(records, options)
    for part in (found.ending, found.own, found.others):
        np.testing.assert_allclose(part.sum(axis=2), 1, rtol=0, atol=1e-12)
    seen = see(records, fitted.policy_model, fitted.opponents)
    numbers, share, risk = exact_inputs(records, seen, options)
    plain = by_network(branches, numbers)
    state = later_state(seen, options, share, risk)
    for ending in found.ending:
        moved = np.log(ending) - state[options.row, :JOINT_ENDINGS]
        moved -= moved.mean(axis=1, keepdims=True)  # a softmax knows logits up to a constant
        mean = np.stack([np.bincount(options.row, share * column) for column in moved.T], axis=1)
        np.testing.assert_allclose(mean[plain], 0, rtol=0, atol=1e-6)


def test_an_answer_has_the_same_bits_in_any_batch(fitted: OptionModel, branches: Branches) -> None:
    some = branches.options.row < 6
    options = branches.options.take(some)
    together = fitted.answers(branches.records[:6], options)
    for row in range(6):
        mine = options.take(options.row == row)
        alone = fitted.answers(
            branches.records[row : row + 1], replace(mine, row=np.zeros(len(mine), np.int64))
        )
        assert alone.ending.tobytes() == together.ending[:, options.row == row].tobytes()
        assert alone.own.tobytes() == together.own[:, options.row == row].tobytes()


def test_numpy_and_torch_agree(branches: Branches, policy: Policy, opponents: Network) -> None:
    rows = option_rows(branches, policy, opponents)
    module = OptionModule.of(rows, SETTINGS).eval()
    with torch.no_grad():
        module.out.weight.normal_(generator=torch.Generator().manual_seed(1))
        which = np.arange(len(rows))
        added = module(Batch(rows, which, 0.0)).numpy()
    layers = {name: part[None] for name, part in module.layers().items()}
    model = OptionModel(policy, opponents, layers)
    found = model.answers(branches.records, branches.options)
    logits = rows.state[branches.options.row] + added
    p = np.exp(logits[:, :JOINT_ENDINGS])
    expected = p / p.sum(axis=1, keepdims=True)
    seen = see(branches.records, policy, opponents)
    numbers, _, _ = exact_inputs(branches.records, seen, branches.options)
    plain = by_network(branches, numbers)[branches.options.row]
    # The rows of a fit are float16.
    np.testing.assert_allclose(found.ending[0][plain], expected[plain], rtol=0, atol=5e-3)
    kind = np.where(branches.options.kind == NONE, 0, branches.options.kind)
    own = np.concatenate([seen.channels[branches.options.row, kind], numbers], axis=1)
    exact = replace(rows, own=own, pooled=seen.pooled)
    with torch.no_grad():
        added = module(Batch(exact, which, 0.0)).numpy()
    p = np.exp((rows.state[branches.options.row] + added)[:, :JOINT_ENDINGS])
    expected = p / p.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.ending[0][plain], expected[plain], rtol=0, atol=1e-4)


def test_decisions_are_answered_in_the_order_of_their_options(fitted: OptionModel) -> None:
    some = list(decisions(simulate_rule_players(5, 5)))[:40]
    block = OptionBlock.of(some)
    turned = OptionBlock.of(some, [options[::-1] for options in block.options])
    found, other = fitted.later(block), fitted.later(turned)
    for begin, end in zip(block.begins, block.ends, strict=True):
        mine, theirs = found.ending[:, begin:end], other.ending[:, begin:end]
        # Sums over the options are taken in another order.
        np.testing.assert_allclose(mine, theirs[:, ::-1], rtol=0, atol=1e-6)


def test_a_saved_model_is_read_for_its_networks_alone(
    fitted: OptionModel, policy: Policy, opponents: Network, tmp_path: Path
) -> None:
    file = tmp_path / "options.safetensors"
    fitted.save(file)
    read = OptionModel.load(file, policy, opponents)
    for name, layer in fitted.layers.items():
        np.testing.assert_allclose(read.layers[name], layer, rtol=1e-3, atol=1e-4)
    alone = OptionModel(policy, opponents, {name: part[:1] for name, part in read.layers.items()})
    alone.save(file)
    assert len(OptionModel.load(file, policy, opponents).layers["out"]) == 1
    wider = Policy(_network(policy_shape(32, 1, 16, state=True), 1))
    with pytest.raises(ModelError, match="fitted on other networks"):
        OptionModel.load(file, wider, opponents)


def test_agreement_is_one_for_the_truth_and_less_for_noise(
    branches: Branches, policy: Policy, opponents: Network
) -> None:
    rows = option_rows(branches, policy, opponents)
    rng = np.random.default_rng(0)
    truth = rng.normal(size=len(branches.taken)) * 300
    two = [
        replace(branches, change=(truth + rng.normal(size=len(truth)) * 600)[:, None])
        for _ in range(2)
    ]
    found = agreement_by_kind(truth, rows, *two)["all"]
    assert found.coefficient.low < 1 < found.coefficient.high
    assert found.correlation.low < 1
    noise = agreement_by_kind(rng.normal(size=len(truth)), rows, *two)["all"]
    assert noise.correlation.low < 0 < noise.correlation.high


def test_branches_of_other_games_need_those_on_other_walls() -> None:
    """A named case: one of the two alone was ignored in silence."""
    named = ("fit", "options", "branches", "--policy", "a", "--opponents", "b")
    for alone in ("--held-out", "--again"):
        refused = haiyomi(*named, alone, "c")
        assert refused.returncode == 2
        assert "--held-out and --again go together" in refused.stderr

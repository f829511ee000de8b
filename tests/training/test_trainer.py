"""Training: torch and the core agree, a run learns, stops and resumes, and two ranks are as one."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from haiyomi.errors import DatasetError  # noqa: E402
from haiyomi.game.decision_labels import LABELS  # noqa: E402
from haiyomi.game.decision_record import as_bytes  # noqa: E402
from haiyomi.game.packed_games import decode_games, pack_games  # noqa: E402
from haiyomi.kernels.network import STYLE  # noqa: E402
from haiyomi.networks.features import MIRROR, inputs_of  # noqa: E402
from haiyomi.networks.first_weights import first_weights  # noqa: E402
from haiyomi.networks.network import Network  # noqa: E402
from haiyomi.networks.shape import (  # noqa: E402
    OPPONENT_KINDS,
    OPPONENT_WHOLE,
    POLICY_KINDS,
    POLICY_WHOLE,
    Shape,
    Tower,
)
from haiyomi.play.rule_games import simulate_rule_players  # noqa: E402
from haiyomi.training.batches import Place, TrainingRows, batches  # noqa: E402
from haiyomi.training.losses import OPPONENTS, POLICY, product_of_polynomials  # noqa: E402
from haiyomi.training.network_module import NetworkModule  # noqa: E402
from haiyomi.training.trainer import Trainer, TrainSettings, progress_of  # noqa: E402

SHAPE = Shape(
    Tower(16, 1, 16, POLICY_KINDS, POLICY_WHOLE), Tower(16, 1, 16, OPPONENT_KINDS, OPPONENT_WHOLE)
)
SETTINGS = TrainSettings(
    SHAPE, {**POLICY, **OPPONENTS}, steps=24, batch=64, warm=4, rate=5e-3, check=8
)


def silent(text: str) -> None:
    pass


class Games:
    """Made games, one a segment."""

    digest = "made games"
    segments = 2

    def segment(self, epoch: int, index: int) -> TrainingRows:
        """The decisions of one game."""
        records, labels = decode_games(pack_games([(str(index), simulate_rule_players(11, index))]))
        return TrainingRows(records, labels, np.arange(len(records)) % 3)


@pytest.fixture(scope="module")
def valid() -> TrainingRows:
    rows = Games().segment(0, 1)
    return rows.take(np.arange(100))


def trained(folder: Path, valid: TrainingRows, settings: TrainSettings = SETTINGS) -> Trainer:
    players = np.array([100, 50, 50], np.float32)
    return Trainer(settings, Games(), valid, folder / "checkpoint.npz", players, silent)


@pytest.mark.parametrize("has", [False, True])
def test_a_processor_computes_in_bfloat16_where_it_has_instructions_for_it(
    has: bool, tmp_path: Path, valid: TrainingRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haiyomi.training.trainer._has_bfloat16", lambda: has)
    if torch.cuda.is_available():
        pytest.skip("a GPU always does")
    made = trained(tmp_path, valid, replace(SETTINGS, bfloat16=True))
    found = made._input(np.ones(3, np.float32)).dtype
    assert found == (torch.bfloat16 if has else torch.float32)


def test_torch_and_the_core_agree(valid: TrainingRows) -> None:
    rng = np.random.default_rng(1)
    weights = first_weights(SHAPE, rng) + (rng.normal(size=SHAPE.size) * 0.1).astype(np.float32)
    n = len(valid)
    mirror = np.arange(n, dtype=np.uint8) % 2
    style = rng.normal(size=(n, STYLE)).astype(np.float32)
    module = NetworkModule(SHAPE, n)
    module.set_flat(weights)
    assert np.array_equal(module.flat(), weights)
    x = inputs_of(valid.records, mirror, True)
    assert x.opponent_x is not None
    assert x.opponent_context is not None
    with torch.no_grad():
        module.styles.weight[1:] = torch.from_numpy(style)
        out = module(
            *map(torch.from_numpy, (x.x, x.context, x.focus, np.arange(1, n + 1), x.opponent_x,
                                    x.opponent_context))
        )  # fmt: skip
    found = Network(SHAPE, weights).outputs(as_bytes(valid.records), mirror, style)
    turned = mirror != 0
    for name, part in out.items():
        mine = part.numpy().copy()
        if name in dict((*POLICY_KINDS, *OPPONENT_KINDS)):
            mine[turned] = np.take(mine[turned], MIRROR[:34], axis=mine.ndim - 2)
        elif name == "acts":
            mine[turned] = mine[turned][:, [0, 1, 2, 5, 4, 3, 6, 7, 8]]
        assert np.abs(mine).max() > 0.1, name
        assert np.allclose(mine, found[name], rtol=0, atol=1e-4), name


def test_a_run_learns_and_resumes_to_the_bit(
    valid: TrainingRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "whole").mkdir()
    whole = trained(tmp_path / "whole", valid)
    assert whole.run()
    first, last = whole.history[0], whole.history[-1]
    assert all(f"valid {name}" in last for name in SETTINGS.losses)
    for name in ("discard", "offer", "ron", "tenpai"):
        assert last[name] < first[name], name
    for _ in range(2):
        assert not trained(tmp_path / "parts", valid).run(minutes=0)
    stopped = trained(tmp_path / "parts", valid)
    assert stopped.run()
    assert stopped.history[-1]["step"] == SETTINGS.steps
    assert trained(tmp_path / "parts", valid).run()  # nothing is left to do
    assert stopped.done == whole.done
    assert np.array_equal(stopped.weights(), whole.weights())
    assert np.array_equal(stopped.styles(), whole.styles())
    # Killed between two looks at valid rows.
    monkeypatch.setattr("haiyomi.training.trainer.SAVE_SECONDS", 0.0)
    (tmp_path / "killed").mkdir()
    seen = []

    def killed(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 3:
            raise SystemExit

    with pytest.raises(SystemExit):
        trained(tmp_path / "killed", valid).run(progress=killed)
    assert seen == [(n, SETTINGS.steps) for n in (1, 2, 3)]
    assert progress_of(tmp_path / "killed" / "checkpoint.npz")[0] == 3
    again = trained(tmp_path / "killed", valid)
    assert again.run()
    assert np.array_equal(again.weights(), whole.weights())
    other = replace(SETTINGS, rate=1e-3)
    with pytest.raises(DatasetError, match=r"other rows or settings: .* name another folder"):
        trained(tmp_path / "whole", valid, other).run()


def test_batches_go_on_from_a_place() -> None:
    def some(place: Place, n: int) -> list[tuple[Place, int]]:
        found = zip(range(n), batches(Games(), 100, 3, place), strict=False)
        return [(after, int(as_bytes(rows.records).sum())) for _, (after, rows) in found]

    whole = some(Place(), 20)
    assert len({total for _, total in whole}) == 20
    assert whole[-1][0].epoch >= 1
    for at in (3, 7, 15):
        assert some(whole[at - 1][0], 20 - at) == whole[at:]


def test_a_segment_smaller_than_a_batch_is_one_batch() -> None:
    found = [
        rows for _, (_, rows) in zip(range(2), batches(Games(), 10**6, 3, Place()), strict=False)
    ]
    assert [len(rows) for rows in found] == [len(Games().segment(0, index)) for index in range(2)]


def test_the_product_of_polynomials_is_a_convolution() -> None:
    rng = np.random.default_rng(5)
    p = rng.random((4, 34, 5))
    found = product_of_polynomials(torch.from_numpy(p), 14).numpy()
    for i in range(4):
        expected = np.ones(1)
        for k in range(34):
            expected = np.convolve(expected, p[i, k])
        assert np.allclose(found[i], expected[:14], rtol=1e-9)


def test_two_ranks_are_as_one(tmp_path: Path) -> None:
    lines = {}
    for ranks in (1, 2):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        launcher = ["-m", "torch.distributed.run", "--nproc-per-node", "2"] if ranks == 2 else []
        subprocess.run(
            [sys.executable, *launcher, str(Path(__file__).parent / "rank.py"), str(folder)],
            check=True, capture_output=True, timeout=300,
        )  # fmt: skip
        lines[ranks] = json.loads((folder / "history.json").read_text())
    for one, two in zip(lines[1], lines[2], strict=True):
        for name in one:
            if name.startswith("valid"):
                assert two[name] == pytest.approx(one[name], rel=1e-3), name


def test_labels_are_those_of_the_record() -> None:
    rows = Games().segment(0, 0)
    assert rows.labels.dtype == LABELS
    assert len(rows) > 200

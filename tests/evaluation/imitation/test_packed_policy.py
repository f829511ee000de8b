"""A policy on packed games: by player, by style, against another, without memory of tedashi."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from made_networks import POLICY, made_network

pytest.importorskip("pyarrow")

from training.made_corpus import made_corpus
from typer.testing import CliRunner

from haiyomi.apps.cli import build_app
from haiyomi.errors import DatasetError
from haiyomi.evaluation.imitation import packed_policy
from haiyomi.evaluation.imitation.packed_policy import (
    Question,
    answer,
    learned_styles,
    results_json,
)
from haiyomi.kernels.network import STYLE
from haiyomi.storage.arrays_file import save_arrays
from haiyomi.styles.policy import Policy
from haiyomi.training.packed_corpus import pack_corpora
from haiyomi.training.packed_source import Players


def policy_file(path: Path, seed: int) -> Path:
    Policy(made_network(POLICY, seed)).save(path)
    return path


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    corpus = made_corpus(folder / "corpus", range(2), range(2, 4), range(4, 5))
    pack_corpora([corpus], folder / "packed", 1)
    return folder / "packed"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("files")
    return policy_file(folder / "a.safetensors", 1), policy_file(folder / "b.safetensors", 2)


def test_a_policy_has_no_gain_over_itself_and_one_over_another(
    packed: Path, files: tuple[Path, Path]
) -> None:
    a, b = files
    same = answer(Question(packed, "valid", a, a), 1)
    found = results_json(same, Question(packed, "valid", a, a))
    assert found["games"] == 2
    everything = found["against"]["discards"]["all"]
    assert everything["n"] == found["discards"]["all"]["n"] > 300
    assert [everything[k]["value"] for k in ("top1", "top3", "nats")] == [0, 0, 0]
    assert {e["value"] for e in found["against"]["choices"].values()} == {0}
    other = results_json(answer(Question(packed, "valid", b, a), 1), Question(packed, "valid", b))
    gain = other["against"]["discards"]["all"]["top1"]["value"]
    apart = other["discards"]["all"]["top1"]["value"] - found["discards"]["all"]["top1"]["value"]
    assert gain == pytest.approx(apart)
    assert found["forgets"]["nats"]["value"] != 0
    # A named case: self-play, whose records have no level, was "other tables".
    assert found["discards"]["other tables, or no level stated"]["n"] == everything["n"]
    turns = [found["discards"][k]["n"] for k in ("turns 1 to 6", "turns 7 to 12", "turn 13 on")]
    assert sum(turns) == everything["n"]


def test_a_share_that_draws_nothing_is_named(packed: Path, files: tuple[Path, Path]) -> None:
    """It ended in a ZeroDivisionError."""
    with pytest.raises(DatasetError, match=r"^no discard was drawn: raise --share$"):
        answer(Question(packed, "valid", files[0], fraction=1e-9), 1)


def test_styles_and_single_players_have_rows_of_their_own(
    packed: Path, files: tuple[Path, Path]
) -> None:
    names = Players.of(packed, 1).names
    style = np.full(STYLE, 2.0, np.float32)
    question = Question(packed, "valid", files[0], styles={names[0]: style})
    answers = answer(question, 1)
    mine = answers.facts.player == names[0]
    assert 0 < mine.sum() < len(mine)
    assert np.array_equal(answers.own, mine)
    pooled, styled = answers.judged["policy"], answers.judged["styled"]
    assert np.array_equal(pooled.nats[~mine], styled.nats[~mine])
    assert not np.allclose(pooled.nats[mine], styled.nats[mine])
    found = results_json(answers, question, {names[0]: "First"})
    gain = (pooled.nats - styled.nats)[mine].mean()
    assert found["styles"]["nats"]["value"] == pytest.approx(gain)
    assert found["styles"]["n"] == mine.sum()
    first = found["programs"]["First"]
    thrown = mine & (pooled.place >= 0)
    assert first["n"] == thrown.sum()
    assert first["own"]["value"] == pytest.approx((styled.place[thrown] == 0).mean())
    assert names[0] not in json.dumps(found)


def test_the_styles_of_a_fit_are_those_of_players_with_many_games(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_policy, "VECTOR_GAMES", 2)
    monkeypatch.setattr(packed_policy, "STYLE_GAMES", 2)
    names = Players.of(packed, 2).names
    table = np.arange((len(names) + 1) * STYLE, dtype=np.float32).reshape(-1, STYLE)
    file = tmp_path / "policy.checkpoint.npz"
    save_arrays(file, {"average module.styles.weight": table})
    found = learned_styles(file, packed)
    assert list(found) == list(names)
    assert np.array_equal(found[names[1]], table[2])
    save_arrays(file, {"average module.styles.weight": table[:-1]})
    with pytest.raises(
        DatasetError, match=r"has styles of \d+ players, but .* has \d+ with 2 games"
    ):
        learned_styles(file, packed)
    with pytest.raises(DatasetError, match="not a checkpoint of a fit with styles"):
        learned_styles(tmp_path / "none.npz", packed)


def test_the_command_prints_the_tables(
    packed: Path, files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "policy.json"
    model, other = map(str, files)
    words = ["policy", str(packed), "--model", model, "--against", other, "--jobs", "1",
             "--results", str(out)]  # fmt: skip
    done = CliRunner().invoke(build_app("evaluate"), ["evaluate", *words])
    assert done.exit_code == 0, done.output
    assert "Gains over the other policy" in done.output
    assert json.loads(out.read_text(encoding="utf-8"))["version"] == 2

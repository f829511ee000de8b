"""Scores of a policy against plain loops over the same rows, and the two commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from haiyomi.evaluation.policy_experiment import PolicyAnswers, results_json, style_gains
from haiyomi.evaluation.policy_print import reports
from haiyomi.evaluation.policy_scores import CHOICES, judge
from haiyomi.logs.load import write
from haiyomi.play.simulate import simulate
from haiyomi.play.style import STYLES
from haiyomi.shards import team
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Shape, first_weights
from haiyomi.training.data_parallel import learner
from haiyomi.training.fit_policy import PolicySettings, fit_policy
from haiyomi.training.policy_rows import PolicyRows, game_rows

SHAPE = Shape(16, 1, 16)
FOUR = [STYLES[n] for n in ("balanced", "caller", "bold", "timid")]


def rows_of(first: int, n: int) -> PolicyRows:
    return PolicyRows.concat(
        [game_rows(f"game {i}", simulate(6, i, styles=FOUR)) for i in range(first, first + n)]
    )


@pytest.fixture(scope="module")
def rows() -> PolicyRows:
    return rows_of(0, 3)


@pytest.fixture(scope="module")
def policy() -> Policy:
    rng = np.random.default_rng(2)
    weights = first_weights(SHAPE, rng) + (rng.normal(size=SHAPE.size) * 0.05).astype(np.float32)
    return Policy(SHAPE, weights, {}, {})


def test_scores_are_what_plain_loops_find(rows: PolicyRows, policy: Policy) -> None:
    result = policy.logits(rows.decisions)
    judged = judge(rows, result)
    offers = 0
    for i in range(len(rows)):
        label = rows.labels[i]
        nats = 0.0
        free = rows.decisions["observation"]["players"]["riichi"][i, 0] < 0
        if label["discard"] < 34 and free:
            mask = int(rows.decisions["discards"][i])
            legal = [k for k in range(34) if mask >> k & 1]
            z = {k: float(result.discards[i, k]) for k in legal}
            own = z[int(label["discard"])]
            assert judged.place[i] == sum(v > own for v in z.values())
            nats += np.log(sum(np.exp(v - own) for v in z.values()))
        else:
            assert judged.place[i] == -1
        for act in (0, 1, 2):
            if label["decided"] >> act & 1:
                p = 1 / (1 + np.exp(-float(result.acts[i, act])))
                nats -= np.log(p if label["chosen"] >> act & 1 else 1 - p)
        on = [a for a in range(3, 9) if label["decided"] >> a & 1]
        if on:
            offers += 1
            weight = {a: np.exp(float(result.acts[i, a])) for a in on}
            total = 1 + sum(weight.values())
            taken = [a for a in on if label["chosen"] >> a & 1]
            nats -= np.log((weight[taken[0]] if taken else 1.0) / total)
            for j, group in enumerate(CHOICES.values()):
                if set(group) & set(on):
                    share = sum(weight.get(a, 0) for a in group) / total
                    assert judged.yes[i, j] == pytest.approx(share)
                    assert judged.outcomes[i, j] == bool(set(group) & set(taken))
        kans = int(rows.decisions["kans"][i])
        if kans and label["kan"] != 254:
            for k in range(34):
                if kans >> k & 1:
                    p = 1 / (1 + np.exp(-float(result.kans[i, k])))
                    nats -= np.log(p if label["kan"] == k else 1 - p)
        assert judged.nats[i] == pytest.approx(nats, rel=1e-6, abs=1e-9)
    assert offers > 100


def test_a_fit_learns_and_goes_on_after_a_kill(rows: PolicyRows, tmp_path: Path) -> None:
    valid = rows_of(5, 1)
    settings = PolicySettings(
        shape=SHAPE, steps=40, batch=64, warm=5, rate=0.005, check=20, style_games=2,
        valid_rows=400,
    )  # fmt: skip
    whole = fit_policy(rows, valid, tmp_path / "whole.npz", settings, lambda text: None)
    with team(2) as two:
        spread = fit_policy(
            rows, valid, tmp_path / "spread.npz", settings, lambda text: None, by=learner(two)
        )
    assert np.array_equal(whole[0], spread[0])
    assert np.array_equal(whole[1], spread[1])
    assert whole[3] == spread[3]
    first = tmp_path / "first.npz"
    fit_policy(rows, valid, first, settings, lambda text: None, stop_at=20)
    again = fit_policy(rows, valid, first, settings, lambda text: None, threads=2)
    assert np.array_equal(whole[0], again[0])
    assert np.array_equal(whole[1], again[1])
    assert whole[2] == tuple(sorted(set(rows.player.tolist())))
    history = whole[3]
    assert [h["step"] for h in history] == [20, 40]
    assert history[1]["train"] < history[0]["train"]
    assert history[1]["top1"] > 0.2
    gains = style_gains(
        PolicyAnswers(valid, judge(valid, Policy(SHAPE, whole[0]).logits(valid.decisions))),
        Policy(SHAPE, whole[0]),
        rows,
        players=2,
        games=2,
        most=100,
    )
    assert len(gains["players"]) == 2
    assert gains["n"] == sum(p["n"] for p in gains["players"])
    assert gains["gain"]["low"] <= gains["gain"]["value"] <= gains["gain"]["high"]


def test_results_print(rows: PolicyRows, policy: Policy) -> None:
    answers = PolicyAnswers(rows, judge(rows, policy.logits(rows.decisions)))
    results = results_json(answers, policy, "made", None)
    assert results["discards"]["all"]["n"] == int(
        (
            (rows.labels["discard"] < 34)
            & (rows.decisions["observation"]["players"]["riichi"][:, 0] < 0)
        ).sum()
    )
    parts = [results["discards"][n]["n"] for n in ("own hand closed", "own hand open")]
    assert sum(parts) == results["discards"]["all"]["n"]
    # Standard JSON, in which there is no NaN.
    result = "\n".join(
        report.text() for report in reports(json.loads(json.dumps(results, allow_nan=False)))
    )
    assert "nan" not in result
    assert "95%, bootstrap by game" in result
    assert "top-1" in result
    assert "riichi" in result


def test_the_command_on_records_and_on_nothing(policy: Policy, tmp_path: Path) -> None:
    model = tmp_path / "policy.json"
    policy.save(model)
    record = tmp_path / "made.mjlog"
    record.write_text(write(simulate(6, 9), "mjlog"), encoding="utf-8")
    out = tmp_path / "out.json"

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "haiyomi", "evaluate", "styles", "--model", str(model),
             "--jobs", "1", *options],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    done = run("--records", str(record), "--json", str(out))
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["games"] == 1
    assert found["discards"]["all"]["n"] > 200
    # One game, however often it is drawn, tells no interval.
    assert found["discards"]["all"]["top1"]["low"] is None
    assert "(1 game of made.mjlog; a game has no interval)" in done.stdout
    both = run("--records", str(record), "--split", "test")
    assert both.returncode == 2
    assert "--records and --split exclude each other" in both.stderr
    record.write_text("<mjloggm ver=", encoding="utf-8")
    bad = run("--records", str(record))
    assert bad.returncode == 2
    assert "no decision of made.mjlog could be read" in bad.stderr
    none = run("--records", str(tmp_path / "none"))
    assert none.returncode == 2
    assert "no such file" in none.stderr

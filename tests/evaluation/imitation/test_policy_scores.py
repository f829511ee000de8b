"""Scores of a policy against plain loops over the same rows."""

from __future__ import annotations

import numpy as np
import pytest
from made_networks import POLICY, made_network
from training.policy_rows import PolicyRows, game_rows

from haiyomi.evaluation.imitation.policy_scores import CHOICES, judge
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.styles.policy import Policy

FOUR = [RULE_STYLES[n] for n in ("balanced", "caller", "bold", "timid")]


def rows_of(first: int, n: int) -> PolicyRows:
    return PolicyRows.join(
        [
            game_rows(f"game {i}", simulate_rule_players(6, i, styles=FOUR))
            for i in range(first, first + n)
        ]
    )


@pytest.fixture(scope="module")
def rows() -> PolicyRows:
    return rows_of(0, 3)


@pytest.fixture(scope="module")
def policy() -> Policy:
    return Policy(made_network(POLICY, 2))


def test_scores_are_what_plain_loops_find(rows: PolicyRows, policy: Policy) -> None:
    result = policy.logits(rows.decisions)
    judged = judge(rows.decisions, rows.labels, result)
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

"""Class vectors by hand, and those of the shipped policy."""

from __future__ import annotations

import numpy as np

from haiyomi.kernels.network import STYLE
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.styles.classes import shipped_classes
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.sums_table import tally, vectors
from haiyomi.training.class_styles import LEAST_PLAYERS, class_vectors

FOUR = [RULE_STYLES[n] for n in ("balanced", "caller", "bold", "timid")]


def test_a_class_has_the_mean_of_its_players_by_games() -> None:
    games = []
    for i in range(6):
        # Twelve names, so that some class has three players.
        a, b, c, d = (f"p{(4 * (i % 3)) + s}" for s in range(4))
        games.append((str(i), simulate_rule_players(9, i, styles=FOUR, names=(a, b, c, d))))
    tallies = tally(games)
    found = vectors(tallies)
    classes = shipped_classes()
    players = tuple(sorted(found.players))
    rng = np.random.default_rng(1)
    each = rng.normal(size=(len(players), STYLE)).astype(np.float32)
    styles, behind = class_vectors(classes, tallies, players, each)
    belongs = classes.assign(found.values, found.occasions)
    result = 0
    for number, name in enumerate(classes.names):
        mine = [i for i in range(len(found.players)) if belongs[i] == number]
        if len(mine) < LEAST_PLAYERS:
            assert name not in styles
            continue
        result += 1
        total, weight = np.zeros(STYLE), 0.0
        for i in mine:
            total += float(found.games[i]) * each[players.index(found.players[i])]
            weight += float(found.games[i])
        assert np.allclose(styles[name], total / weight, atol=1e-5)
        assert behind[name] == len(mine)
    assert result >= 1
    # Fewer players than a class needs: nobody's own vector is written.
    assert class_vectors(classes, tallies, players[:2], each[:2]) == ({}, {})


def test_the_shipped_policy_tells_of_itself() -> None:
    policy = shipped_policy()
    m = policy.manifest
    assert m["data"]["split"] == "train"
    assert sum(m["data"]["games"]["Houou hanchan"].values()) > 10_000
    assert m["settings"]["steps"] > 5000
    assert set(policy.styles) >= set(shipped_classes().names)
    assert m["players_with_a_vector"] > 500
    assert "limits" in m

"""What the tests of the policy's kernel share."""

from __future__ import annotations

import pytest
from training.policy_rows import PolicyRows, game_rows

from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES


@pytest.fixture(scope="session")
def policy_rows() -> PolicyRows:
    """The decisions of some games of rule-based players."""
    styles = [RULE_STYLES[n] for n in ("balanced", "caller", "bold", "timid")]
    return PolicyRows.join(
        [game_rows(f"game {i}", simulate_rule_players(5, i, styles=styles)) for i in range(4)]
    )

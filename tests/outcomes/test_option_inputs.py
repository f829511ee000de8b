"""What the options' network reads: furiten is that of the hand after the option."""

from __future__ import annotations

import numpy as np
from forecasts import played

from haiyomi.kernels.waits import waits
from haiyomi.networks.opponents import shipped_opponents
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.outcomes.option_inputs import NAMES, exact_inputs, see
from haiyomi.play.decision import RecordedDecision
from haiyomi.styles.policy import shipped_policy
from haiyomi.tiles import kind_counts


def furiten(decision: RecordedDecision, option: Option) -> bool:
    """Whether the hand that a discard leaves waits on a kind of its own river, on that discard, or
    on a kind that it let pass in riichi."""
    own, (tile,) = decision.position.players[0], option.tiles
    left = list(decision.position.hand)
    left.remove(tile)
    mask = int(waits(np.array([kind_counts(left)], np.uint8))[0])
    return bool(mask & (own.river_mask | own.riichi_mask | 1 << tile.kind))


def test_what_others_discarded_since_the_last_own_discard_makes_no_furiten() -> None:
    found = [d for seed in range(4) for d in played(seed) if d.offer is None]
    block = OptionBlock.of(found)
    seen = see(block.records, shipped_policy(), shipped_opponents().network, both=False)
    exact, _, _ = exact_inputs(block.records, seen, block.actions)
    column = exact[:, NAMES.index("furiten")] > 0
    tenpai = exact[:, NAMES.index("tenpai")] > 0
    checked = {True: 0, False: 0}
    passed = 0
    for i in np.flatnonzero(tenpai & block.does("discard", "riichi")).tolist():
        decision, option = found[block.row[i]], block.flat[i]
        assert column[i] == furiten(decision, option)
        checked[bool(column[i])] += 1
        passed += not column[i] and decision.position.players[0].passed_mask > 0
    assert min(checked.values()) > 0
    assert passed > 0

"""What the options' network reads of an option, against the position it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import played

from haiyomi.game.decision_record import as_bytes
from haiyomi.kernels.option_inputs import CoreOptions
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.networks.opponents import shipped_opponents
from haiyomi.outcomes.option import Option, options_of
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
    seen = see(block.records, shipped_policy(), shipped_opponents().network)
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


def test_a_closed_kan_has_the_shanten_of_the_hand_that_it_leaves() -> None:
    """Where it breaks the hand; else that of the best discard."""
    found = [d for seed in range(6) for d in played(seed) if d.offer is None]
    block = OptionBlock.of([d for d in found if any(o.act == "ankan" for o in options_of(d))])
    seen = see(block.records, shipped_policy(), shipped_opponents().network)
    exact, _, _ = exact_inputs(block.records, seen, block.actions)
    broken = []
    for i in np.flatnonzero(block.does("ankan")).tolist():
        hand = np.array(kind_counts(block.decisions[block.row[i]].position.hand), np.uint8)
        kinds = np.flatnonzero(hand)
        best = min(shanten(hand - (np.arange(34) == kinds[:, None])).tolist())
        hand[block.flat[i].tiles[0].kind] = 0
        after = int(shanten(hand[None])[0])
        assert 3 * exact[i, NAMES.index("shanten")] == pytest.approx(max(after, best))
        broken.append(after > best)
    assert set(broken) == {True, False}


@pytest.mark.parametrize("more", [1, 200])
def test_a_kan_in_a_hand_that_is_none_is_refused(more: int) -> None:
    """It has one tile too many, or more of a kind than there are."""
    found = [d for seed in range(6) for d in played(seed) if d.offer is None]
    block = OptionBlock.of([d for d in found if any(o.act == "ankan" for o in options_of(d))][:1])
    seen = see(block.records, shipped_policy(), shipped_opponents().network)
    kan = block.flat[int(np.flatnonzero(block.does("ankan"))[0])].tiles[0].kind
    records = block.records.copy()
    records["hand"][0, (kan + 1) % 34] += more
    with pytest.raises(ValueError, match="record 0"):
        exact_inputs(records, seen, block.actions)


def test_the_numbers_of_a_discard_are_those_of_its_position() -> None:
    """Of the hand that it leaves, of the table, and of the three opponents."""
    found = [d for seed in range(3) for d in played(seed) if d.offer is None][::3]
    block = OptionBlock.of(found)
    seen = see(block.records, shipped_policy(), shipped_opponents().network)
    exact, share, risk = exact_inputs(block.records, seen, block.actions)
    number = {name: i for i, name in enumerate(NAMES)}
    checked = 0
    for i in np.flatnonzero(block.does("discard")).tolist():
        row, numbers = block.row[i], dict(zip(NAMES, exact[i].tolist(), strict=True))
        position, (tile,) = found[row].position, block.flat[i].tiles
        left = list(position.hand)
        left.remove(tile)
        counts = np.array([kind_counts(left)], np.uint8)
        after = min(int(shanten(counts)[0]), 6)
        mask = int(waits(counts)[0]) if after == 0 else 0
        mine = block.row == row
        own = position.players[0]
        expected = {
            "sort 0": 1, "sort 1": 0, "red five": tile.red,
            "log share": np.log(max(share[i], 6e-6)) / 4, "share": share[i],
            "likeliest": share[i] == share[mine].max(),
            "shanten": after / 3, "tenpai": after == 0, "one away": after == 1,
            "shanten lost": after - round(3 * exact[mine, number["shanten"]].min()),
            "waits": sum(position.unseen[kind] for kind in range(34) if mask >> kind & 1) / 8,
            "dora": position.dora[tile.kind], "draws left": position.draws_left / 70,
            "own riichi": own.riichi, "own melds": len(own.melds) / 4,
            "dealer": position.dealer == 0,
        }  # fmt: skip
        for seat, name in enumerate(("right", "across", "left"), 1):
            player, odds = position.players[seat], float(seen.ron[row, seat - 1, tile.kind])
            barred = (player.river_mask | player.passed_mask | player.riichi_mask) >> tile.kind & 1
            p = 0 if barred else 1 / (1 + np.exp(-np.clip(odds, -12, 12)))
            assert risk[i, seat - 1] == pytest.approx(p, abs=1e-12)
            expected |= {f"ron {name}": p, f"riichi {name}": player.riichi}
            expected[f"log odds {name}"] = (-12 if barred else np.clip(odds, -12, 12)) / 5
            assert 1300 * p <= 8000 * numbers[f"loss {name}"] + 1e-3 <= 18000 * p + 2e-3
        np.testing.assert_allclose(
            [numbers[name] for name in expected], [float(x) for x in expected.values()],
            rtol=1e-6, atol=1e-6, err_msg=str(list(expected)),
        )  # fmt: skip
        checked += 1
    assert checked > 500


def test_options_of_other_decisions_are_refused() -> None:
    records = as_bytes(OptionBlock.of([d for d in played(0) if d.offer is None][:2]).records)
    zeros = np.zeros(2, np.uint8)
    logits = (
        np.zeros((2, 34), np.float32),
        np.zeros((2, 34), np.float32),
        np.zeros((2, 9), np.float32),
    )
    for row in ([1, 0], [0, 2], [-1, 0]):
        with pytest.raises(ValueError, match="no ascending decision"):
            CoreOptions(records, np.array(row), zeros, zeros, zeros).shares(*logits)
    with pytest.raises(ValueError, match="option 1: no such option"):
        CoreOptions(
            records, np.array([0, 1]), zeros, zeros + np.array([0, 34], np.uint8), zeros
        ).shares(*logits)

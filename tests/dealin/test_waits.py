"""The 113 waits: their list, and the core's reading of hands, against plain enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.dealin.waits import SHAPE_SLICES, WAITS, live_suji
from haiyomi.tiles import kind_counts, parse_tiles
from haiyomi.training.dataset_rows import wait_bits


def names(hand: str) -> set[str]:
    bits = wait_bits(np.array(kind_counts(parse_tiles(hand)), dtype=np.uint8))
    return {str(WAITS[m]) for m in np.flatnonzero(bits)}


def test_numbers_of_waits() -> None:
    sizes = {shape: s.stop - s.start for shape, s in SHAPE_SLICES.items()}
    assert sizes == {"two-sided": 18, "edge-closed": 27, "shanpon": 34, "single": 34}
    edges = [w for w in WAITS if w.shape == "edge-closed" and w.held[1] - w.held[0] == 1]
    assert len(edges) == 6
    for shape, part in SHAPE_SLICES.items():
        assert all(w.shape == shape for w in WAITS[part])


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("45m123456p789s11z", {"two-sided 3m-6m"}),
        ("4567m123p123789s", {"two-sided 4m-7m"}),  # nobetan, no single wait
        ("12m123456p789s11z", {"edge-closed 3m"}),
        ("89m123456p789s11z", {"edge-closed 7m"}),
        ("13m123456p789s11z", {"edge-closed 2m"}),
        ("22m123456p789s11z", {"shanpon 2m", "shanpon 1z"}),
        ("123m123456p789s1z", {"single 1z"}),
        # 4445m: 3-6 two-sided beside the pair of fours, and the single five
        ("4445m123p456789s", {"two-sided 3m-6m", "single 5m"}),
        ("1122334455667m", {"single 7m", "two-sided 1m-4m", "two-sided 4m-7m"}),
        ("1199m1199p1199s1z", {"single 1z"}),
    ],
)
def test_waits_of_hands(hand: str, waits: set[str]) -> None:
    assert names(hand) >= waits
    if hand != "1122334455667m":
        assert names(hand) == waits


def test_thirteen_orphans_are_left_out() -> None:
    assert names("19m19p19s1234567z") == set()


def test_only_the_readings_of_the_winning_tile() -> None:
    hand = np.array(kind_counts(parse_tiles("4445m123p456789s")), dtype=np.uint8)
    assert {str(WAITS[m]) for m in np.flatnonzero(wait_bits(hand, 4))} == {"single 5m"}
    assert {str(WAITS[m]) for m in np.flatnonzero(wait_bits(hand, 2))} == {"two-sided 3m-6m"}


def test_live_suji() -> None:
    assert live_suji(0) == 18
    assert live_suji(1 << 4) == 16  # a five kills 2-5 and 5-8
    assert live_suji(1 << 0) == 17
    assert live_suji(1 << 27) == 18
    assert live_suji((1 << 27) - 1) == 0

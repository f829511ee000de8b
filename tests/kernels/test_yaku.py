"""The table of yaku agrees with itself, with the core and with another program's ids."""

from __future__ import annotations

from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID, YakuConfig

from haiyomi import _core
from haiyomi.kernels.yaku import BY_JAPANESE, N_YAKU, YAKU


def test_ids_and_names_are_unique() -> None:
    assert [y.id for y in YAKU] == list(range(N_YAKU)) == list(range(55))
    assert len(BY_JAPANESE) == len({y.name for y in YAKU}) == 55
    assert all(BY_JAPANESE[y.japanese] is y for y in YAKU)


def test_han_are_those_of_the_core() -> None:
    assert _core.yaku_han() == [(y.closed, y.open) for y in YAKU]


def test_han_are_those_of_another_program() -> None:
    """Double limit hands differ by rule, renhou (36) is not played on Tenhou."""
    checked = 0
    for yaku in vars(YakuConfig()).values():
        tenhou = YAKU_ID_TO_TENHOU_ID.get(getattr(yaku, "yaku_id", None))
        if tenhou is None or tenhou == 36 or tenhou >= 52:
            continue
        ours = YAKU[tenhou]
        assert (min(yaku.han_closed, 13), min(yaku.han_open, 13)) == (ours.closed, ours.open), yaku
        assert bool(yaku.is_yakuman) == ours.yakuman
        checked += 1
    assert checked >= 45

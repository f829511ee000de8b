"""The only zeros: furiten, or no hand left."""

from __future__ import annotations

from haiyomi.dealin.possible import may_wait
from haiyomi.tiles import YAOCHU


def unseen(**gone: int) -> list[int]:
    left = [4] * 34
    for name, n in gone.items():
        left[int(name[1:])] = n
    return left


def test_sequences_keep_a_tile_dangerous_though_all_its_copies_are_seen() -> None:
    assert may_wait(4, unseen(k4=0), closed=True)
    assert may_wait(4, unseen(k4=0), closed=False)
    # 4m and 6m gone: no 34, 46, 67 around 5m
    assert not may_wait(4, unseen(k4=0, k3=0, k5=0), closed=True)
    # 23 still waits on 1 and 4; 1m itself only on 23
    assert may_wait(0, unseen(k0=0), closed=True)
    assert not may_wait(0, unseen(k0=0, k1=0), closed=False)


def test_suits_do_not_leak_into_each_other() -> None:
    # 9m: 1p 2p are no sequence with it
    assert not may_wait(8, unseen(k8=0, k7=0), closed=False)
    assert not may_wait(9, unseen(k9=0, k10=0), closed=False)


def test_honours_need_thirteen_orphans_excluded() -> None:
    assert not may_wait(27, unseen(k27=0), closed=False)
    assert may_wait(27, unseen(k27=0), closed=True)
    assert not may_wait(27, unseen(k27=0, k0=0), closed=True)
    one_of_each = [1 if k in YAOCHU else 4 for k in range(34)]
    one_of_each[27] = 0
    assert not may_wait(27, one_of_each, closed=True)  # nothing is left for the pair

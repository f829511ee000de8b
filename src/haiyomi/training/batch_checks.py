"""What the readers of decisions check of their batches before they read."""

from __future__ import annotations

from haiyomi.errors import ArgumentError
from haiyomi.seeds import check_whole


def check_size(size: int) -> None:
    """Raises ArgumentError for batches without rows."""
    if size < 1:
        raise ArgumentError(f"size is {size}: expected 1 or more")


def check_epoch(epoch: int) -> None:
    """Raises ArgumentError for what is no number of a pass, from 0."""
    check_whole(epoch, "epoch")
    if epoch < 0:
        raise ArgumentError(f"epoch is {epoch}: expected 0 or more")


def check_rank(rank: int, ranks: int) -> None:
    """Raises ArgumentError for a process that is none of ``ranks``."""
    if not 0 <= rank < ranks:
        raise ArgumentError(f"rank {rank} of {ranks}: expected 0 to {ranks - 1}")

"""What the readers of decisions check of their batches before they read."""

from __future__ import annotations

from haiyomi.errors import ArgumentError


def check_size(size: int) -> None:
    """Raises ArgumentError for batches without rows."""
    if size < 1:
        raise ArgumentError(f"size is {size}: expected 1 or more")


def check_rank(rank: int, ranks: int) -> None:
    """Raises ArgumentError for a process that is none of ``ranks``."""
    if not 0 <= rank < ranks:
        raise ArgumentError(f"rank {rank} of {ranks}: expected 0 to {ranks - 1}")

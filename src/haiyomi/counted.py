"""A number with its noun, in the singular or the plural."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 game``, ``2,000 games``: of a noun whose plural ends in s."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"

"""What a riichi needs besides a hand that is tenpai."""

RIICHI_DRAWS = 4
"""It needs at least this many draws left, so that the player draws again."""

"""The parameters of a rule-based player, as a frozen value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleStyle:
    """The parameters of a ``RulePlayer``; probabilities are 0 to 1.

    ``riichi``: declares riichi when closed and tenpai. ``riichi_tiles``: only with at least
    so many winning tiles unseen. ``call_yakuhai``: calls the pon of a value honour.
    ``call_other``: makes a call that lowers the shanten once the hand has a yaku to aim at.
    ``call_shanten``: only calls (other than value honours) that leave at most this shanten.
    ``fold_shanten``: folds to another's riichi from this shanten on (0 folds even a tenpai
    hand, 9 never folds). ``kan``: makes concealed and added kans that keep the shanten.
    """

    riichi: float = 0.9
    riichi_tiles: int = 1
    call_yakuhai: float = 0.9
    call_other: float = 0.6
    call_shanten: int = 2
    fold_shanten: int = 1
    kan: float = 0.6


BALANCED = RuleStyle()
RULE_STYLES: dict[str, RuleStyle] = {
    "balanced": BALANCED,
    "caller": RuleStyle(riichi=0.7, call_yakuhai=1.0, call_other=1.0, call_shanten=3),
    "closed": RuleStyle(riichi=1.0, call_yakuhai=0.3, call_other=0.05, call_shanten=0),
    "bold": RuleStyle(riichi=1.0, call_other=0.7, fold_shanten=3, kan=0.9),
    "timid": RuleStyle(riichi=0.6, riichi_tiles=4, call_other=0.4, fold_shanten=0, kan=0.2),
}
"""Named styles that differ in how they call, declare and fold."""

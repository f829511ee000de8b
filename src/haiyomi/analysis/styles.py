"""How often players of each style take each option of a decision, for many decisions at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from haiyomi.game.decision_record import without_tedashi
from haiyomi.networks.network import Views
from haiyomi.outcomes.option import Option
from haiyomi.outcomes.option_actions import option_shares
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.styles.policy import POOLED, Policy


@dataclass(frozen=True, slots=True)
class StyleShares:
    """One style: ``shares`` (option, probability) of every option of a decision, likeliest first;
    they sum to one."""

    style: str
    shares: tuple[tuple[Option, float], ...]


def styles_of(
    policy: Policy, block: OptionBlock, forgets: bool = False, pooled: Views | None = None
) -> list[tuple[StyleShares, ...]]:
    """Of each decision of a block: the policy of all players first, then each class of players and
    each program. ``forgets``: they do not remember tedashi from tsumogiri. ``pooled``: what the
    policy of all players has said of these decisions already."""
    if not block.decisions:
        return []
    records = without_tedashi(block.records) if forgets else block.records
    names = (POOLED, *policy.styles)
    styles = np.array([policy.style(name) for name in names])
    found = policy.logits_of_styles(records, styles, pooled)
    begins, ends, flat = block.begins.tolist(), block.ends.tolist(), block.flat
    columns = []
    for m, name in enumerate(names):
        share = option_shares(records, found.of_style(m), block.actions)
        order = np.lexsort((-share, block.row)).tolist()
        p = share.tolist()
        columns.append(
            [
                StyleShares(name, tuple([(flat[i], p[i]) for i in order[begin:end]]))
                for begin, end in zip(begins, ends, strict=True)
            ]
        )
    return list(zip(*columns, strict=True))

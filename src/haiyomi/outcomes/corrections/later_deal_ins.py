"""What the networks of options miss of deal-ins with later tiles, how often they come, and of what
opponents' hands are worth. ``haiyomi evaluate corrections`` compares most numbers with records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.game.player_view import Meld
from haiyomi.outcomes.at_once import WinsAtOnce
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions
from haiyomi.outcomes.joint import OTHERS_WINNER
from haiyomi.outcomes.option import KANS
from haiyomi.outcomes.option_block import OptionBlock
from haiyomi.tiles import YAOCHU

_FIRST_DRAGON: Final = 31
RICHER_RIICHI: Final = 0.18
RICHER_TENPAI: Final = 0.09
"""Who stays tenpai deals in to hands worth more than the decision's, because it does not fold when
an opponent shows such a hand: the odds of each class of worth over the one below are exp(this)
times as high, where riichi is declared and where a closed hand stays tenpai in silence, unless that
opponent has declared riichi before. Measured where riichi was on offer, in 3,800 games of train:
the loss was some 15% and 8% above the networks'. Nothing was found of open hands and after the
declaration."""
RICHER_KAN: Final = 0.3
"""The same of all opponents after an own kan, which shows a dora more, whoever pays. In 39,892
games of train hands won 25% to 26% more where another had made a kan, in riichi or not, of dealers
and others (10,653 wins)."""
KAN_SHOWN: Final = 0.15
"""The same of all opponents in a hand in which a kan was made. In train a deal-in cost 6,506 ± 99
and an own draw of theirs 2,852 ± 29 (52,254 opponents), by this some 6,400 and 2,860; without it
5,700 and 2,500."""
DRAGONS_SHOWN: Final = 0.42
PONS_SHOWN: Final = 0.25
OUTSIDE_SHOWN: Final = 0.12
"""The same of an opponent who shows two sets of dragons (train: deal-ins 7,922 ± 221 where 5,412
were expected, own draws 3,038 ± 74 and 2,365), three sets of equal tiles (6,891 ± 209 and 5,455,
own draws 2,976 ± 75 and 2,380; less on valid), or two sets and more, all of terminals or honours
(valid: 5,594 ± 264 and 4,806, in part because of the others). The highest counts."""
RIICHI_LATER: Final = 0.5
"""A seat that declares riichi cannot fold. Of the deal-ins that players expect before they choose,
at once or later, at least this part comes later after a riichi: where all tiles are dangerous, the
networks leave less. Fitted to 2,045 riichi of train against a riichi, whose tile passed: .60
[.26, .66]; of the 264 with more than .15 at once on average .125 dealt in later, and .074 were
expected to. Of 325 with .1 and more in 1,318 games of valid .139 [.103, .176] did, and with it .135
are expected to."""


OPEN_TENPAI: Final = 0.93
"""An open hand that is left tenpai deals in later this times as often as the networks say (± .02;
248,703 discards of train)."""


def open_tenpai_part(block: OptionBlock) -> Floats:
    """(b,) the factor of OPEN_TENPAI on the odds of a later deal-in."""
    return np.where(block.opened[block.row] & (block.shanten == 0), OPEN_TENPAI, 1.0)


def after_riichi(block: OptionBlock, once: WinsAtOnce, later: Floats, share: Floats) -> Floats:
    """(e, b) the factor on the odds of a ``later`` (e, b) deal-in that RIICHI_LATER asks."""
    at_once = np.bincount(block.row, share * (1 - once.nobody), len(block))[block.row]
    least = np.where(block.does("riichi"), RIICHI_LATER * (at_once + later), 0)
    return np.maximum(least / np.maximum(later, 1e-9), 1)


def richer_hands(block: OptionBlock, tenpai: TenpaiOptions) -> Floats:
    """(b,) how much richer the hands are that an option deals in to, as RICHER_RIICHI has it."""
    out = np.zeros(len(block.row))
    out[tenpai.some] = np.where(tenpai.opened | tenpai.declare, 0, RICHER_TENPAI)
    out[block.does("riichi")] = RICHER_RIICHI
    return out


def richer_shown(block: OptionBlock) -> Floats:
    """(n, 12) how much richer the winner's hand is by what is shown, for each of ``OTHERS_WIN``."""
    out = np.zeros((len(block), len(OTHERS_WINNER)))
    for number, decision in enumerate(block.decisions):
        players = decision.position.players
        if any(meld.kind in KANS for player in players for meld in player.melds):
            out[number] = KAN_SHOWN
        shown = [_shown(player.melds) for player in players[1:]]
        out[number] += np.array(shown)[OTHERS_WINNER - 1]
    return out


def _shown(melds: Sequence[Meld]) -> float:
    """What an opponent's sets of equal tiles tell, open or not."""
    kinds = [meld.tiles[0].kind for meld in melds if meld.kind != "chi"]
    if sum(kind >= _FIRST_DRAGON for kind in kinds) >= 2:
        return DRAGONS_SHOWN
    if len(kinds) >= 3:
        return PONS_SHOWN
    outside = all(kind in YAOCHU for kind in kinds)
    return OUTSIDE_SHOWN if outside and len(kinds) == len(melds) >= 2 else 0.0


def richer_after_kan(block: OptionBlock) -> Floats:
    """(b,) the same of whoever pays, as RICHER_KAN has it."""
    return np.where(block.does(*KANS), RICHER_KAN, 0.0)

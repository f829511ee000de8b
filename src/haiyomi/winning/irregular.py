"""Seven pairs and thirteen orphans in closed form: tenpai and win probability by turn.

``haiyomi reproduce winning`` compares the graph's values with these. Useful tiles change in few
ways, so no graph is needed. S is the number of unseen tiles, t of which are drawn with equal
probability; no tile of the form is visible outside the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from haiyomi.errors import HaiyomiError
from haiyomi.tiles import N_KINDS, YAOCHU
from haiyomi.winning.unbranched import closed_form


def seven_pairs(counts: Sequence[int], wall: int, turns: int) -> tuple[float, float]:
    """The chances to be tenpai and to have won with seven pairs after t draws.

    ``counts``: 34 numbers, 13 tiles with none more than twice. With p pairs there are 13 - 2p
    single kinds of three copies each; a pair made of one lets another single go, so the numbers
    of useful tiles are 3 (13 - 2p), 3 (11 - 2p), ..., 3: the unbranched case. Raises
    HaiyomiError for other hands.
    """
    if len(counts) != N_KINDS or sum(counts) != 13 or max(counts) > 2:
        raise HaiyomiError("seven pairs in closed form: expected 13 tiles, none more than twice")
    pairs = sum(n == 2 for n in counts)
    useful = [3 * (13 - 2 * p) for p in range(pairs, 7)]
    tenpai = float(closed_form(useful[:-1], wall, turns))
    return tenpai, float(closed_form(useful, wall, turns))


def thirteen_orphans(counts: Sequence[int], wall: int, turns: int) -> tuple[float, float]:
    """The chances to be tenpai and to have won with thirteen orphans after t draws.

    ``counts``: 34 numbers, 13 tiles. Every orphan drawn is kept until there is a pair, and then
    every new kind, so what counts is which orphans are among t tiles drawn without replacement:
    inclusion and exclusion over the kinds that are missing. Raises HaiyomiError for other hands.
    """
    if len(counts) != N_KINDS or sum(counts) != 13:
        raise HaiyomiError("thirteen orphans in closed form: expected 13 tiles")
    if not 0 <= turns <= wall:
        raise HaiyomiError(f"{turns} draws from a wall of {wall} tiles: expected 0 to {wall}")
    missing = sum(counts[k] == 0 for k in YAOCHU)
    paired = any(counts[k] > 1 for k in YAOCHU)
    # Copies of orphan kinds that the hand has already.
    held = sum(4 - counts[k] for k in YAOCHU if counts[k])
    ways = comb(wall, turns)
    other = wall - 4 * missing - held
    if other < 0:
        raise HaiyomiError(f"a wall of {wall} tiles does not hold all orphans that are left")

    def all_but(unseen: int) -> int:
        """Ways in which exactly so many given missing kinds stay undrawn."""
        wanted = missing - unseen
        return sum(
            (-1) ** j * comb(wanted, j) * comb(wall - 4 * (unseen + j), turns)
            for j in range(wanted + 1)
        )

    def without_pair(unseen: int) -> int:
        """Of those, the ways with one copy of each and no orphan besides."""
        wanted = missing - unseen
        rest = turns - wanted
        return 4**wanted * comb(other, rest) if rest >= 0 else 0

    if paired:
        won = all_but(0)
        tenpai = won + (missing * all_but(1) if missing else 0)
    else:
        won = all_but(0) - without_pair(0)
        tenpai = all_but(0) + missing * (all_but(1) - without_pair(1) if missing else 0)
    return tenpai / ways, won / ways

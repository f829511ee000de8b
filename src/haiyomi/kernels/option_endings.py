"""How the hand may end after options, as ``outcomes.forecast`` explains it: wins at once on the
tile of an option, later deposits, and what each joint ending is worth.

Of n decisions with b options, those of a decision side by side, by e members of an ensemble.
"""

from __future__ import annotations

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Floats, Ints


def wins_at_once(
    at: Ints,
    chance: Floats,
    loss: Floats,
    rows: Ints,
    cells: Floats,
    honba: Ints,
    dealer: Ints,
    triple_ron: bool,
) -> tuple[Floats, Floats, Floats, Floats]:
    """(b, 3) P that opponent 1, 2 or 3 is the first winner on an option's tile, (b, 3) the mean
    points lost then, (b, 3, 9) P of the class of that hand, and (b,) P that three win and abort the
    hand.

    Of k possible rons, ascending: ``at`` (k,) 3 times the option and the opponent less 1;
    ``chance`` (k,) and ``loss`` (k,) its probability and that times the points; ``rows`` (k,) how
    many of ``cells`` (r, 4) are its outcomes (han, fu, points, probability). ``honba`` (b,) in
    points, ``dealer`` (b,) relative. Raises ValueError for arrays that do not fit.
    """
    return _core.wins_at_once(at, chance, loss, rows, cells, honba, dealer, triple_ron)


def deposit_odds() -> Floats:
    """(33, 4) the odds that a seat pays a later deposit, by joint ending, over those where another
    wins without its tile: measured on records. 0 where it wins, because it then takes its own back,
    and where it is not tenpai at an exhaustive draw."""
    return _core.deposit_odds()


def option_deposits(mean: Floats, p: Floats) -> Floats:
    """(4, e, b) the probability that a seat pays a deposit, given that another wins without its
    tile; ``deposit_odds`` gives that with other endings.

    ``mean`` (4, b) over the endings that the seat does not win, ``p`` (33, e, b) of the joint
    endings. Raises ValueError for arrays that do not fit.
    """
    return _core.option_deposits(np.ascontiguousarray(mean), np.ascontiguousarray(p))


def option_changes(
    begins: Ints, ends: Floats, own: Floats, others: Floats, deposit: Floats, seat: int
) -> Floats:
    """(33, e, b) the mean change of a relative seat's score with each joint ending.

    Here n counts groups of a decision's options: ``begins`` (n,) the first option of each;
    ``ends`` (n, 161) the changes by the ends of the hand; ``own`` (2, e, b, 9) P of the class of
    the own hand by ron and by tsumo, ``others`` (n, 12, 9) of another's; ``deposit`` as
    ``option_deposits`` has it. Raises ValueError for arrays that do not fit.
    """
    c = np.ascontiguousarray
    return _core.option_changes(begins, c(ends), c(own), c(others), deposit, seat)

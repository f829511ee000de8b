"""Win probability, tenpai probability and expected points by turn, for many hands at once.

The graph of hand changes and the recurrences (6)-(9) of the paper, in the compiled core. A
*draw* makes a hand of 3k + 1 tiles one of 3k + 2, a *discard* the reverse; *tegawari* is a draw
that leaves the shanten as it is. Entry t - 1 of what is returned is the value right after the
t-th discard, t = 1 ... 18.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bools, Bytes, Floats, Ints
from haiyomi.kernels.counts import Counts, as_rows
from haiyomi.kernels.scoring import no_melds
from haiyomi.rules import TENHOU, Ruleset

TURNS: Final = 18
"""The turns t = 1 ... 18 of a hand that nobody else ends."""
DRAW: Final = 37
"""The code of the one row of a hand that draws; the others are tile codes 0-36."""

STANDARD: Final = 1
SEVEN_PAIRS: Final = 2
THIRTEEN_ORPHANS: Final = 4


@dataclass(frozen=True, slots=True)
class GraphRules:
    """Which hands are joined by an edge, and what a win is.

    ``forms``: the sum of the forms that count. ``thrown``: a discarded tile is ``gone`` from
    the wall or ``returns`` to it. ``reverse``: each edge also the other way, so that a thrown
    tile may be drawn back. ``tegawari`` (draws) and ``back`` (discards that raise the shanten)
    up to ``extra`` exchanges more than the hand needs, 0-3. ``riichi``: called with every
    discard that leaves a closed hand tenpai, and then the hand is locked; ``firm``: for good, a
    win is taken, and no reverse edge leads back before it. ``go_on``: a win may be declined.
    ``points``: wins are paid, and one without a yaku is none; ``worth``: their points are
    computed. ``ura``: riichi wins count the mean of the ura dora. ``tenpai``: its probability too.
    ``remedy``: where the useful tiles outnumber the wall, ``never`` holds such a hand to be
    impossible, ``literal`` computes (6) as it stands. ``must_keep``: a useful tile is kept even
    where it lowers the value.
    """

    forms: int = STANDARD | SEVEN_PAIRS | THIRTEEN_ORPHANS
    thrown: Literal["gone", "returns"] = "gone"
    reverse: bool = False
    tegawari: bool = False
    back: bool = False
    extra: int = 0
    riichi: bool = False
    firm: bool = True
    go_on: bool = False
    points: bool = False
    worth: bool = True
    ura: bool = True
    tenpai: bool = True
    remedy: Literal["never", "literal"] = "never"
    must_keep: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class WinHands:
    """n hands and what their owners see.

    ``concealed``: ``(n, 34)`` uint8. ``live``: ``(n, 34)`` uint8, copies of each kind that the
    owner does not see. ``reds``: ``(n, 6)`` bool, the red fives m, p, s held, then unseen ones.
    ``wall``: ``(n, 18)`` float64, the denominator S - t of each turn. ``melds``: ``(n, 4, 2)``
    as for ``scoring.score``. ``winds``: ``(n, 2)`` uint8, round and seat wind, 27-30.
    ``meld_reds``: ``(n,)`` uint8. ``indicators``: for each hand its dora indicators' kinds, at
    most five. The last four matter for points only.
    """

    concealed: Counts
    live: Counts
    reds: Bools
    wall: Floats
    melds: Bytes | None = None
    winds: Bytes | None = None
    meld_reds: Bytes | None = None
    indicators: tuple[tuple[int, ...], ...] = ()

    def part(self, rows: list[int]) -> WinHands:
        """Some of the hands."""
        return WinHands(
            self.concealed[rows],
            self.live[rows],
            self.reds[rows],
            self.wall[rows],
            None if self.melds is None else self.melds[rows],
            None if self.winds is None else self.winds[rows],
            None if self.meld_reds is None else self.meld_reds[rows],
            tuple(self.indicators[i] for i in rows) if self.indicators else (),
        )


@dataclass(frozen=True, slots=True, eq=False)
class WinValues:
    """The values of n hands.

    ``codes``: ``(n, 14)`` int8, the discard of each row, ``DRAW``, or -1 for no row.
    ``values``: ``(n, 14, 3, 18)`` float64 of win, tenpai, points. ``shanten``: ``(n,)``.
    ``nodes``: ``(n, 2)``, hands that draw and that discard; ``edges``: ``(n,)``.
    """

    codes: npt.NDArray[np.int8]
    values: Floats
    shanten: Ints
    nodes: Ints
    edges: Ints


def win_values(
    hands: WinHands,
    graph: GraphRules,
    *,
    first: int = 1,
    last: int = TURNS,
    threads: int = 1,
    rules: Ruleset = TENHOU,
) -> WinValues:
    """The values of each discard of n hands by turn; hands are shared out among ``threads``.

    The win probability of (6)-(7), and so of tenpai, and the expected points of (8)-(9).
    ``first``: turns before this one are not computed and stay zero, which is faster. ``last``: the
    turn after which nothing is drawn, 0-18. Raises TypeError, or ValueError naming the first bad
    row, also where a graph would be larger than the kernel's limit.
    """
    rows = as_rows(hands.concealed)
    n = len(rows)
    context = np.zeros((n, 9), dtype=np.uint8)
    context[:, :2] = 27 if hands.winds is None else hands.winds
    if hands.meld_reds is not None:
        context[:, 2] = hands.meld_reds
    for i, kinds in enumerate(hands.indicators):
        if len(kinds) > 5:
            raise ValueError(f"row {i}: more than five dora indicators")
        context[i, 3] = len(kinds)
        context[i, 4 : 4 + len(kinds)] = kinds
    codes, values, info = _core.win(
        rows,
        as_rows(hands.live),
        np.ascontiguousarray(hands.reds),
        no_melds(n) if hands.melds is None else np.ascontiguousarray(hands.melds),
        context,
        np.ascontiguousarray(hands.wall, dtype=np.float64),
        first,
        last,
        graph.forms,
        graph.thrown == "returns",
        graph.reverse,
        graph.tegawari,
        graph.back,
        graph.extra,
        graph.riichi,
        graph.firm,
        graph.go_on,
        graph.points,
        graph.worth,
        graph.ura,
        graph.tenpai,
        graph.remedy == "literal",
        graph.must_keep,
        rules.kuitan,
        rules.multiple_yakuman,
        rules.double_yakuman,
        rules.kiriage,
        rules.wind_pair_fu,
        threads,
    )
    return WinValues(codes, values, info[:, 0], info[:, 1:3], info[:, 3])

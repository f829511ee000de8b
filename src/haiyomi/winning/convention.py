"""Conventions for computing a win probability, each a named value.

Programs for the same quantity differ by up to .1, because their graphs of hand changes differ.
``useful`` edges: draws that lower the shanten and discards that keep it. ``reverse`` edges: each of
them also the other way, so that the tile just thrown may be drawn back and another one thrown
instead. *Tegawari* are draws that leave the shanten as it is, *shanten-back* discards that raise
it, both up to ``extra`` exchanges more than the hand needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

from haiyomi.errors import HaiyomiError
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Tile

if TYPE_CHECKING:
    from haiyomi.kernels.winning import GraphRules

Edges = Literal["useful", "reverse"]
Wall = Literal["seen", "returns", "tomo", "neko"]
Remedy = Literal["never", "literal"]


@dataclass(frozen=True, slots=True)
class Convention:
    """How a hand's value is computed.

    ``edges``, ``tegawari``, ``back``, ``extra``: the graph, as in the module's docstring; with
    ``near`` these hold up to that shanten, and further away only useful edges do. ``thrown``: a
    discarded tile is ``gone`` from the wall, or ``returns`` to it. ``wall``: the denominator of
    turn t: ``seen``, all tiles that the owner does not see, one less each turn, exact at the
    question's turn; ``returns``, the same and never less (the remedy of putting discards back);
    ``tomo`` 123 - t; ``neko`` unseen - t. ``subtract_melds``: melds are out of the wall.
    ``remedy``: what holds where the useful tiles outnumber the wall (``never`` such a hand, or (6)
    to the ``literal``). ``must_keep``: a useful tile is kept even where it lowers the value.
    ``riichi``: declared with every discard that leaves a closed hand tenpai, ``firm``: for good.
    ``go_on``: a win may be declined, the max of (8). ``points``: wins are paid, one without a yaku
    is none; up to ``points_near`` shanten. ``ura``: their mean counts. ``reds``: unseen red fives
    are drawn apart. ``indicator``: the dora indicator where none is given. ``forms``: standard,
    seven pairs, thirteen orphans (bits 1, 2, 4).
    """

    name: str
    edges: Edges = "useful"
    tegawari: bool = False
    back: bool = False
    extra: int = 0
    near: int = 8
    thrown: Literal["gone", "returns"] = "gone"
    wall: Wall = "seen"
    subtract_melds: bool = True
    remedy: Remedy = "never"
    must_keep: bool = False
    riichi: bool = True
    firm: bool = True
    go_on: bool = False
    points: bool = True
    points_near: int = 8
    ura: bool = True
    reds: bool = True
    indicator: Tile | None = None
    forms: int = 7
    rules: Ruleset = TENHOU

    def but(self, **changes: object) -> Self:
        """The same with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def graph(self, shanten: int) -> GraphRules:
        """The kernel's graph options for a hand of this shanten."""
        from haiyomi.kernels.winning import GraphRules

        far = shanten > self.near
        points = self.points and shanten <= self.points_near
        return GraphRules(
            forms=self.forms,
            thrown=self.thrown,
            reverse=self.edges == "reverse" and not far,
            tegawari=self.tegawari and not far,
            back=self.back and not far,
            extra=0 if far else self.extra,
            riichi=self.riichi and self.points,
            firm=self.firm,
            go_on=self.go_on and points and not far,
            points=points,
            ura=self.ura,
            remedy=self.remedy,
            must_keep=self.must_keep,
        )


DEFAULT = Convention(
    "default",
    edges="reverse",
    tegawari=True,
    back=True,
    extra=1,
    near=2,
    go_on=True,
    points_near=4,
)
"""The default, close to a real table: discards are gone, visible tiles are not in the wall, riichi
locks the hand. Up to 2-shanten one exchange more than needed is allowed; beyond, only useful
draws, for speed, and points are left out beyond 4-shanten."""

RETURNS = DEFAULT.but(name="returns", thrown="returns", wall="returns")
"""The default with the paper's other remedy: discards return to the wall, which never shrinks."""

_PEER = Convention(
    "peer",
    edges="reverse",
    thrown="returns",
    remedy="literal",
    riichi=False,
    firm=False,
    points=False,
    ura=False,
    reds=False,
)
_TOMO = _PEER.but(wall="tomo", subtract_melds=False)
# The points of these programs count double limit hands.
_NEKO = _PEER.but(
    wall="neko",
    riichi=True,
    go_on=True,
    points=True,
    rules=TENHOU.but(name="neko", double_yakuman=True),
)
_NEKO_DORA = _NEKO.but(ura=True, reds=True, indicator=Tile.parse("3p"))
_ONE_MORE: dict[str, object] = {"tegawari": True, "back": True, "extra": 1}

CONVENTIONS: dict[str, Convention] = {
    c.name: c
    for c in (
        DEFAULT,
        RETURNS,
        _TOMO.but(name="tomo-main1", edges="useful", must_keep=True),
        _TOMO.but(name="tomo-main2"),
        _TOMO.but(name="tomo-main2-extra1", **_ONE_MORE),
        _NEKO.but(name="neko-A", wall="tomo"),
        _NEKO_DORA.but(name="neko-B"),
        _NEKO_DORA.but(name="neko-C", **_ONE_MORE),
        _NEKO.but(name="neko-D", wall="tomo", **_ONE_MORE),
    )
}
"""By name: haiyomi's two, and those that reproduce tomohxx/mahjong-win-prob and
nekobean/mahjong-cpp."""


def find_convention(name: str) -> Convention:
    """The convention of a name. Raises HaiyomiError, listing the names."""
    try:
        return CONVENTIONS[name]
    except KeyError:
        listed = ", ".join(CONVENTIONS)
        raise HaiyomiError(f"no convention {name!r}: expected one of {listed}") from None

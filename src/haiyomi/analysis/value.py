"""The answer to one position: a frozen value of named parts, which every output formats.

Each quantity stands here once, with one name and one unit. Probabilities are 0 to 1, points are
points of the game. Seats are relative: 0 is the viewer, 1 the next to act.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

from haiyomi.dealin.answer import PointsRow, PointsRows, TileRisk, WaitShare
from haiyomi.errors import ArgumentError
from haiyomi.game.position import Position
from haiyomi.seeds import check_whole
from haiyomi.tiles import Tile, Tiles, format_tiles

if TYPE_CHECKING:
    from haiyomi.analysis.styles import StyleShares
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.reading.answer import HandReading

Part: TypeAlias = Literal["deal_in", "own_wins", "waits", "hidden_hands", "styles", "outcomes"]
PARTS: tuple[Part, ...] = ("deal_in", "own_wins", "waits", "hidden_hands", "styles", "outcomes")
"""The parts of an Analysis. ``waits`` and ``outcomes`` bring ``deal_in`` with them."""
Detail: TypeAlias = Literal[
    "own_tenpai", "own_points", "all_waits", "likeliest_hands", "forced_hands"
]
DETAILS: tuple[Detail, ...] = get_args(Detail)
"""What a part may hold or leave out. ``own_tenpai`` and ``own_points``: the ``tenpai`` and the
``points`` of ``own_wins``;
``all_waits``: the ``waits`` of every tile, not only of the one that is discarded;
``likeliest_hands``: the ``likeliest`` of ``hidden_hands``; ``forced_hands``: ``hidden_hands`` also
where the viewer has only one tile to discard, as in riichi."""
PAYOFF = "90/45/0/-135"
"""What places are worth where no payoff is chosen: Tenhou's Houou room, for a player of 7 dan."""
MOST_SAMPLES = 10_000
"""Hands that may be drawn of an opponent."""
T = TypeVar("T")
Name = TypeVar("Name", bound=str)


def check_samples(samples: int) -> None:
    """Raises ArgumentError for a number of sampled hands below 0, or above MOST_SAMPLES, and for
    what is no whole number."""
    check_whole(samples, "samples")
    if samples < 0:
        raise ArgumentError(f"samples is {samples}: expected 0 or more")
    if samples > MOST_SAMPLES:
        raise ArgumentError(f"samples is {samples}: expected at most {MOST_SAMPLES:,}")


def known_names(what: str, names: Iterable[Name], known: Sequence[Name]) -> frozenset[Name]:
    """The names as a set. Raises ArgumentError for one that is not known."""
    if isinstance(names, str):
        raise ArgumentError(
            f"{what}s is a collection of names, such as [{known[0]!r}], not the text {names!r}"
        )
    given = frozenset(names)
    unknown = sorted(given - set(known))
    if unknown:
        raise ArgumentError(f"no {what} {unknown[0]!r}: the {what}s are {', '.join(known)}")
    return given


@dataclass(frozen=True, slots=True)
class DiscardRisk:
    """One tile that could be discarded, or added to an own pon, and what it risks.

    ``by_opponent``: the risk against the relative seats 1, 2, 3. ``risk`` is 1 - prod(1 - p), the
    chance that somebody wins on the tile; ``risk_sum`` the sum of the three probabilities, as
    published (it may exceed one); ``expected_loss`` the points lost by dealing in, on average.
    ``allowed`` is False where the rules forbid the discard right after a call (*kuikae*, swapping
    a called tile). ``shanten`` of the hand that the discard leaves (0 tenpai), None where it is
    not the viewer's turn.
    """

    tile: Tile
    by_opponent: tuple[TileRisk, TileRisk, TileRisk]
    risk: float
    risk_sum: float
    expected_loss: float
    allowed: bool = True
    shanten: int | None = None

    @property
    def points(self) -> PointsRows:
        """The points distribution over all opponents, equal outcomes merged: sums to
        ``risk_sum``."""
        merged: dict[tuple[int, int, int], float] = {}
        for risk in self.by_opponent:
            for row in risk.rows:
                key = (row.han, row.fu, row.points)
                merged[key] = merged.get(key, 0.0) + row.p
        return PointsRows(PointsRow(*key, p) for key, p in sorted(merged.items()))

    @property
    def shares(self) -> tuple[float, float, float]:
        """Each opponent's part of ``risk_sum``: sums to one, or to 0 where that is 0."""
        if self.risk_sum <= 0:
            return (0.0, 0.0, 0.0)
        a, b, c = (risk.probability / self.risk_sum for risk in self.by_opponent)
        return (a, b, c)


@dataclass(frozen=True, slots=True)
class DealInRisks:
    """Who may win on which tile. ``model`` answered; ``tenpai``: each opponent's probability to be
    one tile from winning; ``choices`` the distinct tiles of the hand, ascending (of
    ``Analyzer.risks`` the tiles asked about); ``kans`` those that could be added to an own pon, on
    which a win robs the kan (*chankan*).
    """

    model: str
    tenpai: tuple[float, float, float]
    choices: tuple[DiscardRisk, ...]
    kans: tuple[DiscardRisk, ...] = ()

    def __repr__(self) -> str:
        tenpai = ", ".join(f"{p:.3f}" for p in self.tenpai)
        losses = ", ".join(f"{c.tile} {c.expected_loss:.0f}" for c in self.choices)
        return f"<DealInRisks by {self.model}: tenpai {tenpai}; expected loss {losses}>"

    def __getitem__(self, tile: Tile | str) -> DiscardRisk:
        """The choice of a tile, or of its text such as ``5p``. Raises KeyError, TileError."""
        return _of_tile(self.choices, tile)

    def kan(self, tile: Tile | str) -> DiscardRisk:
        """The tile added to an own pon. Raises KeyError where it cannot be."""
        return _of_tile(self.kans, tile)

    @property
    def safest(self) -> DiscardRisk:
        """The allowed choice with the least expected loss, then the least risk."""
        allowed = [c for c in self.choices if c.allowed] or list(self.choices)
        return min(allowed, key=_danger)

    @property
    def shanten(self) -> int | None:
        """The least shanten that an allowed discard leaves."""
        left = [c.shanten for c in self.choices if c.allowed and c.shanten is not None]
        return min(left, default=None)

    @property
    def forward(self) -> DiscardRisk:
        """The safest of the allowed choices that leave the least shanten."""
        least = self.shanten
        kept = [c for c in self.choices if c.allowed and c.shanten == least]
        return min(kept, key=_danger) if kept else self.safest


@dataclass(frozen=True, slots=True)
class OwnWin:
    """The chance to win by own draws after a discard: no ron, no calls, and nobody else wins.

    By the end of the hand: ``win`` the probability to have won, ``tenpai`` to have been tenpai,
    ``points`` the expected points, which are ``win`` times the mean points of such a win; None
    beyond 4-shanten. ``tenpai`` and ``points`` are None in an analysis without the details
    ``own_tenpai`` and ``own_points``.
    """

    tile: Tile
    win: float
    tenpai: float | None
    points: float | None


@dataclass(frozen=True, slots=True)
class TileWaits:
    """The waits that the risk of a tile is made of: for the relative seats 1, 2, 3 the likeliest
    first, with their shares of that opponent's risk; none where the risk is small."""

    tile: Tile
    by_opponent: tuple[tuple[WaitShare, ...], tuple[WaitShare, ...], tuple[WaitShare, ...]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the models predict for one position, part by part.

    A part that was not computed is None; ``risks`` and ``options`` say so instead. One that has no
    content here is empty: ``own_wins`` where there is no free choice of a discard, ``waits`` where
    no tile is dangerous, ``hidden_hands`` where only one tile can be discarded and the detail
    ``forced_hands`` was left out, ``styles`` and ``outcomes`` where there is one option.

    ``own_wins`` has the discards that the program follows, best first. ``hidden_hands`` are the
    relative seats 1, 2, 3. ``styles`` begins with the policy of all players. ``outcomes`` has every
    option of the decision, best first.
    """

    position: Position
    deal_in: DealInRisks | None = None
    own_wins: tuple[OwnWin, ...] | None = None
    waits: tuple[TileWaits, ...] | None = None
    hidden_hands: tuple[HandReading, ...] | None = None
    styles: tuple[StyleShares, ...] | None = None
    outcomes: tuple[Outcome, ...] | None = None

    def __repr__(self) -> str:
        counts = [
            f"{part} {len(value.choices if isinstance(value, DealInRisks) else value)}"
            for part in PARTS
            if (value := getattr(self, part)) is not None
        ]
        p = self.position
        hand = format_tiles(p.hand)
        return f"<Analysis for seat {p.seat} in kyoku {p.kyoku}, hand {hand}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        from haiyomi.display.analysis import analysis_html

        return analysis_html(self)

    @property
    def risks(self) -> DealInRisks:
        """``deal_in``. Raises LookupError where it was not computed."""
        return self._computed("deal_in", self.deal_in)

    @property
    def options(self) -> tuple[Outcome, ...]:
        """``outcomes``. Raises LookupError where they were not computed."""
        return self._computed("outcomes", self.outcomes)

    def own_win(self, tile: Tile | str) -> OwnWin | None:
        """Of one discard; None where the program does not follow it. Raises LookupError where the
        part was not computed."""
        return _first(self._computed("own_wins", self.own_wins), tile)

    def waits_of(self, tile: Tile | str) -> TileWaits | None:
        """Behind the risk of one tile; None where it is small. Raises LookupError where the part
        was not computed."""
        return _first(self._computed("waits", self.waits), tile)

    def _computed(self, part: Part, value: T | None) -> T:
        if value is None:
            raise LookupError(f"this analysis has no {part}: ask Analyzer for that part")
        return value


_OfTile = TypeVar("_OfTile", DiscardRisk, OwnWin, TileWaits)


def _first(values: tuple[_OfTile, ...], tile: Tile | str) -> _OfTile | None:
    code = (Tile.parse(tile) if isinstance(tile, str) else tile).code
    for value in values:
        if value.tile.code == code:
            return value
    return None


def _of_tile(choices: tuple[DiscardRisk, ...], tile: Tile | str) -> DiscardRisk:
    found = _first(choices, tile)
    if found is None:
        held = Tiles([choice.tile for choice in choices])
        raise KeyError(f"{tile} is none of {held}; Analyzer.risks answers for any tiles")
    return found


def _danger(choice: DiscardRisk) -> tuple[float, float, Tile]:
    return choice.expected_loss, choice.risk, choice.tile

"""What each room adds to a decision on the page: the seam for what is not deal-in risk.

A section answers for each of some Assessments with a JSON value, or None where it has nothing to
say; the page draws the sections that it finds. The values that the page knows:

``win``     {"d": [[tile, P(win by own draws) or None, their points or None, P(win), gain,
            balance], ...]}
``hands``   [[34 expected counts in hundredths, a hand in notation], ...] for seats 1, 2, 3
``styles``  [[class name, [[tile, share], ...], P(riichi) or null], ...], ``pooled`` first
``waits``   {tile: [[[shape, kinds, thousandths of the risk], ...] for seats 1, 2, 3]}; the shapes
            are those of ``dealin.waits``, ``pairs`` and ``orphans``
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from haiyomi.game.position import Position
from haiyomi.review.assessment import Assessment
from haiyomi.tiles import format_tiles, kind_name

if TYPE_CHECKING:
    from haiyomi.dealin.answer import DealInModel
    from haiyomi.dealin.kurita_hoki import KuritaHoki
    from haiyomi.dealin.posterior_model import PosteriorModel


class Section(Protocol):
    """A named addition to every decision."""

    @property
    def name(self) -> str: ...

    def of(self, assessments: Sequence[Assessment]) -> Sequence[Any]:
        """The value to show for each of some positions of one game, None for nothing; many at
        once cost less."""
        ...


class Hands:
    """What each opponent may hold, by the chain of ``reading``; not asked once in riichi.

    The posterior looks at the same numbers of the same opponents: they are taken from it.
    """

    name = "hands"

    def __init__(self, model: PosteriorModel | None = None) -> None:
        self._model = model

    def of(self, assessments: Sequence[Assessment]) -> list[Any]:
        """Three of [expected copies of each kind in hundredths, the best hand's notation]."""
        free = [len(each.position.discards) > 1 for each in assessments]
        asked = [each.position for each, may in zip(assessments, free, strict=True) if may]
        found = iter(self._of(asked))
        return [next(found) if may else None for may in free]

    def _of(self, positions: Sequence[Position]) -> list[Any]:
        import numpy as np

        from haiyomi.game.sights import sights_of
        from haiyomi.reading.answer import tiles_of
        from haiyomi.reading.chain import shipped, totals_of
        from haiyomi.reading.decode import best_agreement

        if not positions:
            return []
        opponent = np.tile(np.array([1, 2, 3]), len(positions))
        if self._model is None:
            sights = np.repeat(sights_of(positions), 3)
            given = None
        else:
            known = [self._model.opponents(position) for position in positions]
            factors = [each.readings.factors for each in known]
            sights = np.concatenate([each.sights for each in known])
            given = (
                np.concatenate([each.x for each in factors]),
                np.concatenate([each.context for each in factors]),
            )
        marginals = shipped().marginals(sights, opponent, alone=True, given=given)
        best = best_agreement(marginals, totals_of(sights, opponent))
        expected = np.rint(100 * (marginals @ np.arange(5.0))).astype(int).tolist()
        rows = [[expected[i], format_tiles(tiles_of(best[i]))] for i in range(len(sights))]
        return [rows[i : i + 3] for i in range(0, len(rows), 3)]


class Win:
    """How likely each discard is to win, what that brings, and its balance (``review.balance``).

    The numbers by own draws alone stand beside, and the page says so wherever they do.
    """

    name = "win"

    def of(self, assessments: Sequence[Assessment]) -> list[Any]:
        """{"d": [[tile, P by own draws or None, points by own draws or None, P(win), gain,
        balance]]}, the best balance first.
        """
        from haiyomi.review.balance import balances_of

        out: list[Any] = []
        for found in balances_of(assessments):
            rows = [
                [
                    str(b.tile),
                    None if b.own_win is None else float(f"{b.own_win:.3g}"),
                    None if b.own_points is None else round(b.own_points),
                    float(f"{b.win:.3g}"),
                    round(b.gain),
                    round(b.value),
                ]
                for b in found
            ]
            out.append({"d": rows} if rows else None)
        return out


class Styles:
    """What all players of the policy's corpus, and each class of them, would discard."""

    name = "styles"

    def of(self, assessments: Sequence[Assessment]) -> list[Any]:
        """For each style its likeliest tiles with their shares, and P(riichi)."""
        from haiyomi.styles.discards import discard_shares_of

        asked = [
            (each.position, [choice.tile for choice in each.choices if choice.allowed])
            for each in assessments
        ]
        return [
            [
                [
                    style.style,
                    [
                        [kind_name(kind), round(share, 3)]
                        for kind, share in style.shares[:MOST_TILES]
                        if share >= WORTH_NAMING
                    ],
                    None if style.riichi is None else round(style.riichi, 3),
                ]
                for style in styles
            ]
            or None
            for styles in discard_shares_of(asked)
        ]


MOST_TILES = 3
"""Tiles that are shown of a style, each of at least WORTH_NAMING."""
WORTH_NAMING = 0.05


class Waits:
    """The waits that the risk of a tile is made of, where the model knows waits."""

    name = "waits"

    def __init__(self, model: KuritaHoki) -> None:
        self._model = model

    def of(self, assessments: Sequence[Assessment]) -> list[Any]:
        """For each tile of some risk the likeliest waits of each opponent, with their shares."""
        return [self._of(each) for each in assessments]

    def _of(self, assessment: Assessment) -> Any:
        from haiyomi.dealin.riichi_waits import wait_parts

        position = assessment.position
        parts = [wait_parts(self._model, position, seat) for seat in (1, 2, 3)]
        out: dict[str, Any] = {}
        for choice in assessment.choices:
            rows: list[Any] = [
                [
                    [p.wait.shape, [kind_name(k) for k in p.wait.wins], round(1000 * p.share)]
                    for p in part.get(int(choice.tile.kind), ())[:MOST_WAITS]
                    if p.share >= 0.02
                ]
                if risk.probability >= WORTH_WAITS
                else []
                for part, risk in zip(parts, choice.risks, strict=True)
            ]
            if any(rows):
                out[str(choice.tile)] = rows
        return out or None


class DrawnWaits:
    """The same for the posterior: the waits of hands drawn from it, given that they win."""

    name = "waits"

    def __init__(self, model: PosteriorModel) -> None:
        self._model = model

    def of(self, assessments: Sequence[Assessment]) -> list[Any]:
        """For each tile of some risk the likeliest waits of each opponent, with their shares."""
        from haiyomi.dealin.explain import wait_shares_of

        asked = [
            (n, choice, i)
            for n, each in enumerate(assessments)
            for choice in each.choices
            if choice.any >= WORTH_DRAWING
            for i, risk in enumerate(choice.risks)
            if risk.probability >= WORTH_WAITS
        ]
        readings = [self._model.opponents(each.position).readings.rows for each in assessments]
        found = wait_shares_of(
            [(readings[n][i], int(choice.tile.kind)) for n, choice, i in asked], DRAWS
        )
        out: list[dict[str, Any]] = [{} for _ in assessments]
        for (n, choice, i), shares in zip(asked, found, strict=True):
            rows = [
                [w.shape, [kind_name(k) for k in w.wins], round(1000 * w.share)]
                for w in shares[:MOST_WAITS]
                if w.share >= 0.02
            ]
            if rows:
                out[n].setdefault(str(choice.tile), [[], [], []])[i] = rows
        return [each or None for each in out]


DRAWS = 200
"""Hands drawn for the waits of a tile: a share's standard error is at most 3.5%."""
WORTH_DRAWING = 0.03
"""The risk of a tile from which hands are drawn to name its waits."""
WORTH_WAITS = 0.01
"""The risk from which its waits are named."""
MOST_WAITS = 4


def sections_of(model: DealInModel) -> tuple[Section, ...]:
    """The sections that are shown beside a model's risks."""
    from haiyomi.dealin.kurita_hoki import KuritaHoki
    from haiyomi.dealin.posterior_model import PosteriorModel

    if isinstance(model, PosteriorModel):
        return Win(), Hands(model), Styles(), DrawnWaits(model)
    if isinstance(model, KuritaHoki):
        return Win(), Hands(), Styles(), Waits(model)
    return Win(), Hands(), Styles()

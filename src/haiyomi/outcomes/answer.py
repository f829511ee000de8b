"""``Outcome``: what will come of one option, for the seat that has it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, NamedTuple, overload

from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.tiles import Tile

_SUM = 1e-9
_ENDINGS: Final = tuple(Ending)
_UNKNOWN: Final = (None,) * len(_ENDINGS)
_WINS: Final = tuple(ending for ending in Ending if ending.wins)
_DEAL_INS: Final = tuple(ending for ending in Ending if ending.deals_in)
_DRAWS: Final = tuple(ending for ending in Ending if ending.draws)


class EndingShare(NamedTuple):
    """One way in which the hand may end: its probability, the mean change of the own score where
    it does, from the decision on, in points, and the standard error of that mean (None: unknown).
    """

    ending: Ending
    probability: float
    points: float
    error: float | None = None


class Endings(Sequence[EndingShare]):
    """The ways in which the hand may end, in the order of ``Ending``: reads as a tuple of
    EndingShares, and is kept as columns.

    ``probabilities``, ``means`` and ``errors`` by number of the Ending; one that the rules exclude
    has probability 0 and is no item. ``points``: the mean change of the own score over all.
    Raises ValueError for shares in another order, or unless the probabilities sum to one.
    """

    __slots__ = ("errors", "means", "points", "probabilities")
    probabilities: Sequence[float]
    means: Sequence[float]
    errors: Sequence[float | None]
    points: float

    def __init__(self, shares: Iterable[EndingShare]) -> None:
        given = list(shares)
        _check([share.probability for share in given], "endings")
        numbers = [share.ending for share in given]
        if sorted(set(numbers)) != numbers:
            raise ValueError("endings stand in their order, each once")
        by = {share.ending: share for share in given}
        absent = EndingShare(Ending.TSUMO, 0.0, 0.0)
        found = [by.get(ending, absent) for ending in _ENDINGS]
        self.probabilities = tuple([share.probability for share in found])
        self.means = tuple([share.points for share in found])
        self.errors = tuple([share.error for share in found])
        self.points = _mean(self.probabilities, self.means)

    @classmethod
    def of_columns(
        cls,
        probabilities: Sequence[float],
        means: Sequence[float],
        errors: Sequence[float | None] = _UNKNOWN,
    ) -> Endings:
        """Of columns that are known to be right."""
        out = cls.__new__(cls)
        out.probabilities, out.means, out.errors = probabilities, means, errors
        out.points = _mean(probabilities, means)
        return out

    def points_by(self, *endings: Ending) -> float:
        """The part of ``points`` by some endings."""
        p, means = self.probabilities, self.means
        return sum([p[ending] * means[ending] for ending in endings if p[ending] > 0])

    def __len__(self) -> int:
        return sum(p > 0 for p in self.probabilities)

    @overload
    def __getitem__(self, at: int) -> EndingShare: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[EndingShare, ...]: ...
    def __getitem__(self, at: int | slice) -> EndingShare | tuple[EndingShare, ...]:
        return tuple(self)[at]

    def __iter__(self) -> Iterator[EndingShare]:
        columns = zip(_ENDINGS, self.probabilities, self.means, self.errors, strict=True)
        return (EndingShare(*row) for row in columns if row[1] > 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        chances = zip(_ENDINGS, self.probabilities, strict=True)
        win = sum([p for ending, p in chances if ending.wins])
        return f"<Endings: {len(self)} ways, {self.points:+.1f} points, win {win:.4f}>"


def _mean(probabilities: Sequence[float], means: Sequence[float]) -> float:
    return math.fsum(map(mul, probabilities, means))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the game ends for the seat: ``places`` P(1st) to P(4th), the expected ``final`` score
    in points, and ``value`` under the payoff of that ``payoff`` name. ``error``: the standard error
    of the value; ``members`` the value by each member of an ensemble, whose mean it is. Raises
    ValueError unless the probabilities sum to one."""

    places: tuple[float, float, float, float]
    final: float
    payoff: str
    value: float
    error: float | None = None
    members: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        _check(self.places, "places")


class OwnWait(NamedTuple):
    """What the own hand can win on: the kinds ``on``, of which the seat does not see ``left``
    tiles. Of an open hand those with a yaku, or where it has none all that it waits on. ``ron``:
    those that it can win on by ron as it is, not in ``furiten`` and with a yaku, which riichi is;
    ``ron_left`` of their tiles are not seen."""

    on: tuple[Tile, ...]
    left: int
    furiten: bool
    ron: tuple[Tile, ...]
    ron_left: int

    def to_json(self) -> dict[str, object]:
        """The JSON value, with tiles by name."""
        return self._asdict() | {"on": list(map(str, self.on)), "ron": list(map(str, self.ron))}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What will come of one option where the seats go on as ``policy`` says.

    ``endings`` in the order of ``Ending``; one that the rules exclude is absent.
    ``deal_in_now`` is the part of ``deal_in`` on the option's own tile. ``error`` is the standard
    error of ``points``; ``members`` the points by each member of an ensemble, whose mean they are.
    ``placement`` is None where score or round is unknown. ``share``: how often players of that
    policy choose the option, None where that is unknown. ``wait``: of the hand that a discard, a
    riichi or an own kan leaves tenpai. ``no_yaku``: whether it leaves an open hand without a yaku
    near: one that cannot win on any tile it waits on, or for which every yaku takes more tiles than
    it lacks.
    """

    option: Option
    policy: str
    endings: Endings
    error: float | None = None
    placement: Placement | None = None
    deal_in_now: float = 0.0
    share: float | None = None
    members: tuple[float, ...] = ()
    wait: OwnWait | None = None
    no_yaku: bool = False

    @property
    def points(self) -> float:
        """The expected change of the own score from the decision to the hand's end, deposits and
        honba included."""
        return self.endings.points

    @property
    def preference(self) -> float:
        """What options are ordered by: the value of the placement, else ``points``."""
        return self.points if self.placement is None else self.placement.value

    def difference_error(self, other: Outcome) -> float | None:
        """The standard error of the difference of two options' points, by how it differs between
        the members of the ensemble; None where there is one network."""
        apart = [a - b for a, b in zip(self.members, other.members, strict=True)]
        n = len(apart)
        if n < 2:
            return None
        mean = sum(apart) / n
        return math.sqrt(sum((each - mean) ** 2 for each in apart) / (n * (n - 1)))

    def probability(self, *endings: Ending) -> float:
        """The probability that the hand ends in one of these ways."""
        return math.fsum([self.endings.probabilities[ending] for ending in set(endings)])

    @property
    def win(self) -> float:
        """The probability to win the hand."""
        return self.probability(*_WINS)

    @property
    def win_points(self) -> float:
        """The part of ``points`` by winning the hand."""
        return self.endings.points_by(*_WINS)

    @property
    def deal_in_points(self) -> float:
        """The part of ``points`` by dealing in, which is negative."""
        return self.endings.points_by(*_DEAL_INS)

    @property
    def draw_points(self) -> float:
        """The part of ``points`` by exhaustive draws."""
        return self.endings.points_by(*_DRAWS)

    @property
    def deal_in(self) -> float:
        """The probability that another wins on an own tile, now or later."""
        return self.probability(*_DEAL_INS)

    @property
    def others_tsumo(self) -> float:
        """The probability that another wins by own draw."""
        return self.probability(Ending.TSUMO_RIGHT, Ending.TSUMO_ACROSS, Ending.TSUMO_LEFT)

    @property
    def others_ron(self) -> float:
        """The probability that another wins on a third player's tile."""
        return self.probability(Ending.RON_RIGHT, Ending.RON_ACROSS, Ending.RON_LEFT)

    @property
    def draw(self) -> float:
        """The probability of an exhaustive draw."""
        return self.probability(*_DRAWS)

    @property
    def tenpai_draw(self) -> float:
        """The probability of an exhaustive draw in tenpai."""
        return self.probability(Ending.DRAW_TENPAI)

    def to_json(self) -> dict[str, object]:
        """The JSON value: ``option`` as text, ``points``, ``endings`` by words, ``placement``."""
        placement, wait = self.placement, self.wait
        return {
            "option": str(self.option),
            "policy": self.policy,
            "share": self.share,
            "points": self.points,
            "points_error": self.error,
            "win": self.win,
            "deal_in": self.deal_in,
            "deal_in_now": self.deal_in_now,
            "endings": [
                {
                    "ending": share.ending.text,
                    "probability": share.probability,
                    "points": share.points,
                    "error": share.error,
                }
                for share in self.endings
            ],
            "wait": None if wait is None else wait.to_json(),
            "no_yaku": self.no_yaku,
            "placement": None if placement is None else list(placement.places),
            "final": None if placement is None else placement.final,
            "payoff": None if placement is None else placement.payoff,
            "value": None if placement is None else placement.value,
            "value_error": None if placement is None else placement.error,
        }


def _check(probabilities: Sequence[float], what: str) -> None:
    """Raise ValueError unless some probabilities are such and sum to one."""
    total = math.fsum(probabilities)
    inside = min(probabilities, default=0) >= 0 and max(probabilities, default=0) <= 1
    if not inside or not abs(total - 1) <= _SUM:
        raise ValueError(f"the probabilities of {what} sum to {total!r}, not 1")

"""What the API answers about players, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from haiyomi.apps.web.limits import LONGEST_NAME
from haiyomi.apps.web.schemas import Key, Strict
from haiyomi.review.career import RateName


class Player(BaseModel):
    """A player of the library and how many of the games are reviewed."""

    name: str
    games: int


class TallyOut(BaseModel):
    """Sums over discards; ``luck`` is what was expected less what came (negative is bad luck),
    ``spread`` its standard deviation, points in the figures called so.
    """

    discards: int
    expected_deal_ins: float
    deal_ins: int
    luck: float
    spread: float
    expected_loss: float
    points_lost: int
    luck_points: float
    spread_points: float
    mistakes: int
    mistake_cost: float


class GameOut(TallyOut):
    """One game of the player: ``place`` (1 to 4) and ``points`` at its end; the hands with
    ``riichi``, with a call (``called``) and won."""

    game: str
    seat: int
    hands: int
    place: int | None
    points: int | None
    riichi: int | None
    called: int | None
    wins: int | None


class RateOut(BaseModel):
    """A mean over the games, its standard error by game, the mean of Houou players and half of the
    95% interval."""

    rate: RateName
    value: float
    error: float | None
    houou: float
    half: float | None


class CareerOut(BaseModel):
    """How the player plays; ``places``: games ended first to fourth."""

    rates: list[RateOut]
    places: list[int]


class CostlyOut(BaseModel):
    """A mistake: the ``option`` that was taken and the ``better`` one, by ``cost`` points; what
    came of the tile that was given, if one was."""

    game: str
    hand: str
    turn: int
    option: str
    better: str
    cost: float
    severity: str
    category: str
    risk: float
    outcome: str
    points: int


class CategoryOut(BaseModel):
    """The mistakes of one category over all games."""

    category: str
    mistakes: int
    cost: float


class GivenUpOut(BaseModel):
    """What was given up over some games: ``cost`` in points over the ``decisions`` that were a real
    choice; in how many the best option was taken; ``categories`` costliest first."""

    decisions: int
    cost: float
    agreed: int
    categories: list[CategoryOut]


class StatsReply(BaseModel):
    """One player's games: what dealing in was expected to cost, and what it did cost.

    ``margin``: points given up that make a mistake; ``by_threat``: by the greatest threat at the
    discard.
    """

    schema_: Literal["haiyomi-stats"] = Field(alias="schema")
    version: int
    player: str
    model: str
    margin: float
    games: list[GameOut]
    career: CareerOut
    total: TallyOut
    by_threat: dict[str, TallyOut]
    given_up: GivenUpOut
    costliest: list[CostlyOut]


class StyleRequest(Strict):
    """Whose style, by name or part of it; by which records of the library, at most 200.

    Without ``record_ids``: the newest 200 records in which such a name sits.
    """

    player: str = Field(min_length=1, max_length=LONGEST_NAME)
    record_ids: list[Key] | None = Field(default=None, min_length=1, max_length=200)


class StyleStatisticOut(BaseModel):
    """One of the 19 statistics: ``value`` null if it never occurred, ``occasions`` behind it,
    ``mean`` and ``spread`` over the players of the classes, ``trust`` 0 to 1 in it."""

    name: str
    value: float | None
    occasions: int
    mean: float
    spread: float
    trust: float


class StyleReply(BaseModel):
    """What kind of player somebody is: the nearest class, the distances, the statistics."""

    schema_: Literal["haiyomi-style"] = Field(alias="schema")
    version: int
    player: str
    games: int
    hands: int
    absent_hands: int
    style: str
    agreement: float | None
    distances: dict[str, float]
    statistics: list[StyleStatisticOut]
    rates: dict[str, float | None]

"""What the API takes and gives about the options of a decision, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from haiyomi.analysis.value import PAYOFF
from haiyomi.apps.web.schemas import EXAMPLE, PositionIn, Strict, Text


class OptionsRequest(Strict):
    """A position in the viewer's own turn, and what the places of its game are worth."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    position: PositionIn
    payoff: Text = PAYOFF


class EndingOut(BaseModel):
    """One way in which the hand ends for the viewer, and the mean change of its score then."""

    ending: str
    probability: float
    points: float
    error: float | None


class WaitOut(BaseModel):
    """What the own hand waits ``on``, and of these kinds those that it may win on by ``ron`` as it
    is; ``left`` and ``ron_left``: how many such tiles are not seen."""

    on: list[str]
    left: int
    furiten: bool
    ron: list[str]
    ron_left: int


class OptionOut(BaseModel):
    """What will come of one option: ``points`` the expected change of score in the hand,
    ``placement`` P(1st) to P(4th), ``value`` under the ``payoff``; null where they are unknown.
    ``points_error`` and ``value_error`` are standard errors. ``wait``: of the hand that it leaves
    tenpai; ``no_yaku``: it leaves an open hand without a yaku near; ``doubted``: fewer than 10% of
    strong players choose it, and it is worth more points than all that more players choose."""

    option: str
    policy: str
    share: float | None
    points: float
    points_error: float | None
    win: float
    deal_in: float
    deal_in_now: float
    endings: list[EndingOut]
    wait: WaitOut | None
    no_yaku: bool
    doubted: bool
    placement: list[float] | None
    final: float | None
    payoff: str | None
    value: float | None
    value_error: float | None


class OptionsReply(BaseModel):
    """Every option of a decision, best first; ``not_placed`` says why there are no placements."""

    schema_: Literal["haiyomi-options"] = Field(alias="schema")
    version: int
    policy: str | None
    payoff: str
    not_placed: str | None
    options: list[OptionOut]

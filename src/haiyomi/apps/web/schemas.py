"""What the API takes and gives, as pydantic models: the OpenAPI page is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag

from haiyomi.apps.web.library_rows import State, StoredRecord, StoredReview
from haiyomi.apps.web.limits import LONGEST_NAME
from haiyomi.dealin.answer import ZeroReason
from haiyomi.dealin.models import DEFAULT, MODELS
from haiyomi.game.player_view import MeldKind


def _known(name: str) -> str:
    # A model may also be named by its file: never by a request.
    if name not in MODELS:
        raise ValueError(f"no such model: choose from {', '.join(MODELS)}")
    return name


Model = Annotated[str, AfterValidator(_known), Field(json_schema_extra={"enum": list(MODELS)})]
Wind = Literal["E", "S", "W", "N"]
WrittenWind = Literal["E", "S", "W", "N", "東", "南", "西", "北"]
"""A wind as positions may have it."""
Text = Annotated[str, Field(max_length=500)]
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class Strict(BaseModel):
    """No unknown fields."""

    model_config = ConfigDict(extra="forbid")


class ErrorBody(BaseModel):
    """What went wrong: a code for programs, one sentence for people."""

    code: str
    message: str


class ErrorReply(BaseModel):
    """The shape of every reply that is no success."""

    error: ErrorBody


class Health(BaseModel):
    """The server is there; ``reviewing``: so is the process that reviews."""

    name: Literal["haiyomi"]
    version: str
    models: list[str]
    reviewing: bool


# -- records and reviews -------------------------------------------------------------------


class Record(BaseModel):
    """A record of the library; ``names`` by seat, 0 the first dealer; ``error`` if damaged."""

    id: str
    name: str
    names: list[str]
    hands: int
    created: float
    error: str | None

    @classmethod
    def of(cls, record: StoredRecord) -> Record:
        return cls(
            id=record.id,
            name=record.name,
            names=list(record.names),
            hands=record.hands,
            created=record.created,
            error=record.error,
        )


class Uploaded(BaseModel):
    """What an upload held: the records now in the library, and why others were not read."""

    records: list[Record]
    errors: list[str]


class ReviewRequest(Strict):
    """Which seat of which record: one of the library, or one given here as text.

    ``record``: mjlog XML, Tenhou JSON, mjai lines, Mahjong Soul's JSON, or a pasted
    tenhou.net/6/#json= address. ``seat`` 0 is the first dealer; or ``player``, a name or part of
    it."""

    record_id: Key | None = None
    record: str | None = Field(default=None, max_length=240_000)
    seat: int | None = Field(default=None, ge=0, le=3, strict=True)
    player: str | None = Field(default=None, max_length=LONGEST_NAME)
    model: Model = DEFAULT


class ReviewStatus(BaseModel):
    """A review and how far it is: ``done`` of ``total`` hands; ``error`` where it failed; ``place``
    (1 to 4) and ``points`` of the player at the game's end, and the points ``given_up`` a decision,
    once it is done."""

    id: str
    record_id: str
    record_name: str
    player: str
    seat: int
    model: str
    state: State
    done: int
    total: int
    error: str | None
    created: float
    place: int | None
    points: int | None
    given_up: float | None

    @classmethod
    def of(cls, review: StoredReview) -> ReviewStatus:
        return cls(
            id=review.id,
            record_id=review.record,
            record_name=review.record_name,
            player=review.player,
            seat=review.seat,
            model=review.model,
            state=review.state,
            done=review.done,
            total=review.total,
            error=review.error,
            created=review.created,
            place=review.place,
            points=review.points,
            given_up=review.given_up,
        )


# -- players -------------------------------------------------------------------------------

ModelQuery = Annotated[
    str,
    AfterValidator(_known),
    Query(description="the model", json_schema_extra={"enum": list(MODELS)}),
]


class PlayedRequest(Strict):
    """Which decision of a review is played on: ``hand`` and ``event`` as its result has them, and
    in how many ``worlds`` at most."""

    hand: int = Field(ge=0, le=200, strict=True)
    event: int = Field(ge=0, le=1000, strict=True)
    worlds: Literal[64, 128, 256, 512] = 64


class ConfirmRequest(Strict):
    """Which option of a decision is compared with the one that was ``taken``, by playing both on;
    options as the review's result names them."""

    hand: int = Field(ge=0, le=200, strict=True)
    event: int = Field(ge=0, le=1000, strict=True)
    better: Text = Field(examples=["riichi 5p"])
    taken: Text = Field(examples=["discard 5p"])


# -- positions -----------------------------------------------------------------------------


class PlayerIn(Strict):
    """What is seen of one player, described in the manual under 'Position as JSON'."""

    score: int | None = Field(default=None, ge=-1_000_000, le=1_000_000, strict=True)
    river: Text | None = Field(default=None, examples=["9m 1z 2m* 8p 3s"])
    melds: list[Text] | None = Field(default=None, max_length=4, examples=[["pon 5z55z from S"]])
    riichi: bool | None = Field(default=None, strict=True)
    ippatsu: bool | None = Field(default=None, strict=True)
    concealed: int | None = Field(default=None, ge=0, le=14, strict=True)
    passed: Text | None = None
    passed_since_riichi: Text | None = None


class RulesIn(Strict):
    """The fields of ``haiyomi.Ruleset`` that differ from Tenhou's rules; the manual describes them
    under 'Python API'."""

    name: Text | None = None
    rounds: int | None = Field(default=None, ge=1, le=4, strict=True)
    red_fives: bool | None = Field(default=None, strict=True)
    kuitan: bool | None = Field(default=None, strict=True)
    start_points: int | None = Field(default=None, ge=0, le=1_000_000, strict=True)
    target_points: int | None = Field(default=None, ge=0, le=1_000_000, strict=True)
    tobi: bool | None = Field(default=None, strict=True)
    multiple_yakuman: bool | None = Field(default=None, strict=True)
    double_yakuman: bool | None = Field(default=None, strict=True)
    kiriage: bool | None = Field(default=None, strict=True)
    triple_ron: bool | None = Field(default=None, strict=True)
    wind_pair_fu: int | None = Field(default=None, ge=0, le=4, strict=True)
    immediate_kan_dora: bool | None = Field(default=None, strict=True)
    pao_whole: bool | None = Field(default=None, strict=True)
    rob_ankan: bool | None = Field(default=None, strict=True)
    fast: bool | None = Field(default=None, strict=True)


Rules = Annotated[
    Annotated[Literal["tenhou", "tenhou-east", "mahjong-soul", "mahjong-soul-east"], Tag("name")]
    | Annotated[RulesIn, Tag("fields")],
    Discriminator(lambda rules: "name" if isinstance(rules, str) else "fields"),
]
"""By name or by fields; an error is said of the one that was given."""


class PositionIn(Strict):
    """One position, described in the manual under 'Position as JSON'."""

    seat: WrittenWind
    hand: Text
    indicators: Text
    drawn: Annotated[str, Field(max_length=2)] | None = None
    rules: Rules | None = None
    round: Annotated[str, Field(max_length=8)] | None = None
    honba: int | None = Field(default=None, ge=0, le=200, strict=True)
    sticks: int | None = Field(default=None, ge=0, le=200, strict=True)
    players: dict[WrittenWind, PlayerIn] | None = None
    order: Text | None = None
    draws_left: int | None = Field(default=None, ge=0, le=70, strict=True)
    to_act: bool | None = Field(default=None, strict=True)
    after_kan: bool | None = Field(default=None, strict=True)

    def plain(self) -> dict[str, Any]:
        """The JSON value that the position's reader takes: null is the same as left out."""
        return self.model_dump(exclude_none=True)


EXAMPLE: dict[str, Any] = {
    "position": {
        "seat": "E",
        "indicators": "6s",
        "hand": "234m556799p34s66z",
        "drawn": "9s",
        "players": {
            "E": {"river": "1s"},
            "S": {"river": "9s!"},
            "W": {"river": "2z"},
            "N": {"river": "9p"},
        },
    }
}


class _Asked(Strict):
    """A position and the names of its players."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    position: PositionIn
    names: Annotated[list[Text], Field(min_length=4, max_length=4)] | None = None


class PositionRequest(_Asked):
    """A position and the model to ask; ``points``: with the whole distributions of points."""

    model: Model = DEFAULT
    points: bool = False


HandsModel: TypeAlias = Literal["counts", "nemoto-none", "nemoto-0", "nemoto-d"]
"""The shipped models of hidden hands: the network's, and the CRF of Nemoto, Komiya and Kotani."""


class HandsRequest(_Asked):
    """A position and the model of hidden hands."""

    hands_model: HandsModel = "counts"


PointsOut = tuple[int, int, int, float]
"""One outcome of a deal-in: han, fu, points paid, and its probability."""


class OpponentRisk(BaseModel):
    """The risk against one opponent; ``reason`` where the rules make it 0."""

    seat: int
    probability: float
    share: float
    reason: ZeroReason | None
    expected_loss: float
    mean_points: float
    points: list[PointsOut] | None = None


class OwnWinOut(BaseModel):
    """By own draws, by the end of the hand: P(win), P(tenpai), expected points."""

    win: float
    tenpai: float
    points: float | None


class KanRiskOut(BaseModel):
    """One tile that could be given: ``risk`` is the chance that somebody wins on it."""

    tile: str
    allowed: bool
    shanten: int | None
    risk: float
    risk_sum: float
    expected_loss: float
    points: list[PointsOut] | None = None
    opponents: list[OpponentRisk]


class TileRiskOut(KanRiskOut):
    """One tile that could be discarded."""

    own_win: OwnWinOut | None


class MeldOut(BaseModel):
    """A meld: its kind and its tiles in notation."""

    kind: MeldKind
    tiles: str


class Opponent(BaseModel):
    """One opponent: ``tenpai`` the probability to be one tile from winning."""

    seat: int
    name: str
    wind: str
    riichi: bool
    open_melds: int
    tenpai: float


class RiskReply(BaseModel):
    """The deal-in risk of every tile of a position; ``kans``: of the tiles that could be added to
    an own pon, if there is one.

    The manual describes it under 'JSON of the commands'.
    """

    schema_: Literal["haiyomi-risk"] = Field(alias="schema")
    version: int
    model: str
    hand: str
    drawn: str | None
    melds: list[MeldOut]
    draws_left: int
    opponents: list[Opponent]
    shanten: int | None
    safest: str
    safest_forward: str
    tiles: list[TileRiskOut]
    kans: list[KanRiskOut] | None = None


WIND_KINDS = {"E": 27, "S": 28, "W": 29, "N": 30}


class WinRequest(Strict):
    """One hand for `POST /hands/win`, as ``haiyomi win`` takes it: 13 or 14 tiles, 3 less a meld.

    ``melds`` of the owner with commas (123m,777z; c1111z a closed kan); ``seen`` other tiles in
    sight; ``turn`` that of this discard.
    """

    hand: Annotated[str, Field(max_length=60, examples=["234578m1689p357s1z"])]
    melds: Annotated[str, Field(max_length=100)] = ""
    seen: Annotated[str, Field(max_length=300)] = ""
    indicators: Annotated[str, Field(max_length=20)] = ""
    turn: int = Field(default=1, ge=1, le=18, strict=True)
    seat_wind: Wind = "S"
    round_wind: Wind = "E"

    def plain(self) -> dict[str, Any]:
        """The words of ``WinQuestion.parse``."""
        winds = {"seat_wind": WIND_KINDS[self.seat_wind], "round_wind": WIND_KINDS[self.round_wind]}
        return self.model_dump() | winds


class WinReply(BaseModel):
    """By own draws, for each discard (or ``draw``) 18 numbers: entry t - 1 is right after
    the discard of turn t. ``points`` is empty for hands far from winning. ``nodes`` and ``edges``:
    the size of the graph of hands.
    """

    schema_: Literal["haiyomi-win"] = Field(alias="schema")
    version: int
    hand: str
    melds: list[str]
    indicators: str
    turn: int
    convention: str
    shanten: int
    nodes: int
    edges: int
    win: dict[str, list[float]]
    tenpai: dict[str, list[float]]
    points: dict[str, list[float]]


class HandGuess(BaseModel):
    """A hand in notation, and how many tiles it is from tenpai (0), or complete (-1)."""

    tiles: str
    shanten: int


class BestHand(HandGuess):
    """The hand that is expected to share the most tiles with the true one, and that share."""

    expected_agreement: float


class OpponentHand(BaseModel):
    """What one opponent may hold: ``marginals`` P(holds 0 ... 4 copies) of each of 34 kinds;
    ``likeliest`` is null from the CRF, whose ``samples`` are drawn by the paper's roulette.
    ``samples_given``: whether they are conditioned on tenpai."""

    seat: int
    name: str
    model: str
    riichi: bool
    melds: list[MeldOut]
    concealed: int
    marginals: list[list[float]]
    best: BestHand
    likeliest: HandGuess | None
    samples_given: Literal["tenpai"] | None
    samples: list[HandGuess]


class HandsReply(BaseModel):
    """What the three opponents may hold, next to act first."""

    schema_: Literal["haiyomi-hands"] = Field(alias="schema")
    version: int
    model: str
    opponents: list[OpponentHand]

"""Another program's review of the same game, laid beside ours: its options with their values.

Read is the JSON of mjai-reviewer (``mjai-reviewer --json``) by Mortal. Its ``q_value``
is Mortal's own value and has no unit; ``prob`` is the share that Mortal's policy gives the option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from haiyomi.errors import (
    FormatError,
    HaiyomiError,
    RecordError,
    SizeError,
    TileError,
    not_json,
    unreadable,
)
from haiyomi.logs import fields
from haiyomi.logs.containers import MAX_BYTES
from haiyomi.logs.limits import MOST_HANDS
from haiyomi.review.columns import clean
from haiyomi.review.decisions import Beside, BesideOption, HandReview, Review, ReviewedDecision
from haiyomi.rules import WALL_DRAWS
from haiyomi.tiles import Seat, Tile

Key = tuple[int, int, int, int]
"""Round, honba, the player's turn, draws left: one own turn of a game."""
MOST_NAME = 12
"""Characters of the program's name that are shown."""
_ACTIONS = (
    "dahai",
    "reach",
    "ankan",
    "kakan",
    "daiminkan",
    "chi",
    "pon",
    "hora",
    "ryukyoku",
    "none",
)


@dataclass(frozen=True, slots=True)
class MortalReport:
    """The own turns of one seat, by place, as another program judged them."""

    name: str
    seat: Seat
    turns: Mapping[Key, Beside]


def read_report(path: Path) -> MortalReport:
    """The report in a file. Raises RecordError, with the file and the hand."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(unreadable(error), str(path)) from None
    return parse_report(data, str(path))


def parse_report(data: bytes, name: str) -> MortalReport:
    """The report in some bytes. Raises RecordError, with ``name`` as its file and the hand."""
    at: list[int | None] = [None]
    try:
        if len(data) > MAX_BYTES:
            raise SizeError(f"larger than {MAX_BYTES >> 20} MiB")
        return _report(fields.mapping(fields.decode_json(data.decode("utf-8-sig")), "report"), at)
    except RecordError as error:
        error.file, error.hand = name, at[0]
        raise
    except (ValueError, TileError) as error:
        raise FormatError(
            f"is no report of mjai-reviewer: {not_json(error)}", name, at[0]
        ) from None


def _report(value: dict[str, object], at: list[int | None]) -> MortalReport:
    review = fields.mapping(value.get("review"), "review")
    if "kyokus" not in review:
        raise ValueError("review has no kyokus; only reports by Mortal are read")
    kyokus = fields.array(review["kyokus"], "kyokus")
    if len(kyokus) > MOST_HANDS:
        raise SizeError(f"a game of more than {MOST_HANDS} hands", value=len(kyokus))
    engine = clean(fields.text(value.get("engine", "Mortal"), "engine"))
    name = "Mortal" if engine.lower() == "mortal" else engine[:MOST_NAME]
    seat = fields.seat(value.get("player_id"), "player_id")
    turns: dict[Key, Beside] = {}
    for i, each in enumerate(kyokus):
        at[0] = i
        turns.update(_hand(fields.mapping(each, "kyoku"), seat, name))
    at[0] = None
    return MortalReport(name, seat, turns)


def _hand(hand: dict[str, object], seat: Seat, name: str) -> Iterator[tuple[Key, Beside]]:
    kyoku = fields.integer(hand.get("kyoku"), 0, 15, "kyoku")
    honba = fields.integer(hand.get("honba"), 0, 999, "honba")
    for each in fields.array(hand.get("entries"), "entries"):
        entry = fields.mapping(each, "entry")
        if entry.get("last_actor") != seat or entry.get("at_self_riichi"):
            continue  # another player's discard, or the tile of a riichi
        turn = fields.integer(entry.get("junme"), 0, 99, "junme")
        left = fields.integer(entry.get("tiles_left"), 0, WALL_DRAWS, "tiles_left")
        details = fields.array(entry.get("details"), "details")
        options = tuple(_option(fields.mapping(detail, "detail")) for detail in details)
        if options:
            yield (kyoku, honba, turn, left), Beside(name, options)


def _option(detail: dict[str, object]) -> BesideOption:
    action = fields.mapping(detail.get("action"), "action")
    kind = fields.text(action.get("type"), "type")
    if kind not in _ACTIONS:
        raise ValueError(f"no action {kind[:20]!r}")
    tile = Tile.from_mjai(fields.text(action.get("pai"), "pai")) if kind == "dahai" else None
    return BesideOption(kind, tile, _real(detail.get("q_value")), _real(detail.get("prob")))


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise ValueError(f"{value!r:.40} is not a number")
    return float(value)


def laid_beside(review: Review, report: MortalReport) -> Review:
    """The review with the report's options at each decision that it has.

    Raises HaiyomiError where the report is of another seat, or fits no decision.
    """
    if report.seat != review.seat:
        raise HaiyomiError(
            f"the report of {report.name} is of seat {report.seat}, the review of {review.seat}"
        )
    hands = tuple(_hand_beside(hand, report.turns) for hand in review.hands)
    found = replace(review, hands=hands)
    if all(d.beside is None for _, d in found.discards):
        raise HaiyomiError(
            f"the report of {report.name} is of another game: no decision is in both"
        )
    return found


def _hand_beside(hand: HandReview, turns: Mapping[Key, Beside]) -> HandReview:
    return replace(hand, decisions=tuple(_beside(hand, d, turns) for d in hand.decisions))


def _beside(
    hand: HandReview, decision: ReviewedDecision, turns: Mapping[Key, Beside]
) -> ReviewedDecision:
    place = (hand.kyoku, hand.honba, decision.turn, decision.position.draws_left)
    beside = turns.get(place)
    if decision.offer is not None:
        return decision  # the report has the own turns
    held = {tile.code for tile in decision.position.hand}
    if beside is None or any(
        o.tile is not None and o.tile.code not in held for o in beside.options
    ):
        return decision  # the same turn of another game
    return replace(decision, beside=beside)

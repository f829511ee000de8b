"""Answers about one position, as JSON bytes: what the server asks its own processes for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from haiyomi.apps.web.frames import Reply, pack_replies
from haiyomi.apps.web.library_rows import StoredBody, body_of
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.game.position import Position

if TYPE_CHECKING:
    from haiyomi.analysis.value import Analysis

QUICK: Final = 512
"""Worlds of a confirmation: some seconds."""


def page(position: dict[str, Any], names: list[str], model: str) -> bytes:
    """The data of the page of a position as JSON value. Raises PositionError."""
    from haiyomi.analysis.models import Models
    from haiyomi.apps.review_page import page_analyzer
    from haiyomi.review.html.data import position_data

    (whole,) = page_analyzer(Models(model)).analyze([_to_act(position)])
    return as_json(position_data(whole, names))


def risks(questions: list[tuple[dict[str, Any], list[str], str, bool]]) -> bytes:
    """The replies to questions (position, names, model, whether with points), as a batch; an error
    in one leaves the others as they are."""
    replies: list[Reply | None] = [None] * len(questions)
    positions: dict[str, list[tuple[int, Position]]] = {}
    for i, (position, _, model, _) in enumerate(questions):
        try:
            positions.setdefault(model, []).append((i, _to_act(position)))
        except HaiyomiError as error:
            replies[i] = error
    for model, asked in positions.items():
        try:
            found = _analyses(model, [position for _, position in asked])
        except HaiyomiError as error:
            found = [error] * len(asked)
        for (i, _), reply in zip(asked, found, strict=True):
            replies[i] = reply if isinstance(reply, HaiyomiError) else _risk(reply, questions[i])
    return pack_replies([reply for reply in replies if reply is not None])


def _analyses(model: str, positions: list[Position]) -> Sequence[Analysis | HaiyomiError]:
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models

    return Analyzer(Models(model), ("deal_in", "own_wins")).analyze(positions)


def _risk(analysis: Analysis, question: tuple[dict[str, Any], list[str], str, bool]) -> bytes:
    from haiyomi.review.json_out import risk_json

    _, names, _, points = question
    return as_json(risk_json(analysis, names, points))


def _to_act(position: dict[str, Any]) -> Position:
    read = Position.from_json(position)
    if not read.to_act:
        raise PositionError("in this position it is not the viewer's turn to discard")
    return read


def win(question: dict[str, Any]) -> bytes:
    """The win table of a hand, by the words of ``WinQuestion.parse``. Raises HaiyomiError."""
    from haiyomi.winning.question import WinQuestion
    from haiyomi.winning.table import win_table

    return as_json(win_table(WinQuestion.parse(**question)).to_json())


def options(position: dict[str, Any], payoff: str) -> bytes:
    """What will come of every option of a position, best first. Raises HaiyomiError."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.outcomes.places import not_placed
    from haiyomi.play.stated_decision import decision_at
    from haiyomi.review.outcomes_out import outcomes_json

    decision = decision_at(_to_act(position))
    (found,) = Analyzer(payoff=payoff).outcomes([decision])
    return as_json(outcomes_json(found, payoff, not_placed(decision.position)))


def played(
    seat: int, hand: int, event: int, worlds: int, seconds: float, *record: *StoredBody
) -> bytes:
    """The options of one decision of a record, played on in up to ``worlds`` worlds and about
    ``seconds``. Raises HaiyomiError where the record has no such decision."""
    from haiyomi.analysis.value import PAYOFF
    from haiyomi.logs.load import parse
    from haiyomi.outcomes.places import not_placed
    from haiyomi.playouts.answer import play_on
    from haiyomi.review.outcomes_out import played_json
    from haiyomi.review.reviewer import recorded
    from haiyomi.tiles import Seat

    game = parse(body_of(*record), "record")
    made = recorded(game, hand, Seat(seat), event)
    if made is None or len(made.choices) < 2:
        raise HaiyomiError(f"hand {hand} has no choice of this seat at event {event}")
    found = play_on(made, worlds=worlds, seconds=seconds, payoff=PAYOFF)
    return as_json(played_json(found, PAYOFF, not_placed(made.position)))


def confirmed(
    seat: int, hand: int, event: int, better: str, taken: str, model: str, *record: *StoredBody
) -> bytes:
    """What playing on says of one option of a decision of a record against another, with a
    sentence in each language. Raises HaiyomiError where the decision has no such options."""
    from haiyomi.analysis.models import Models
    from haiyomi.analysis.value import PAYOFF
    from haiyomi.apps.confirming import confirm_option
    from haiyomi.logs.load import parse
    from haiyomi.outcomes.option import Option, options_of
    from haiyomi.outcomes.payoff import Payoff
    from haiyomi.review.confirmed_text import confirmed_json
    from haiyomi.review.html.data import confirmed_data
    from haiyomi.review.reviewer import recorded
    from haiyomi.tiles import Seat

    game = parse(body_of(*record), "record")
    made = recorded(game, hand, Seat(seat), event)
    two = Option.parse(better), Option.parse(taken)
    if made is None or len({*two} & options_of(made).keys()) < 2:
        raise HaiyomiError(f"hand {hand} has no choice of {better} or {taken} at event {event}")
    worth = Payoff.parse(PAYOFF, game.header.rules)
    found = confirm_option(made, *two, worth, QUICK, Models(model))
    claimed = None if made.offer is None else made.offer.tile
    _, sentences = confirmed_data(found, two[1], claimed)
    return as_json(confirmed_json(found) | {"sentence": sentences})


def style(
    player: str, names: list[str], keys: list[str], digests: list[str], *blobs: bytes
) -> bytes:
    """The style of a player by some records, by their names and the columns of ``StoredBody``.
    Raises HaiyomiError."""
    from haiyomi.logs.load import parse
    from haiyomi.styles.answer import style_of

    bodies = map(body_of, keys, blobs, digests)  # one at a time
    games = (parse(body, name) for name, body in zip(names, bodies, strict=True))
    return as_json(style_of(games, player).to_json())


def hands(position: dict[str, Any], names: list[str], model: str) -> bytes:
    """What each opponent may hold at a position as JSON value, by a model of hidden hands. Raises
    PositionError."""
    from haiyomi.analysis.hidden_hands import read_hands
    from haiyomi.analysis.models import Models
    from haiyomi.review.hands_text import hands_json

    read = Position.from_json(position)
    readings = read_hands(read, models=Models(hidden_hands=model))
    return as_json(
        {
            "schema": "haiyomi-hands",
            "version": 1,
            "model": readings[0].model,
            "opponents": hands_json(read, readings, names),
        }
    )


def as_json(value: Any) -> bytes:
    """Compact JSON in ASCII, so that any text can be sent."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def warm() -> None:
    """Load the model and ask it once."""
    from haiyomi.apps.web.schemas import EXAMPLE
    from haiyomi.dealin.models import DEFAULT

    page(EXAMPLE["position"], [""] * 4, DEFAULT)

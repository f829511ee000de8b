"""Answers about one position, as JSON bytes: what the server asks its own processes for."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from haiyomi.errors import PositionError
from haiyomi.game.position import Position

Answer: TypeAlias = Literal["dealin", "hands", "page"]


def answer(
    what: Answer, position: dict[str, Any], names: list[str], model: str, points: bool = False
) -> bytes:
    """The reply's body for a position as JSON value. Raises PositionError."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.review_page import page_analyzer

    read = Position.from_json(position)
    if not read.to_act and what != "hands":
        raise PositionError("in this position it is not the viewer's turn to discard")
    if what == "hands":
        return as_json(_hands(read, names))
    models = Models(model)
    if what == "page":
        from haiyomi.review.html.data import position_data

        (whole,) = page_analyzer(models).analyze([read])
        return as_json(position_data(whole, names))
    from haiyomi.review.json_out import risk_json

    (analysis,) = Analyzer(models, ("deal_in", "own_wins", "balance")).analyze([read])
    return as_json(risk_json(analysis, names, points))


def win(question: dict[str, Any]) -> bytes:
    """The win table of a hand, by the words of ``WinQuestion.parse``. Raises HaiyomiError."""
    from haiyomi.winning.question import WinQuestion
    from haiyomi.winning.table import win_table

    return as_json(win_table(WinQuestion.parse(**question)).to_json())


def style(player: str, names: list[str], *bodies: bytes) -> bytes:
    """The style of a player by some records, their names and bodies. Raises HaiyomiError."""
    from haiyomi.logs.load import parse
    from haiyomi.styles.answer import style_of

    games = (parse(body, name) for name, body in zip(names, bodies, strict=True))
    return as_json(style_of(games, player).to_json())


def _hands(position: Position, names: list[str]) -> dict[str, Any]:
    from haiyomi.analysis.hidden_hands import read_hands
    from haiyomi.review.hands_text import hands_json

    readings = read_hands(position)
    return {
        "schema": "haiyomi-hands",
        "version": 1,
        "model": readings[0].model,
        "opponents": hands_json(position, readings, names),
    }


def as_json(value: Any) -> bytes:
    """Compact JSON in ASCII, so that any text can be sent."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def warm() -> None:
    """Load the model and ask it once."""
    from haiyomi.apps.web.schemas import EXAMPLE
    from haiyomi.dealin.models import DEFAULT

    answer("page", EXAMPLE["position"], [""] * 4, DEFAULT)

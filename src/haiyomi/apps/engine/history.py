"""The events of a request become what the controlled seat knows, and its last decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.analysis.seat_history import SeatHistory
from haiyomi.apps.engine.rpc import refused
from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import Event
from haiyomi.json_types import Json
from haiyomi.logs.limits import MOST_EVENTS
from haiyomi.logs.mjai_read import LiveStream
from haiyomi.logs.mjai_rules import stated_rules
from haiyomi.rules import Ruleset
from haiyomi.tiles import Seat

TYPES: Final = frozenset({
    "start_game", "start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan",
    "reach", "reach_accepted", "dora", "hora", "ryukyoku", "end_kyoku", "end_game",
})  # fmt: skip
"""The events of the protocol."""


def read_history(events: Sequence[object], seat: Seat, rules: Ruleset) -> SeatHistory:
    """The history of a request's events; ``rules`` where they do not state others. Raises RpcError
    with INVALID_HISTORY."""
    messages = [_message(number, event) for number, event in enumerate(events, 1)]
    if messages and messages[0]["type"] == "start_game":
        rules = stated_rules(messages[0], rules)
    try:
        return SeatHistory.of_events(_events(messages), seat, rules)
    except (HaiyomiError, AssertionError, LookupError, ValueError) as error:
        raise refused("INVALID_HISTORY", str(error) or "the events cannot follow") from None


def _message(number: int, event: object) -> Json:
    if number > MOST_EVENTS + 3:
        raise refused("INVALID_HISTORY", f"more than {MOST_EVENTS} events of one hand")
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(kind, str) or kind not in TYPES:
        raise refused("INVALID_HISTORY", f"event {number} has no type of the protocol")
    if kind == "start_game" and number > 1:
        raise refused("INVALID_HISTORY", f"event {number} begins a game")
    return event


def _events(messages: Sequence[Json]) -> list[Event]:
    """The events of one hand's messages. Raises RecordError, PositionError."""
    kinds = [message["type"] for message in messages]
    begins = 1 if kinds[:1] == ["start_game"] else 0
    if kinds[begins : begins + 1] != ["start_kyoku"] or kinds.count("start_kyoku") > 1:
        raise PositionError("the events are not those of one hand that begins with start_kyoku")
    stream = LiveStream()
    return [
        event for number, message in enumerate(messages) for event in stream.feed(message, number)
    ]

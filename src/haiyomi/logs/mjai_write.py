"""Game to mjai JSON lines: what newer programs require, and the original dialect's extras."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from haiyomi.errors import RecordError
from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    FourScores,
    Game,
    Hand,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.logs.mjai_names import LIMITS, NAGASHI, REASONS, YAKU_NAMES, YAKUMAN_FAN
from haiyomi.logs.mjai_rules import rule_fields
from haiyomi.rules import DEPOSIT
from haiyomi.tiles import Seat, Tile

Message: TypeAlias = dict[str, Any]
"""One mjai message: a JSON object with a ``type``."""


def write_mjai(game: Game) -> str:
    """The lines of a game, each ended by a newline. Raises RecordError."""
    return lines(messages(game))


def lines(some: Iterable[Message]) -> str:
    """Messages as lines, each ended by a newline."""
    return "".join(json.dumps(m, ensure_ascii=False, separators=(",", ":")) + "\n" for m in some)


def messages(game: Game) -> Iterator[Message]:
    """The messages of a game, ``start_game`` to ``end_game``."""
    rules = game.header.rules
    yield {
        "type": "start_game",
        "names": list(game.header.names),
        **rule_fields(rules),
    }
    for i, hand in enumerate(game.hands):
        yield from _hand(hand, i)
        yield {"type": "end_kyoku"}
    end: Message = {"type": "end_game"}
    if game.header.final is not None:
        end["scores"] = list(game.header.final)
    yield end


def _hand(hand: Hand, number: int) -> Iterator[Message]:
    written = HandMessages()
    for i, event in enumerate(hand.events):
        try:
            message = written.of(event)
        except RecordError as error:
            error.hand, error.event = number, i
            raise
        if message is not None:
            yield message


class HandMessages:
    """The messages of one hand, event by event, as they are or as a seat sees them."""

    def __init__(self) -> None:
        self._scores: FourScores = (0, 0, 0, 0)
        self._pons: dict[tuple[Seat, int], Pon] = {}
        self._start: Start | None = None

    def of(self, event: Event) -> Message | None:
        """The next event's message; None for a Start, which is in the message of the deal.

        Raises RecordError for an added kan without its pon.
        """
        if isinstance(event, Start):
            self._start, self._scores = event, event.scores
            return None
        if isinstance(event, Deal | OwnDeal):
            assert self._start is not None
            return start_kyoku(self._start, event)
        if isinstance(event, Pon):
            self._pons[event.seat, event.tile.kind] = event
        if isinstance(event, Kakan) and (event.seat, event.tile.kind) not in self._pons:
            raise RecordError("an added kan without its pon", value=str(event.tile))
        message = _message(event, self._pons)
        if isinstance(event, Win | ExhaustiveDraw):
            self._pay(message, event.deltas)
        elif isinstance(event, RiichiAccepted):
            a, b, c, d = (-DEPOSIT * (s == event.seat) for s in range(4))
            message["deltas"] = [a, b, c, d]
            self._pay(message, (a, b, c, d))
        return message

    def action(self, choice: Event) -> Message:
        """The message with which a seat takes an action: what it says of the event itself."""
        return action(choice, self._pons)

    def _pay(self, message: Message, deltas: FourScores) -> None:
        a, b, c, d = (s + p for s, p in zip(self._scores, deltas, strict=True))
        self._scores = a, b, c, d
        message["scores"] = [a, b, c, d]


def start_kyoku(start: Start, deal: Deal | OwnDeal) -> Message:
    """The message of a start and its deal; hidden hands are question marks."""
    if isinstance(deal, Deal):
        hands = [[tile.mjai for tile in hand] for hand in deal.hands]
    else:
        hands = [["?"] * 13 for _ in range(4)]
        hands[deal.seat] = [tile.mjai for tile in deal.tiles]
    return {
        "type": "start_kyoku",
        "bakaze": "ESWN"[start.kyoku // 4 % 4],
        "dora_marker": start.indicator.mjai,
        "kyoku": start.kyoku % 4 + 1,
        "honba": start.honba,
        "kyotaku": start.sticks,
        "oya": start.dealer,
        "scores": list(start.scores),
        "tehais": hands,
    }


def action(event: Event, pons: dict[tuple[Seat, int], Pon]) -> Message:
    """The message with which a seat takes an action: what it says of the event itself.

    ``pons`` by seat and kind, for the tiles that an added kan is added to.
    """
    message = _message(event, pons)
    message.pop("deltas", None)
    return message


def _names(tiles: tuple[Tile, ...]) -> list[str]:
    return [tile.mjai for tile in tiles]


def _message(event: Event, pons: dict[tuple[Seat, int], Pon]) -> Message:
    match event:
        case Draw(seat, tile):
            return {"type": "tsumo", "actor": seat, "pai": tile.mjai}
        case HiddenDraw(seat):
            return {"type": "tsumo", "actor": seat, "pai": "?"}
        case Discard(seat, tile, tsumogiri):
            return {"type": "dahai", "actor": seat, "pai": tile.mjai, "tsumogiri": tsumogiri}
        case Riichi(seat):
            return {"type": "reach", "actor": seat}
        case RiichiAccepted(seat):
            return {"type": "reach_accepted", "actor": seat}
        case Chi(seat, target, tile, own) | Pon(seat, target, tile, own):
            kind = "chi" if isinstance(event, Chi) else "pon"
            return _call(kind, seat, target, tile, own)
        case Daiminkan(seat, target, tile, own):
            return _call("daiminkan", seat, target, tile, own)
        case Ankan(seat, tiles):
            return {"type": "ankan", "actor": seat, "consumed": _names(tiles)}
        case Kakan(seat, tile):
            pon = pons[seat, tile.kind]
            before = tuple(sorted((pon.tile, *pon.consumed)))
            return {"type": "kakan", "actor": seat, "pai": tile.mjai, "consumed": _names(before)}
        case DoraReveal(tile):
            return {"type": "dora", "dora_marker": tile.mjai}
        case Win():
            return _hora(event)
        case ExhaustiveDraw(deltas, tenpai, nagashi):
            reason = NAGASHI if nagashi else REASONS[None]
            drawn: Message = {"type": "ryukyoku", "reason": reason, "deltas": list(deltas)}
            if tenpai is not None:
                drawn["tenpais"] = list(tenpai)
            return drawn
        case AbortiveDraw(reason, seat):
            aborted: Message = {"type": "ryukyoku", "reason": REASONS[reason]}
            if seat is not None:
                aborted["actor"] = seat
            return aborted | {"deltas": [0, 0, 0, 0]}
    raise RecordError("no event that mjai can tell", value=event)


def _call(kind: str, seat: Seat, target: Seat, tile: Tile, own: tuple[Tile, ...]) -> Message:
    return {
        "type": kind,
        "actor": seat,
        "target": target,
        "pai": tile.mjai,
        "consumed": _names(own),
    }


def _hora(win: Win) -> Message:
    message: Message = {
        "type": "hora",
        "actor": win.seat,
        "target": win.target,
        "pai": win.tile.mjai,
        "uradora_markers": _names(win.ura),
        "ura_markers": _names(win.ura),
    }
    if win.yaku is not None:
        message["yakus"] = [
            [YAKU_NAMES[y], YAKUMAN_FAN * (han // 13) if y in LIMITS else han]
            for y, han in win.yaku
        ]
        message["fan"] = sum(fan for _, fan in message["yakus"])
    if win.fu is not None:
        message["fu"] = win.fu
    if win.points is not None:
        message["hora_points"] = win.points
    message["deltas"] = list(win.deltas)
    return message

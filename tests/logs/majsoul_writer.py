"""Games as Mahjong Soul's records: the entries as JSON, and as protobuf bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    ExhaustiveDraw,
    Game,
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.kernels.yaku import YAKU as TENHOU_YAKU
from haiyomi.logs.majsoul_read import _ABORTIVE
from haiyomi.logs.majsoul_schema import ACTION, ACTIONS_FIELD, ANSWER, RECORDS, WRAPPER
from haiyomi.logs.majsoul_wins import ROUND_WIND, SEAT_WIND, YAKU
from haiyomi.logs.protobuf import Message

Entry = tuple[str, dict[str, Any]]
_NUMBER = {tenhou: number for number, tenhou in YAKU.items()}


def head(game: Game) -> dict[str, Any]:
    """The head of a ranked game."""
    final = game.header.final or (0, 0, 0, 0)
    return {
        "uuid": "231123-00000000-0000-4000-8000-000000000000",
        "config": {
            "mode": {"mode": game.header.rules.rounds},
            "meta": {"mode_id": 12 if game.header.rules.rounds == 2 else 11},
        },
        "accounts": [{"seat": s, "nickname": name} for s, name in enumerate(game.header.names)],
        "result": {
            "players": [
                {"seat": s, "part_point_1": n, "total_point": n - 30000}
                for s, n in enumerate(final)
            ]
        },
    }


def entries(game: Game) -> list[Entry]:
    """The entries of all hands."""
    return [entry for hand in game.hands for entry in _hand(hand)]


def json_record(game: Game) -> dict[str, Any]:
    """What ``fetchGameRecord`` gives, its messages decoded: ``actions`` with results."""
    actions = [
        {"passed": 100, "type": 1, "result": {"name": f".lq.{name}", "data": data}}
        for name, data in entries(game)
    ]
    details = {"version": 210715, "actions": [{"passed": 1, "type": 3}, *actions]}
    return {"head": head(game), "data": {"name": ".lq.GameDetailRecords", "data": details}}


def binary_record(game: Game, answer: bool = True) -> bytes:
    """The same in protobuf; without ``answer`` the wrapped entries alone."""
    wrappers = [wrapped(f".lq.{name}", encode(data, RECORDS[name])) for name, data in entries(game)]
    actions = [encode({"type": 1, "result": each}, ACTION) for each in wrappers]
    inner = b"\x10\xbf\xe9\x0c" + b"".join(_field(ACTIONS_FIELD, each) for each in actions)
    data = wrapped(".lq.GameDetailRecords", inner)
    return encode({"head": head(game), "data": data}, ANSWER) if answer else data


def wrapped(name: str, data: bytes) -> bytes:
    return encode({"name": name, "data": data}, WRAPPER)


def encode(value: dict[str, Any], message: Message) -> bytes:
    """Protobuf bytes of the fields that the message names, numbers of arrays packed."""
    out = b""
    for number, field in sorted(message.fields.items()):
        if field.name not in value:
            continue
        each = value[field.name]
        kind = field.type
        several = each if field.repeated else [each]
        if field.repeated and kind in ("uint", "int", "bool"):
            packed = b"".join(_varint(int(n) & (1 << 64) - 1) for n in several)
            out += _varint(number << 3 | 2) + _varint(len(packed)) + packed
            continue
        for one in several:
            if kind in ("uint", "int", "bool"):
                out += _varint(number << 3) + _varint(int(one) & (1 << 64) - 1)
                continue
            data = encode(one, kind) if isinstance(kind, Message) else one
            data = data.encode() if isinstance(data, str) else data
            out += _field(number, data)
    return out


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _hand(hand: Hand) -> Iterator[Entry]:
    start, deal = hand.events[:2]
    assert isinstance(start, Start)
    assert isinstance(deal, Deal)
    doras = [str(start.indicator)]
    riichi = False
    wins: list[Win] = []
    scores = list(start.scores)
    left, shown = 70, 1
    for i, event in enumerate(hand.events[2:], 2):
        new: list[str] = []  # all indicators, where one is new
        if isinstance(event, Draw | Discard) and len(doras) > shown:
            new, shown = doras[:], len(doras)
        match event:
            case Draw(seat, tile) if i == 2:
                left -= 1
                tiles = {f"tiles{s}": [str(t) for t in own] for s, own in enumerate(deal.hands)}
                tiles[f"tiles{seat}"].append(str(tile))
                yield "RecordNewRound", {
                    "chang": start.kyoku // 4, "ju": int(start.dealer), "ben": start.honba,
                    "liqibang": start.sticks, "scores": scores[:], "doras": doras[:], **tiles,
                    "left_tile_count": left,
                }  # fmt: skip
            case Draw(seat, tile):
                left -= 1
                yield "RecordDealTile", {
                    "seat": int(seat), "tile": str(tile), "doras": new,
                    "left_tile_count": left,
                }  # fmt: skip
            case Riichi():
                riichi = True
            case RiichiAccepted(seat):
                scores[seat] -= 1000
            case Discard(seat, tile, drawn):
                yield "RecordDiscardTile", {
                    "seat": int(seat), "tile": str(tile), "is_liqi": riichi, "moqie": drawn,
                    "doras": new,
                }  # fmt: skip
                riichi = False
            case Chi() | Pon() | Daiminkan():
                n = len(event.consumed)
                yield "RecordChiPengGang", {
                    "seat": int(event.seat), "type": (Chi, Pon, Daiminkan).index(type(event)),
                    "tiles": [*map(str, event.consumed), str(event.tile)],
                    "froms": [int(event.seat)] * n + [int(event.target)],
                }  # fmt: skip
            case Ankan(seat, tiles):
                data = {"seat": int(seat), "type": 3, "tiles": str(tiles[0])}
                yield "RecordAnGangAddGang", data
            case Kakan(seat, tile):
                yield "RecordAnGangAddGang", {"seat": int(seat), "type": 2, "tiles": str(tile)}
            case DoraReveal(tile):
                doras.append(str(tile))
            case Win():
                wins.append(event)
            case AbortiveDraw(reason, seat):
                number = next(n for n, known in _ABORTIVE.items() if known == reason)
                yield "RecordLiuJu", {"type": number, "seat": int(seat or 0)}
            case ExhaustiveDraw():
                assert event.tenpai is not None
                yield "RecordNoTile", {
                    "liujumanguan": bool(event.nagashi),
                    "players": [{"tingpai": tenpai} for tenpai in event.tenpai],
                    "scores": [{"delta_scores": list(event.deltas)}],
                }  # fmt: skip
    if wins:
        deltas = [sum(win.deltas[s] for win in wins) for s in range(4)]
        yield "RecordHule", {
            "hules": [_win(win, start) for win in reversed(wins)],
            "old_scores": scores, "delta_scores": deltas,
            "scores": [a + b for a, b in zip(scores, deltas, strict=True)], "doras": doras,
        }  # fmt: skip


def _win(win: Win, start: Start) -> dict[str, Any]:
    yakuman = any(TENHOU_YAKU[y].yakuman for y, _ in win.yaku or ())
    fans = []
    for y, han in win.yaku or ():
        number = SEAT_WIND if 10 <= y < 14 else ROUND_WIND if 14 <= y < 18 else _NUMBER[y]
        fans.append({"id": number, "val": han // 13 if yakuman else han})
    points = win.points or 0
    dealer = win.seat == start.dealer
    each = points // 3 if dealer else points // 4 // 100 * 100
    if not dealer and points - 2 * each > 2 * each:
        each += 100
    paid = {"point_zimo_xian": each, "point_zimo_qin": 0 if dealer else points - 2 * each}
    return {
        "seat": int(win.seat), "zimo": win.tsumo, "hu_tile": str(win.tile), "yiman": yakuman,
        "fans": fans, "fu": win.fu or 0, "count": win.han or 0, "li_doras": [*map(str, win.ura)],
        "baopai": 0 if win.pao is None else win.pao + 1,
        **(paid if win.tsumo else {"point_rong": points}),
    }  # fmt: skip

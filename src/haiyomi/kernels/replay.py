"""The checked replay of one hand: events -> int32 words -> the core -> an answer or an error.

The layout of the words is documented in ``cpp/core/replay.hpp``. The core stops at the first
fault and names it; ``_ILLEGAL`` and ``_MISMATCH`` have a sentence for each.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn, TypeAlias

from haiyomi import _core
from haiyomi.errors import IllegalError, MismatchError, RecordError, TruncatedError
from haiyomi.events import (
    DISCARDS,
    DRAWS,
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
    Hand,
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.kernels.yaku import YAKU
from haiyomi.rules import Ruleset
from haiyomi.tiles import Tile, code_name

(
    _START,
    _DEAL,
    _DRAW,
    _DISCARD,
    _RIICHI,
    _ACCEPTED,
    _CHI,
    _PON,
    _DAIMINKAN,
    _ANKAN,
    _KAKAN,
    _DORA,
    _WIN,
    _ABORT,
    _EXHAUSTIVE,
) = range(15)
_FLAG: Final = 1 << 10
# A mapping, not a shift: a seat outside 0-3 has no word.
_SEAT: Final = {s: s << 12 for s in range(4)}
_TARGET: Final = {s: s << 14 for s in range(4)}
_REASONS: Final = {
    "nine-terminals": 0,
    "four-winds": 1,
    "four-riichi": 2,
    "four-kans": 3,
    "triple-ron": 4,
}

# The draws and discards that are made once and live for ever: their identity is their word.
_INTERNED: Final[dict[int, int]] = {
    **{
        id(event): _DRAW | code << 4 | _SEAT[s]
        for s in range(4)
        for code, event in enumerate(DRAWS[s])
    },
    **{
        id(event): _DISCARD | code << 4 | (_FLAG if tsumogiri else 0) | _SEAT[s]
        for s in range(4)
        for code, pair in enumerate(DISCARDS[s])
        for tsumogiri, event in enumerate(pair)
    },
}


EndKind: TypeAlias = Literal["win", "abort", "exhaustive"]


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand ended: what the next one must start from.

    ``scores`` in points by absolute seat after all payments; ``sticks`` riichi deposits left
    on the table; ``renchan``: the dealer stays.
    """

    kind: EndKind
    renchan: bool
    scores: FourScores
    sticks: int
    next_kyoku: int
    next_honba: int


def encode(hand: Hand) -> array[int]:
    """The words of a hand's events, an ``array('i')``.

    Raises IllegalError (with the event's number) for an event that has no words: one that
    hides a tile, or with a seat outside 0-3 or a number that is too large.
    """
    words: list[int] = []
    try:
        for event in hand.events:
            word = _INTERNED.get(id(event))
            if word is None:
                words += _ENCODERS[type(event)](event)
            else:
                words.append(word)
        return array("i", words)
    except (KeyError, OverflowError, TypeError, AttributeError):
        _blame(hand.events)


def _blame(events: tuple[Event, ...]) -> NoReturn:
    for number, event in enumerate(events):
        try:
            array("i", _ENCODERS[type(event)](event))
        except (KeyError, OverflowError, TypeError, AttributeError):
            raise IllegalError(
                "this event cannot be replayed: it hides a tile, or a seat or number in it is "
                "out of range",
                event=number,
                value=event,
            ) from None
    raise AssertionError("words that fail together must fail alone")


def _tiles(tiles: tuple[Tile, ...]) -> list[int]:
    return [len(tiles), *[t.code for t in tiles]]


def _start(e: Start) -> list[int]:
    return [_START | e.indicator.code << 4, e.kyoku, e.honba, e.sticks, *e.scores]


def _deal(e: Deal) -> list[int]:
    a, b, c, d = e.hands
    codes = [t.code for hand in e.hands for t in hand]
    return [_DEAL, len(a), len(b), len(c), len(d), *codes]


def _draw(e: Draw) -> list[int]:
    return [_DRAW | e.tile.code << 4 | (_FLAG if e.rinshan else 0) | _SEAT[e.seat]]


def _discard(e: Discard) -> list[int]:
    return [_DISCARD | e.tile.code << 4 | (_FLAG if e.tsumogiri else 0) | _SEAT[e.seat]]


def _call(op: int) -> Callable[[Chi | Pon | Daiminkan], list[int]]:
    def encode_call(e: Chi | Pon | Daiminkan) -> list[int]:
        head = op | e.tile.code << 4 | _SEAT[e.seat] | _TARGET[e.target]
        return [head, *_tiles(e.consumed)]

    return encode_call


def _four(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if len(numbers) != 4:
        raise TypeError("four numbers, one a seat")
    return numbers


def _win(e: Win) -> list[int]:
    words = [_WIN | e.tile.code << 4 | _SEAT[e.seat] | _TARGET[e.target], *_four(e.deltas)]
    words += _tiles(e.ura)
    if e.yaku is None:
        words.append(-1)
    else:
        words.append(len(e.yaku))
        for pair in e.yaku:
            words += pair
    words.append(-1 if e.fu is None else e.fu)
    words.append(-1 if e.points is None else e.points)
    words.append(-1 if e.pao is None else e.pao)
    return words


def _abort(e: AbortiveDraw) -> list[int]:
    return [_ABORT, _REASONS[e.reason], -1 if e.seat is None else e.seat]


def _exhaustive(e: ExhaustiveDraw) -> list[int]:
    if e.tenpai is None:
        tenpai = -1
    else:
        tenpai = sum(1 << s for s, ready in enumerate(_four(e.tenpai)) if ready)
    nagashi = 0
    for seat in e.nagashi:
        nagashi |= 1 << (_SEAT[seat] >> 12)
    return [_EXHAUSTIVE, *_four(e.deltas), tenpai, nagashi]


_ENCODERS: Final[dict[type, Callable[[Any], list[int]]]] = {
    Start: _start,
    Deal: _deal,
    Draw: _draw,
    Discard: _discard,
    Riichi: lambda e: [_RIICHI | _SEAT[e.seat]],
    RiichiAccepted: lambda e: [_ACCEPTED | _SEAT[e.seat]],
    Chi: _call(_CHI),
    Pon: _call(_PON),
    Daiminkan: _call(_DAIMINKAN),
    Ankan: lambda e: [_ANKAN | _SEAT[e.seat], *_tiles(e.tiles)],
    Kakan: lambda e: [_KAKAN | e.tile.code << 4 | _SEAT[e.seat]],
    DoraReveal: lambda e: [_DORA | e.indicator.code << 4],
    Win: _win,
    AbortiveDraw: _abort,
    ExhaustiveDraw: _exhaustive,
}

_ENDS: Final[dict[int, EndKind]] = {_WIN: "win", _ABORT: "abort", _EXHAUSTIVE: "exhaustive"}


def rule_numbers(rules: Ruleset) -> tuple[int, ...]:
    """The rules of a hand in the order that the core takes them."""
    return (
        rules.red_fives,
        rules.kuitan,
        rules.multiple_yakuman,
        rules.double_yakuman,
        rules.kiriage,
        rules.wind_pair_fu,
        rules.triple_ron,
        rules.immediate_kan_dora,
        rules.pao_whole,
        rules.rob_ankan,
    )


def replay(hand: Hand, rules: Ruleset, truth: bool = False) -> tuple[HandEnd, Any, Any]:
    """Check a whole hand; how it ended, and with ``truth`` the hidden columns.

    The second and third values are the columns (as ``game.truth`` names them) of the
    discards and of the added kans, None where there are none. Raises IllegalError,
    MismatchError or TruncatedError with the event's number in the hand.
    """
    words = encode(hand)
    fault, event, detail, end, discards, kakans = _core.replay(words, rule_numbers(rules), truth)
    if fault:
        raise fault_of(fault, event, detail, hand)
    kind, renchan, scores, sticks, kyoku, honba = end
    return HandEnd(_ENDS[kind], renchan, scores, sticks, kyoku, honba), discards, kakans


_NAMES: Final[list[str]] = _core.replay_faults()

# Placeholders in the sentences: {a} a number, {a:t} a tile code, {a:y} a yaku.
_ILLEGAL: Final[dict[str, str]] = {
    "BadWord": "the words of the hand are damaged",
    "BadNumber": "a number is outside {b} to {c}",
    "NoStart": "the hand does not begin with Start",
    "NoDeal": "Start is not followed by Deal",
    "DealSize": "seat {a} is dealt {b} tiles, not 13",
    "TooManyCopies": "{a:t} appears, of which all copies are already out",
    "RedTwice": "{a:t} appears a second time: there is one red five a suit",
    "RedForbidden": "{a:t} appears, but the rules have no red fives",
    "AfterEnd": "something happens after the hand has ended",
    "OutOfTurn": "seat {a} acts, but it is the turn of seat {b}",
    "WallEmpty": "a tile is drawn, but the wall is empty",
    "MustAct": "seat {a} has yet to discard",
    "NotYourAct": "seat {a} acts without having drawn or called",
    "RinshanMissing": "seat {a} draws from the wall after its kan, not from the dead wall",
    "RinshanWrong": "seat {a} draws from the dead wall without a kan",
    "DoraMissing": "{a} new dora indicator(s) should have been shown before this",
    "DoraUnexpected": "the indicator {a:t} is shown, but no kan asks for one",
    "NotHeld": "seat {a} uses {b:t}, which it does not hold",
    "NotDrawn": "seat {a} discards {b:t} as the tile just drawn, which is {c:t}",
    "TsumogiriAfterCall": "seat {a} discards {b:t} as just drawn after a call",
    "Tsumogiri": "seat {a} discards its only {b:t}, just drawn, as if from the hand",
    "RiichiMustTsumogiri": "seat {a} is in riichi and discards {b:t} from its hand",
    "Kuikae": "seat {a} discards {b:t}, which it may not after that call (swap-calling)",
    "KuikaeOnly": "seat {a} calls {b:t} and could then discard nothing (swap-calling)",
    "RiichiTwice": "seat {a} declares riichi twice",
    "RiichiOpen": "seat {a} declares riichi with an open hand",
    "RiichiPoor": "seat {a} declares riichi with {b} points",
    "RiichiLate": "seat {a} declares riichi with {b} tiles left in the wall",
    "RiichiNoten": "seat {a} declares riichi but is not tenpai after discarding {b:t}",
    "RiichiNoDraw": "seat {a} declares riichi without having drawn",
    "RiichiDiscard": "seat {a} has declared riichi and must discard",
    "AcceptMissing": "the riichi deposit of seat {a} is missing",
    "AcceptUnexpected": "the riichi deposit of seat {a} does not belong here",
    "NothingToCall": "seat {a} calls, but there is no discard to call",
    "CallWrongTarget": "seat {a} takes a tile of seat {b}, but seat {c} discarded last",
    "CallWrongTile": "seat {a} calls {b:t}, but the last discard is {c:t}",
    "CallOwn": "seat {a} calls its own discard",
    "ChiNotLeft": "seat {a} calls chi from seat {b}, who does not sit to its left",
    "CallInRiichi": "seat {a} calls while in riichi",
    "CallLastTile": "seat {a} calls the last discard",
    "CallShape": "seat {a} calls with {b:t} tiles that make no such set",
    "KanAfterCall": "seat {a} makes a kan of its own without having drawn",
    "KanLastTile": "a kan is made with no tile left to draw",
    "KanFifth": "a fifth kan is made",
    "KanInRiichi": "seat {a} makes a kan of {b:t} in riichi that its riichi does not allow",
    "KakanNoPon": "seat {a} adds {b:t}, but has no pon of it",
    "AbortDue": "the hand should have been aborted before this",
    "WinNothing": "seat {a} wins, but there is no tile to win on",
    "WinWrongTile": "seat {a} wins on {b:t}, but the tile is {c:t}",
    "WinTwice": "seat {a} wins twice",
    "WinOrder": "the win of seat {a} stands after that of seat {b}: not in turn order",
    "WinIncomplete": "seat {a} wins on {b:t}, which does not complete its hand",
    "WinFuriten": "seat {a} wins on {b:t} while furiten",
    "WinNoYaku": "seat {a} wins on {b:t} without a yaku",
    "WinTriple": "seat {a} is a third winner, which the rules abort",
    "UraWithoutRiichi": "seat {a} shows ura indicators without riichi",
    "NineNotFirst": "nine terminals may not be declared here",
    "NineTooFew": "nine terminals are declared by seat {a} with {b} kinds",
    "NotFourWinds": "four winds are declared, but the first four discards are not one wind",
    "NotFourRiichi": "four riichi are declared, but not all four are in riichi",
    "NotFourKans": "four kans are declared, but there are not four by two or more players",
    "NotTripleRon": "triple ron is declared, but not all three others could win",
    "WallNotEmpty": "the hand ends in a draw with {a} tiles left in the wall",
}
_MISMATCH: Final[dict[str, tuple[str, str]]] = {
    # what the rules give, and which detail the record has instead
    "UraCount": ("seat {a} should show {b} ura indicators", "c"),
    "UraDiffer": ("the winners' ura indicators differ: {b:t} was shown before", "c:t"),
    "YakuDiffer": ("{a:y} should count {b} han", "c"),
    "FuDiffer": ("the hand of seat {a} has {b} fu", "c"),
    "PointsDiffer": ("the hand of seat {a} is worth {b} points", "c"),
    "PaoDiffer": ("liable for the hand of seat {a} is {b:who}", "c"),
    "DeltaDiffer": ("the score of seat {a} should change by {b}", "c"),
    "TenpaiDiffer": ("seat {a} is {b:tenpai}", ""),
    "NagashiDiffer": ("seat {a} {b:nagashi} nagashi mangan", ""),
}


class _Detail(int):
    """A number that a sentence formats as a tile, a yaku or itself."""

    def __format__(self, spec: str) -> str:
        if spec == "t":
            return code_name(self) if 0 <= self <= 36 else f"tile code {int(self)}"
        if spec == "y":
            return YAKU[self].name
        if spec == "who":
            return "nobody" if self < 0 else f"seat {int(self)}"
        if spec == "tenpai":
            return "tenpai, which the record denies" if self else "noten, which the record denies"
        if spec == "nagashi":
            return "made" if self else "did not make"
        return str(int(self))


def fault_of(fault: int, event: int, detail: tuple[int, int, int], hand: Hand) -> RecordError:
    """The error of a fault that the core found in a hand."""
    return _error(_NAMES[fault], event, detail, hand.events)


def _error(
    name: str, event: int, detail: tuple[int, int, int], events: tuple[Event, ...]
) -> RecordError:
    a, b, c = (_Detail(x) for x in detail)
    if name == "NoEnding":
        return TruncatedError("the hand stops without a win or a draw", event=event)
    if name in _MISMATCH:
        sentence, found = _MISMATCH[name]
        value: object = None
        if found:
            value = f"{c:t}" if found.endswith(":t") else int(c)
        return MismatchError(sentence.format(a=a, b=b, c=c), event=event, value=value)
    value = events[event] if event < len(events) else None
    return IllegalError(_ILLEGAL[name].format(a=a, b=b, c=c), event=event, value=value)

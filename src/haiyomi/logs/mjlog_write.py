"""Game to mjlog. Copy numbers are the record's own where the hand has them, else made up."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import (
    AbortiveDraw,
    Absence,
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
    Kakan,
    Pon,
    Riichi,
    RiichiAccepted,
    Start,
    Win,
)
from haiyomi.kernels.yaku import YAKU
from haiyomi.logs.dora_order import named_tiles
from haiyomi.logs.endings import limit_class, result_points
from haiyomi.logs.meld_codes import MeldCode, encode
from haiyomi.logs.mjlog_read import ABORTIVE, FAST, NO_DICE, NO_KUITAN, NO_RED, SOUTH
from haiyomi.logs.tile_ids import TileIds
from haiyomi.rules import DEPOSIT, Ruleset
from haiyomi.tiles import Seat, Tile, TileId

_TYPES = {reason: kind for kind, reason in ABORTIVE.items()}


def write_mjlog(game: Game) -> str:
    """The XML text of a game, with the ``mjloggm`` element. Raises RecordError."""
    return "".join(_tags(game))


def _tags(game: Game) -> Iterator[str]:
    header, extra = game.header, dict(game.header.extra)
    yield '<mjloggm ver="2.3">'
    lobby = f' lobby="{_plain(extra["lobby"])}"' if "lobby" in extra else ""
    yield f'<GO type="{_go_type(header.rules, extra)}"{lobby}/>'
    named = "".join(f' n{s}="{quote(n, safe="")}"' for s, n in enumerate(header.names))
    attributes = "".join(
        f' {key}="{_plain(extra[key])}"'
        for key in ("dan", "rate", "sx")
        if key in extra and "[" not in extra[key]  # Tenhou's JSON has names of dan instead
    )
    yield f"<UN{named}{attributes}/>"
    yield '<TAIKYOKU oya="0"/>'
    dice = extra.get("dice", "").split(";")
    absences = list(game.absences)
    for number, hand in enumerate(game.hands):
        rolled = dice[number] if number < len(dice) and dice[number] else NO_DICE
        writer = _HandWriter(hand, header.rules, _plain(rolled), number)
        breaks = [(a.event, _absence(a, header.names)) for a in absences if a.hand == number]
        owari = header.final if number == len(game.hands) - 1 else None
        for i, tag in enumerate(writer.tags(owari, header.rules)):
            while breaks and breaks[0][0] <= i:
                yield breaks.pop(0)[1]
            yield tag
        yield from (tag for _, tag in breaks)
    yield from (_absence(a, header.names) for a in absences if a.hand >= len(game.hands))
    yield "</mjloggm>"


def _absence(absence: Absence, names: tuple[str, ...]) -> str:
    if not absence.back:
        return f'<BYE who="{absence.seat}"/>'
    name = quote(names[absence.seat], safe="") or "%20"
    return f'<UN n{absence.seat}="{name}"/>'


def _plain(text: str) -> str:
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text


def _go_type(rules: Ruleset, extra: dict[str, str]) -> int:
    """Rule bits from the rules, the table's level from what the record states."""
    game_type = extra.get("type", "1")
    level = int(game_type) & 0xA1 if game_type.isdecimal() and len(game_type) < 6 else 1
    bits = SOUTH * (rules.rounds != 1) | NO_RED * (not rules.red_fives)
    return level | bits | NO_KUITAN * (not rules.kuitan) | FAST * rules.fast


class _HandWriter:
    """The tags of one hand, one for each event but the deal, which shares the start's tag."""

    def __init__(self, hand: Hand, rules: Ruleset, dice: str, number: int) -> None:
        self.hand = hand
        self.dice = dice
        self.number = number
        self.at = 0
        self.scores: FourScores = hand.start.scores
        self.sticks = hand.start.sticks
        self.ids = TileIds(rules.red_fives)
        wanted = sum(named_tiles(e) for e in hand.events)
        copies = hand.copies
        self.copies = copies if copies is not None and len(copies) == wanted else None
        self.own: list[set[TileId]] = [set(), set(), set(), set()]
        self.melds: list[list[int]] = [[], [], [], []]
        self.pons: dict[tuple[Seat, int], tuple[int, TileId, list[TileId]]] = {}
        self.indicators: list[TileId] = []
        self.shown: list[TileId] = []  # ura indicators, alike for all winners
        self.drawn: TileId | None = None
        self.river: TileId | None = None
        self.wins = 0

    def tags(self, owari: FourScores | None, rules: Ruleset) -> Iterator[str]:
        """A text for each event (empty for the deal)."""
        last = len(self.hand.events) - 1
        used = 0
        for i, event in enumerate(self.hand.events):
            self.at = i
            n = named_tiles(event)
            try:
                ids = (
                    self.chosen(event)
                    if self.copies is None
                    else list(self.copies[used : used + n])
                )
                tag = self.tag(event, ids)
            except RecordError as error:
                error.hand, error.event = self.number, i
                raise
            except (HaiyomiError, ValueError, KeyError) as error:
                raise RecordError(f"has no place in mjlog: {error}", None, self.number, i) from None
            used += n
            if i == last and owari is not None and tag.endswith("/>"):
                tag = f'{tag[:-2]} owari="{_owari(owari, rules)}"/>'
            yield tag

    def chosen(self, event: Event) -> list[TileId]:
        """Ids for the tiles that an event names, where the record has none."""
        ids = self.ids
        match event:
            case Start(indicator=tile) | DoraReveal(tile):
                return [ids.leave_wall(tile)]
            case Deal(hands):
                return [ids.deal(Seat(s), t) for s, own in enumerate(hands) for t in own]
            case Draw(seat, tile):
                return [ids.deal(seat, tile)]
            case Discard(seat, tile, tsumogiri):
                return [ids.give(seat, tile, self.drawn, tsumogiri)]
            case Chi(seat, consumed=own) | Pon(seat, consumed=own) | Daiminkan(seat, consumed=own):
                if self.river is None:
                    raise ValueError("a call without a discard")
                return [self.river, *ids.use(seat, own)]
            case Ankan(seat, tiles):
                return ids.use(seat, tiles)
            case Kakan(seat, tile):
                return ids.use(seat, (tile,))
            case Win(ura=ura):
                return [self.winning_id(event), *self.ura_ids(ura)]
        return []

    def winning_id(self, win: Win) -> TileId:
        won = self.drawn if win.tsumo else self.river
        if won is None:
            raise ValueError("a win without a tile to win on")
        return won

    def ura_ids(self, ura: tuple[Tile, ...]) -> list[TileId]:
        for tile in ura[len(self.shown) :]:
            self.shown.append(self.ids.leave_wall(tile))
        return self.shown[: len(ura)]

    def tag(self, event: Event, ids: list[TileId]) -> str:
        match event:
            case Start():
                self.indicators.append(ids[0])
                return ""
            case Deal():
                return self.init(ids)
            case Draw(seat):
                self.own[seat].add(ids[0])
                self.drawn = ids[0]
                return f"<{'TUVW'[seat]}{ids[0]}/>"
            case Discard(seat):
                self.own[seat].discard(ids[0])
                self.river, self.drawn = ids[0], None
                return f"<{'DEFG'[seat]}{ids[0]}/>"
            case Riichi(seat):
                return f'<REACH who="{seat}" step="1"/>'
            case RiichiAccepted(seat):
                a, b, c, d = (x - DEPOSIT * (s == seat) for s, x in enumerate(self.scores))
                self.scores = a, b, c, d
                self.sticks += 1
                return f'<REACH who="{seat}" ten="{_hundreds(self.scores)}" step="2"/>'
            case DoraReveal():
                self.indicators.append(ids[0])
                return f'<DORA hai="{ids[0]}"/>'
            case Chi() | Pon() | Daiminkan() | Ankan() | Kakan():
                code = self.meld(event, ids)
                if not isinstance(event, Kakan):  # that one replaced its pon
                    self.melds[event.seat].append(code)
                self.own[event.seat].difference_update(ids)
                self.drawn = None
                return f'<N who="{event.seat}" m="{code}"/>'
            case Win():
                return self.agari(event, ids)
            case AbortiveDraw() | ExhaustiveDraw():
                return self.ryuukyoku(event)
        raise RecordError("a view of one seat only is not a record")

    def init(self, ids: list[TileId]) -> str:
        start = self.hand.start
        hands = [ids[13 * s : 13 * s + 13] for s in range(4)]
        self.own = [set(h) for h in hands]
        deal = " ".join(f'hai{s}="{_list(h)}"' for s, h in enumerate(hands))
        return (
            f'<INIT seed="{start.kyoku},{start.honba},{start.sticks},{self.dice},'
            f'{self.indicators[0]}" ten="{_hundreds(start.scores)}" oya="{start.dealer}" {deal}/>'
        )

    def meld(self, event: Chi | Pon | Daiminkan | Ankan | Kakan, ids: list[TileId]) -> int:
        first, rest = ids[0], tuple(sorted(ids[1:]))
        if isinstance(event, Ankan):
            self.river = ids[-1]  # thirteen orphans may win on it
            lowest = min(ids)
            others = tuple(t for t in sorted(ids) if t != lowest)
            return encode(MeldCode("ankan", 0, lowest, others))
        if isinstance(event, Kakan):
            giver, called, three = self.pons[event.seat, event.tile.kind]
            self.river = first
            pon_code = MeldCode("kakan", giver, first, tuple(sorted(three)))
            before = encode(MeldCode("pon", giver, called, tuple(t for t in three if t != called)))
            added = encode(pon_code, called)
            melds = self.melds[event.seat]
            melds[melds.index(before)] = added
            return added
        giver = (event.target - event.seat) % 4
        if isinstance(event, Chi):
            return encode(MeldCode("chi", giver, first, rest))
        if isinstance(event, Pon):
            self.pons[event.seat, event.tile.kind] = giver, first, ids
            return encode(MeldCode("pon", giver, first, rest))
        return encode(MeldCode("daiminkan", giver, first, rest))

    def agari(self, win: Win, ids: list[TileId]) -> str:
        hand = sorted({*self.own[win.seat], ids[0]})
        melds = self.melds[win.seat]
        sticks = 0 if self.wins else self.sticks
        tag = f'<AGARI ba="{self.hand.start.honba},{sticks}" hai="{_list(hand)}"'
        if melds:
            tag += f' m="{",".join(map(str, reversed(melds)))}"'
        tag += f' machi="{ids[0]}"'
        if win.points is not None:
            tag += f' ten="{win.fu or 0},{win.points},{limit_class(win, self.hand.start.dealer)}"'
        if win.yaku is not None:
            yakuman = [y for y, _ in win.yaku if YAKU[y].yakuman]
            if yakuman:
                tag += f' yakuman="{_list(yakuman)}"'
            else:
                tag += f' yaku="{_list([n for pair in win.yaku for n in pair])}"'
        tag += f' doraHai="{_list(self.indicators)}"'
        if len(ids) > 1:
            tag += f' doraHaiUra="{_list(ids[1:])}"'
        tag += f' who="{win.seat}" fromWho="{win.target}"'
        if win.pao is not None:
            tag += f' paoWho="{win.pao}"'
        self.wins += 1
        return f'{tag} sc="{self.paid(win.deltas)}"/>'

    def ryuukyoku(self, draw: AbortiveDraw | ExhaustiveDraw) -> str:
        kind = ""
        shown: list[int] = []
        deltas: FourScores = (0, 0, 0, 0)
        if isinstance(draw, AbortiveDraw):
            kind = f' type="{_TYPES[draw.reason]}"'
            if draw.reason == "four-riichi":
                shown = [0, 1, 2, 3]
            elif draw.seat is not None:
                shown = [draw.seat]
        else:
            deltas = draw.deltas
            kind = ' type="nm"' if draw.nagashi else ""
            shown = [s for s in range(4) if draw.tenpai is not None and draw.tenpai[s]]
        hands = "".join(f' hai{s}="{_list(sorted(self.own[s]))}"' for s in shown)
        start = self.hand.start
        return (
            f'<RYUUKYOKU{kind} ba="{start.honba},{self.sticks}" sc="{self.paid(deltas)}"{hands}/>'
        )

    def paid(self, deltas: FourScores) -> str:
        text = ",".join(
            f"{_hundred(x)},{_hundred(p)}" for x, p in zip(self.scores, deltas, strict=True)
        )
        a, b, c, d = (x + p for x, p in zip(self.scores, deltas, strict=True))
        self.scores = a, b, c, d
        return text


def _list(values: list[TileId] | list[int]) -> str:
    return ",".join(map(str, values))


def _hundred(points: int) -> int:
    if points % 100:
        raise RecordError(
            "points that are no whole hundreds, which mjlog cannot tell", value=points
        )
    return points // 100


def _hundreds(scores: FourScores) -> str:
    return ",".join(str(_hundred(s)) for s in scores)


def _owari(final: FourScores, rules: Ruleset) -> str:
    results = result_points(final, rules)
    return ",".join(f"{_hundred(x)},{r:.1f}" for x, r in zip(final, results, strict=True))

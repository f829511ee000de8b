"""One game becomes rows of five tables: decisions, opponents, riichi, facing, deal-ins.

=============  ===========================================================================
decisions      one row a discard: who, what, from which hand, forced or not
opponents      one row a discard and opponent: what the decider sees of that opponent
               (``dealin.features``) and, as labels, what that opponent held
riichi         one row a riichi, at its declaration: conditions (30) and the waits held
facing         one row a riichi and viewer, at every third of that viewer's discards from
               the riichi on: which waits are possible yet, conditions, the waits held
dealins        one row a ron on a discard: what it was worth and s of (23)
=============  ===========================================================================

Keys: ``game`` (entry name without extension), ``hand`` (0-based in the record), ``decision``
(0-based discard of the hand over all seats, forced ones counted), ``seat`` and ``opponent``
absolute. Labels come from ``game.truth``; features only from the decider's Position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

import numpy as np

from haiyomi.dealin.features import FEATURE_NAMES, meld_suits, melds_for_fit, tenpai_features
from haiyomi.dealin.riichi import conditions, wait_margins
from haiyomi.dealin.waits import SHAPE_SLICES, WAITS, live_suji
from haiyomi.events import Game, Hand
from haiyomi.game.bonus_han import bonus_han
from haiyomi.game.labelled import LabelledDiscard, labelled
from haiyomi.game.player_view import PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.kernels.tenpai_hands import wait_forms
from haiyomi.tiles import Seat, kind_of_code

Columns = dict[str, list[Any]]
KEYS = ("game", "hand", "decision", "seat")
DECISION_COLUMNS = (
    *KEYS, "event", "tile", "tsumogiri", "forced", "threat", "draws_left", "ronned", "concealed",
    "reds",
)  # fmt: skip
OPPONENT_COLUMNS = (
    *KEYS, "opponent", "forced", "threat", "riichi", "open_melds", "melds", "discards",
    "meld_suits", "live_suji", *FEATURE_NAMES, "tenpai", "colours", "two_sided", "furiten",
    "waits", "ron", "han", "fu", "points", "ronned",
)  # fmt: skip
RIICHI_COLUMNS = (*KEYS, "conditions", "waits")
FACING_COLUMNS = (*KEYS, "opponent", "margins", "conditions", "waits")
DEALIN_COLUMNS = (
    *KEYS, "opponent", "tile", "riichi", "open_melds", "dealer", "honba", "han", "fu", "points",
    "shift", "bonus",
)  # fmt: skip
TABLES: dict[str, tuple[str, ...]] = {
    "decisions": DECISION_COLUMNS,
    "opponents": OPPONENT_COLUMNS,
    "riichi": RIICHI_COLUMNS,
    "facing": FACING_COLUMNS,
    "dealins": DEALIN_COLUMNS,
}


def empty_tables() -> dict[str, Columns]:
    """The tables without rows."""
    return {name: {column: [] for column in columns} for name, columns in TABLES.items()}


def suits_held(concealed: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """(...) bits m p s of the suits that hands hold; ``concealed`` (..., 34) counts."""
    suits = concealed[..., :27].reshape(*concealed.shape[:-1], 3, 9).any(axis=-1)
    out: np.ndarray[Any, Any] = suits @ np.array([1, 2, 4])
    return out


def colour_bits(concealed_suits: int, suits_shown: int) -> int:
    """Which colour classes (events c of (1)-(2)) a hand is of: bits m p s, or bit 3, several.

    ``concealed_suits`` as ``suits_held`` gives it, ``suits_shown`` as ``meld_suits``. Honours
    alone are 7.
    """
    suits = suits_shown | concealed_suits
    if suits == 0:
        return 7
    return suits if suits in (1, 2, 4) else 8


def wait_bits(concealed: np.ndarray[Any, Any], win: int = -1) -> np.ndarray[Any, Any]:
    """(113,) which waits of the paper a concealed hand contains, or with ``win`` those which
    that kind completes."""
    out: np.ndarray[Any, Any] = wait_forms(concealed[None], win)[0]
    return out


def deal_in_shift(position: Position, concealed: np.ndarray[Any, Any], tile: int, wind: int) -> int:
    """s of (23): han that the wait and the winning tile bring by themselves.

    Of several waits that the tile completes, the first by two-sided, edge or closed,
    shanpon, single. A red winning tile counts; reds in the hand do not.
    """
    kind = kind_of_code(tile)
    dora = position.dora
    shift = dora[kind] + (tile >= 34)
    held = np.flatnonzero(wait_bits(concealed, kind))
    for m in held:
        wait = WAITS[m]
        if kind not in wait.wins:
            continue  # the shanpon's other pair
        shift += sum(dora[h] for h in wait.held)
        if wait.shape == "shanpon":
            shift += (kind >= 31) + (kind == position.round_wind) + (kind == wind)
        break
    return int(shift)


def add_game(tables: dict[str, Columns], name: str, game: Game) -> None:
    """Append a game's rows. Raises RecordError if the record does not replay."""
    for number, discards in groupby(labelled(game), attrgetter("hand")):
        _HandRows(tables, name, number, game.hands[number]).add(discards)


class _HandRows:
    """Makes the rows of one hand from its labelled discards and appends them."""

    def __init__(self, tables: dict[str, Columns], name: str, number: int, hand: Hand) -> None:
        self.key = (name, number)
        self.hand = hand
        self.tables = tables
        self.decisions: list[tuple[Any, ...]] = []
        self.opponents: list[tuple[Any, ...]] = []
        self.riichi: list[tuple[Any, ...]] = []
        self.facing: list[tuple[Any, ...]] = []
        self.declared: dict[int, tuple[bytes, bytes]] = {}
        self.faced: dict[tuple[int, int], int] = {}
        self.dealins: list[tuple[Any, ...]] = []
        self.two_sided = [False] * 4
        # A call takes a tile away from a river but not from these numbers, so length says all.
        self.rivers: list[tuple[int, list[int]]] = [(-1, [])] * 4

    def add(self, discards: Iterator[LabelledDiscard]) -> None:
        first = next(discards)
        columns = first.labels
        # Plain lists: indexing numpy scalars row by row would cost more than all the rest.
        suits_in = suits_held(columns.concealed).tolist()
        tile, forced = columns.tile.tolist(), columns.forced.tolist()
        waits, ron, furiten = columns.waits.tolist(), columns.ron.tolist(), columns.furiten.tolist()
        tenpai, ronned = columns.tenpai.tolist(), columns.ronned.tolist()
        han, fu, points = columns.han.tolist(), columns.fu.tolist(), columns.points.tolist()
        reds = columns.reds.tolist()
        for _, i, index, event, position, _, after in chain((first,), discards):
            seat = event.seat
            key = (*self.key, i, seat)
            threat = position.threat
            concealed = columns.concealed[i]
            self.decisions.append((
                *key, index, tile[i], event.tsumogiri, forced[i], threat,
                position.draws_left, ronned[i], concealed[seat].tobytes(), reds[i][seat],
            ))  # fmt: skip
            for r in (1, 2, 3):
                opponent = (seat + r) % 4
                player = position.players[r]
                suits = meld_suits(player.melds)
                self.opponents.append((
                    *key, opponent, forced[i], threat, player.riichi, player.open_melds,
                    melds_for_fit(player), len(player.river), suits,
                    live_suji(player.furiten_mask), *self._river(opponent, player.river),
                    tenpai[i][opponent], colour_bits(suits_in[i][opponent], suits),
                    self.two_sided[opponent] and player.riichi, furiten[i][opponent],
                    waits[i][opponent], ron[i][opponent], han[i][opponent], fu[i][opponent],
                    points[i][opponent], bool(ronned[i] >> opponent & 1),
                ))  # fmt: skip
                if player.riichi and not forced[i]:
                    self._facing(key, opponent, player, position)
                if ronned[i] >> opponent & 1:
                    self._deal_in(key, opponent, player, position, columns, i)
            declared = position.players[0]
            if declared.riichi_index == len(declared.river):
                left = concealed[seat].copy()
                left[event.tile.kind] -= 1
                held = wait_bits(left)
                self.two_sided[seat] = bool(held[SHAPE_SLICES["two-sided"]].any())
                river = after.position().players[0].river
                self.declared[seat] = conditions(river).tobytes(), held.tobytes()
                self.riichi.append((*key, *self.declared[seat]))
        for name in ("decisions", "opponents", "riichi", "facing", "dealins"):
            _put(self.tables[name], getattr(self, name))

    def _river(self, seat: int, river: tuple[RiverTile, ...]) -> list[int]:
        """``tenpai_features``, found once for each discard and not by each that looks at it."""
        length, found = self.rivers[seat]
        if length != len(river):
            found = tenpai_features(river)
            self.rivers[seat] = len(river), found
        return found

    def _facing(
        self, key: tuple[Any, ...], opponent: int, player: PlayerView, position: Position
    ) -> None:
        pair = (position.seat, opponent)
        times = self.faced.get(pair, 0)
        self.faced[pair] = times + 1
        if times % 3 == 0:
            margins = wait_margins(player.furiten_mask, position.unseen).astype(np.int8)
            self.facing.append((*key, opponent, margins.tobytes(), *self.declared[opponent]))

    def _deal_in(
        self,
        key: tuple[Any, ...],
        opponent: int,
        player: PlayerView,
        position: Position,
        columns: Any,
        i: int,
    ) -> None:
        wind = position.seat_wind((opponent - position.seat) % 4)
        concealed = columns.concealed[i, opponent]
        self.dealins.append((
            *key, opponent, int(columns.tile[i]), player.riichi, player.open_melds,
            wind == 27, position.honba, int(columns.han[i, opponent]),
            int(columns.fu[i, opponent]), int(columns.points[i, opponent]),
            deal_in_shift(position, concealed, int(columns.tile[i]), wind),
            bonus_han(self.hand, int(columns.event[i]), Seat(opponent)),
        ))  # fmt: skip


def _put(columns: Columns, rows: list[tuple[Any, ...]]) -> None:
    """Append rows to a table's columns."""
    for column, values in zip(columns.values(), zip(*rows, strict=True), strict=False):
        column.extend(values)


_WIDE = {"decision": "int16", "hand": "int16", "event": "int16", "honba": "int16"}
_OTHER = {
    "game": "string",
    "waits": "uint64",
    "ron": "uint64",
    "points": "int32",
    "concealed": "binary",
    "conditions": "binary",
}
_FLAGS = {
    "tsumogiri", "forced", "threat", "riichi", "tenpai", "two_sided", "furiten", "dealer",
}  # fmt: skip


def arrow_schema(table: str) -> Any:
    """The pyarrow schema of a table."""
    import pyarrow as pa

    fields = []
    for column in TABLES[table]:
        if column == "margins" or (column == "waits" and table in ("riichi", "facing")):
            kind = pa.binary(113)
        elif column == "concealed":
            kind = pa.binary(34)
        elif column == "conditions":
            kind = pa.binary(57)
        elif column == "ronned":
            kind = pa.bool_() if table == "opponents" else pa.int8()
        elif column in _FLAGS:
            kind = pa.bool_()
        else:
            name = _WIDE.get(column) or _OTHER.get(column) or "int8"
            kind = getattr(pa, name)()
        fields.append(pa.field(column, kind, nullable=False))
    return pa.schema(fields)


def arrow_table(table: str, rows: Columns) -> Any:
    """The pyarrow Table of collected rows."""
    import pyarrow as pa

    schema = arrow_schema(table)
    arrays = []
    for field in schema:
        values: Any = rows[field.name]
        if pa.types.is_integer(field.type) or pa.types.is_boolean(field.type):
            # By way of numpy: far faster than Arrow's walk over Python objects.
            values = np.array(values, dtype=str(field.type))
        arrays.append(pa.array(values, type=field.type))
    return pa.Table.from_arrays(arrays, schema=schema)

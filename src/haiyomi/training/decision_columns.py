"""The columns of the decision data set: what each means, and how it is made of the core's records.

One list defines the files, their types and field ids, the page of the manual and the data card. A
column's number is its field id in Parquet: it stays when columns are added or reordered, and the
number of a column that is removed is not used again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions

Known: TypeAlias = Literal["key", "seen", "hidden", "after"]
KNOWN: Final[dict[Known, str]] = {
    "key": "says which decision the row is",
    "seen": "what the seat sees: a feature",
    "hidden": "what the seat cannot see: a label, never a feature",
    "after": "what becomes known after the decision: a label, never a feature",
}
Values: TypeAlias = NDArray[Any]
Source: TypeAlias = Callable[[Decisions, Labels], Values]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``type`` is a NumPy type; ``width`` of a list of fixed length, 0 for a number.

    ``source`` makes (n,) or (n, width) values of records and labels. It is None for ``game``, a
    text, which comes from the games' names.
    """

    field_id: int
    name: str
    known: Known
    type: str
    width: int
    range: str
    meaning: str
    source: Source | None


def _record(*path: str) -> Source:
    return lambda records, _: _field(records, path)


def _label(*path: str) -> Source:
    return lambda _, labels: _field(labels, path)


def _field(values: Values, path: Sequence[str]) -> Values:
    for name in path:
        values = values[name]
    return values


def _tenpai(_: Decisions, labels: Labels) -> Values:
    out: Values = labels["opponents"]["waits"] != 0
    return out


def _players(name: str) -> Source:
    return _record("observation", "players", name)


KINDS: Final = "bit of each kind, 0 to 33"
SEATS: Final = "bit of each relative seat"
COLUMNS: Final = (
    Column(1, "game", "key", "str", 0, "",
           "the record's name without extension",
           None),
    Column(2, "hand", "key", "u2", 0, "from 0",
           "index of the hand in the game",
           _label("hand")),
    Column(3, "event", "key", "u2", 0, "from 0",
           "index in the hand of the event before the decision",
           _label("event")),
    Column(4, "discards", "key", "u2", 0, "from 0",
           "discards of all seats in the hand before it",
           _label("discards")),
    Column(5, "seat", "key", "u1", 0, "0 to 3",
           "who decides; absolute, 0 the first dealer",
           _label("seat")),
    Column(10, "kyoku", "seen", "u1", 0, "0 to 15",
           "East 1 is 0, South 1 is 4",
           _record("observation", "kyoku")),
    Column(11, "honba", "seen", "u1", 0, "0 to 255",
           "honba on the table",
           _record("observation", "honba")),
    Column(12, "sticks", "seen", "u1", 0, "0 to 255",
           "riichi deposits on the table",
           _record("observation", "sticks")),
    Column(13, "dealer", "seen", "u1", 0, "0 to 3",
           "the dealer, relative",
           _record("observation", "dealer")),
    Column(14, "draws_left", "seen", "u1", 0, "0 to 70",
           "draws left in the wall",
           _record("observation", "draws_left")),
    Column(15, "rounds", "seen", "u1", 0, "1, 2, 4",
           "1 an East-only game, 2 a hanchan, 4 a full game; 0 unknown",
           _record("observation", "rounds")),
    Column(16, "indicators", "seen", "u1", 5, "kind or 255",
           "dora indicators, 255 after the last",
           _record("observation", "indicators")),
    Column(17, "unseen", "seen", "u1", 34, "0 to 4",
           "copies of each kind that the seat does not see",
           _record("observation", "unseen")),
    Column(18, "reds_seen", "seen", "u1", 0, "bits of m, p, s",
           "red fives that the seat sees",
           _record("observation", "reds_seen")),
    Column(19, "scores", "seen", "i4", 4, "points",
           "scores of the relative seats",
           _players("score")),
    Column(20, "concealed", "seen", "u1", 34, "0 to 4",
           "the seat's concealed tiles by kind, the drawn one included",
           _record("hand")),
    Column(21, "reds", "seen", "u1", 0, "bits of m, p, s",
           "the seat's concealed red fives",
           _record("reds")),
    Column(22, "drawn", "seen", "u1", 0, "kind or 255",
           "the tile just drawn; 255 after a call and on another's tile",
           _record("drawn")),
    Column(23, "offered", "seen", "u1", 0, "kind or 255",
           "another's tile that may be taken; 255 in the own turn",
           _record("offered")),
    Column(24, "offered_by", "seen", "u1", 0, "1 to 3 or 255",
           "the relative seat it comes from",
           _record("from")),
    Column(25, "own_waits", "seen", "u8", 0, KINDS,
           "kinds that complete the hand without the drawn tile",
           _record("waits")),
    Column(26, "legal", "seen", "u2", 0, "bits",
           "the acts that the rules allow: 0 riichi, 1 win by own draw, 2 nine terminals, 3 "
           "to 5 chi (taken tile lowest, middle, highest), 6 pon, 7 open kan, 8 ron",
           _record("legal")),
    Column(27, "legal_discards", "seen", "u8", 0, KINDS,
           "kinds that may be discarded",
           _record("discards")),
    Column(28, "legal_kans", "seen", "u8", 0, KINDS,
           "kinds of closed and added kans that are allowed",
           _record("kans")),
    Column(30, "river_kinds", "seen", "u1", 112, "kind or 255",
           "4 x 28: discards of the relative seats in order, 255 after the last",
           _players("kind")),
    Column(31, "river_flags", "seen", "u1", 112, "bits",
           "4 x 28: 1 drawn just before, 2 declared riichi, 4 taken by a call, 8 made while "
           "another's riichi stood, 16 a red five",
           _players("flags")),
    Column(32, "river_order", "seen", "u1", 112, "0 to 254",
           "4 x 28: discards of all seats before it",
           _players("order")),
    Column(33, "melds", "seen", "u1", 96, "",
           "4 x 4 x 6: of the relative seats up to four melds: 0 chi, 1 pon, 2 open kan, 3 "
           "added kan, 4 closed kan, 255 none; lowest kind; kind called or 255; discards of "
           "all seats before it; relative seat called from or 255; red fives",
           _players("melds")),
    Column(34, "riichi", "seen", "i1", 4, "-1 to 27",
           "index of the riichi in the rivers of the relative seats; -1 without",
           _players("riichi")),
    Column(35, "passed", "seen", "u8", 4, KINDS,
           "kinds that the relative seats let pass since their last discards",
           _players("passed")),
    Column(36, "ippatsu", "seen", "u1", 0, SEATS,
           "a win now is within one turn of an unbroken riichi",
           _record("observation", "ippatsu")),
    Column(50, "choice_discard", "after", "u1", 0, "kind or 255",
           "the kind discarded; 255 where none was",
           _label("choice", "discard")),
    Column(51, "choice_kan", "after", "u1", 0, "kind, 254 or 255",
           "the kind of a closed or added kan; 255 none, 254 another choice left it open",
           _label("choice", "kan")),
    Column(52, "choice_decided", "after", "u2", 0, "bits as legal",
           "the acts whose choice is known: the mask of a loss",
           _label("choice", "decided")),
    Column(53, "choice_acts", "after", "u2", 0, "bits as legal",
           "the acts taken",
           _label("choice", "chosen")),
    Column(54, "choice_red", "after", "u1", 0, "0 to 36 or 255",
           "the tile discarded: a kind, or 34, 35, 36 for a red five of m, p, s",
           _label("code")),
    Column(55, "ronned", "after", "u1", 0, SEATS,
           "who won on the tile discarded",
           _label("ronned")),
    Column(60, "tenpai", "hidden", "?", 3, "",
           "of the relative seats 1, 2, 3: one tile from a complete hand",
           _tenpai),
    Column(61, "waits", "hidden", "u8", 3, KINDS,
           "kinds that complete their hands",
           _label("opponents", "waits")),
    Column(62, "ron", "hidden", "u8", 3, KINDS,
           "kinds on which they could win by ron now: a wait, a yaku, not furiten",
           _label("opponents", "ron")),
    Column(63, "furiten", "hidden", "u1", 3, "0 or 1",
           "their waits hold a kind that they may not win on by ron",
           _label("opponents", "furiten")),
    Column(64, "han", "hidden", "u1", 3, "0 to 13",
           "han of a ron on the tile discarded; 13 a limit hand, 0 none possible",
           _label("opponents", "han")),
    Column(65, "fu", "hidden", "u1", 3, "0 to 110",
           "its fu; 0 of a limit hand",
           _label("opponents", "fu")),
    Column(66, "points", "hidden", "i4", 3, "points",
           "what it would pay, without honba and deposits",
           _label("opponents", "points")),
    Column(67, "hands", "hidden", "u1", 102, "0 to 4",
           "3 x 34: concealed tiles of the relative seats 1, 2, 3 by kind",
           _label("opponents", "concealed")),
    Column(68, "hands_reds", "hidden", "u1", 3, "bits of m, p, s",
           "their concealed red fives",
           _label("opponents", "reds")),
    Column(69, "away", "hidden", "u1", 0, SEATS,
           "which seats are disconnected",
           _label("away")),
    Column(80, "ending", "after", "u1", 0, "0 to 8",
           "how the hand ends for the seat: 0 wins by own draw, 1 wins by ron, 2 deals in, 3"
           " another wins by own draw, 4 another is ronned, 5 exhaustive draw in tenpai, 6 "
           "exhaustive draw noten, 7 nagashi mangan, 8 abortive draw",
           _label("ending")),
    Column(81, "winners", "after", "u1", 0, SEATS,
           "who won, or made nagashi mangan",
           _label("winners")),
    Column(82, "dealt_in", "after", "u1", 0, "0 to 3 or 255",
           "the relative seat that dealt in",
           _label("from")),
    Column(83, "tenpai_at_end", "after", "u1", 0, SEATS,
           "who was tenpai at an exhaustive draw",
           _label("tenpai")),
    Column(84, "later_deposits", "after", "u1", 0, SEATS,
           "who paid a riichi deposit after the decision",
           _label("deposits")),
    Column(85, "deltas", "after", "i4", 4, "points",
           "change of each score from the decision to the end of the hand, deposits included",
           _label("deltas")),
    Column(86, "final", "after", "i4", 4, "points",
           "scores of the relative seats at the end of the game; 0 unknown",
           _label("final")),
    Column(87, "places", "after", "u1", 4, "0 to 3 or 255",
           "places of the relative seats at the end of the game, 0 first; 255 unknown",
           _label("places")),
)  # fmt: skip
"""All columns in the order of the files."""
BY_NAME: Final = {column.name: column for column in COLUMNS}


def values_of(column: Column, records: Decisions, labels: Labels) -> Values:
    """(n,) or (n, width) values of a column that has a source."""
    assert column.source is not None
    found = column.source(records, labels).astype(column.type, copy=False)
    return found.reshape(len(records), column.width) if column.width else found


def arrow_type(column: Column) -> Any:
    """The pyarrow type of a column."""
    import pyarrow as pa

    if column.source is None:
        return pa.string()
    item = pa.from_numpy_dtype(np.dtype(column.type))
    return pa.list_(item, column.width) if column.width else item


def arrow_schema() -> Any:
    """The pyarrow schema of the files, with the field ids of Parquet."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field(c.name, arrow_type(c), False, {"PARQUET:field_id": str(c.field_id)})
            for c in COLUMNS
        ]
    )


def columns_table() -> str:
    """The columns as a table in Markdown."""
    lines = ["| column | type | unit, range | meaning | known |", "|---|---|---|---|---|"]
    lines += [
        f"| `{c.name}` | {type_name(c)} | {c.range} | {c.meaning} | {c.known} |" for c in COLUMNS
    ]
    return "\n".join(lines) + "\n"


def type_name(column: Column) -> str:
    """``uint8[34]``, ``string``, ..."""
    if column.source is None:
        return "string"
    name = np.dtype(column.type).name
    return f"{name}[{column.width}]" if column.width else name

"""Win probability, tenpai probability and expected points of each discard, by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from haiyomi.arrays import Bytes
from haiyomi.errors import HaiyomiError, check_type
from haiyomi.game.player_view import Meld
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import no_melds, score
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.winning import DRAW as DRAW_CODE
from haiyomi.kernels.winning import GraphRules, WinHands, WinValues, win_values
from haiyomi.tiles import N_KINDS, RED_KINDS, Tile, code_name, format_tiles, kind_counts
from haiyomi.winning.convention import DEFAULT, Convention
from haiyomi.winning.question import TURNS, OwnMeld, WinQuestion

ByTurn = tuple[float, ...]
DRAW = "draw"
MOST_NODES: Final = 6_000_000
"""The core's limit of a graph."""
_MELD_TYPES = {"chi": 0, "pon": 1, "daiminkan": 2, "kakan": 3, "ankan": 4}


@dataclass(frozen=True, slots=True)
class WinRow:
    """The values of one discard, 18 numbers each: entry t - 1 is right after the t-th discard.

    ``tile`` is None for a hand that draws. ``win``: the probability to have won by own draw by
    the last turn; ``tenpai``: to have been tenpai; ``points``: expected points of those wins, None
    where not computed. Each is the maximum over plays for that quantity.
    """

    tile: Tile | None
    win: ByTurn
    tenpai: ByTurn
    points: ByTurn | None

    @property
    def name(self) -> str:
        return DRAW if self.tile is None else str(self.tile)


@dataclass(frozen=True, slots=True)
class WinTable:
    """The rows of one question, the likeliest to win first. It says whose view it is by the
    question, what it conditions on by the convention; rows are alternatives and sum to nothing.

    ``shanten`` of the hand, -1 complete: it wins as it is, and the rows say what each discard is
    worth. ``nodes`` and ``edges`` of the graph of hand changes.
    """

    question: WinQuestion
    convention: Convention
    shanten: int
    nodes: int
    edges: int
    rows: tuple[WinRow, ...]

    def __getitem__(self, tile: Tile | None) -> WinRow:
        """The row of a discard, or of None for a hand that draws. Raises KeyError where there is
        none."""
        for row in self.rows:
            if row.tile == tile:
                return row
        raise KeyError(str(tile))

    @property
    def best(self) -> WinRow | None:
        """The discard likeliest to win at the question's turn; None without rows."""
        return self.rows[0] if self.rows else None

    def _repr_html_(self) -> str:
        from haiyomi.display.answers import win_table_html

        return win_table_html(self)

    def to_json(self) -> dict[str, Any]:
        """``win``, ``tenpai`` and ``points``, each {discard, or "draw": 18 numbers}."""
        question = self.question
        return {
            "schema": "haiyomi-win",
            "version": 2,
            "hand": format_tiles(question.hand),
            "melds": [str(meld) for meld in question.melds],
            "indicators": format_tiles(indicators(question, self.convention)),
            "turn": question.turn,
            "convention": self.convention.name,
            "shanten": self.shanten,
            "nodes": self.nodes,
            "edges": self.edges,
            "win": {row.name: list(row.win) for row in self.rows},
            "tenpai": {row.name: list(row.tenpai) for row in self.rows},
            "points": {row.name: list(row.points) for row in self.rows if row.points is not None},
        }


def win_table(question: WinQuestion | Position, convention: Convention = DEFAULT) -> WinTable:
    """The chance to win by own draws, to be tenpai, and the points, of each discard by turn.

    Of a question, or of a position as its viewer sees it. Rons, calls and the wins of
    others are left out. Raises HaiyomiError where melds are missing that points need, or where the
    hand is too far from complete for the program; ArgumentError for what is neither.
    """
    check_type(question, "win_table", WinQuestion, Position)
    given = question if isinstance(question, WinQuestion) else WinQuestion.from_position(question)
    return win_tables([given], convention)[0]


def win_tables(
    questions: Sequence[WinQuestion], convention: Convention, *, threads: int = 1
) -> tuple[WinTable, ...]:
    """The tables of many questions, shared out among ``threads``.

    Raises HaiyomiError where melds are missing that points need, or a graph is too large.
    """
    if not questions:
        return ()
    counts = _counts(questions)
    # One call of the kernel for all hands with the same graph options.
    groups: dict[tuple[Any, int], list[int]] = {}
    distance = shanten(counts).tolist()
    for i, question in enumerate(questions):
        graph = _graph(question, convention, distance[i])
        groups.setdefault((graph, question.last), []).append(i)
    out: dict[int, WinTable] = {}
    for (graph, last), members in groups.items():
        group = [questions[i] for i in members]
        found = _values(group, counts[members], convention, graph, 1, last, threads)
        for j, i in enumerate(members):
            rows = []
            for code, values in zip(found.codes[j].tolist(), found.values[j], strict=True):
                if code < 0:
                    continue
                win, tenpai, points = (tuple(by_turn) for by_turn in values.tolist())
                thrown = None if code == DRAW_CODE else Tile.parse(code_name(code))
                rows.append(WinRow(thrown, win, tenpai, points if graph.points else None))
            at = questions[i].turn - 1
            rows.sort(key=lambda r: (-r.win[at], -r.tenpai[at], -(r.points or r.win)[at]))
            out[i] = WinTable(
                questions[i],
                convention,
                distance[i],
                int(found.nodes[j].sum()),
                int(found.edges[j]),
                tuple(rows),
            )
    return tuple(out[i] for i in range(len(questions)))


def indicators(question: WinQuestion, convention: Convention) -> tuple[Tile, ...]:
    """The dora indicators: those given, or else the convention's own."""
    if question.indicators or convention.indicator is None:
        return question.indicators
    return (convention.indicator,)


def _counts(questions: Sequence[WinQuestion]) -> Bytes:
    counts = np.zeros((len(questions), N_KINDS), dtype=np.uint8)
    for i, question in enumerate(questions):
        for tile in question.hand:
            counts[i, tile.kind] += 1
    return counts


def _graph(question: WinQuestion, convention: Convention, distance: int) -> GraphRules:
    graph = convention.graph(distance)
    if graph.points and len(question.melds) != question.needed_melds:
        raise HaiyomiError(
            f"{format_tiles(question.hand)}: for points, name the melds that stand beside these "
            f"tiles (--melds); their number is {question.needed_melds}"
        )
    return graph


def _values(
    group: Sequence[WinQuestion],
    counts: Bytes,
    convention: Convention,
    graph: GraphRules,
    first: int,
    last: int,
    threads: int,
) -> WinValues:
    hands = win_hands(group, counts, convention)
    try:
        return win_values(
            hands, graph, first=first, last=last, threads=threads, rules=convention.rules
        )
    except ValueError as error:
        row, _, what = str(error).removeprefix("row ").partition(": ")
        hand = group[int(row)].hand if row.isdigit() else group[0].hand
        if "more nodes than the limit" in what:
            remedy = f": allow fewer exchanges (--extra {graph.extra - 1})" if graph.extra else ""
            what = f"the graph of hand changes has more than {MOST_NODES:,} hands{remedy}"
        raise HaiyomiError(f"{format_tiles(hand)}: {what or error}") from None


def win_hands(questions: Sequence[WinQuestion], counts: Bytes, convention: Convention) -> WinHands:
    """The kernel's arrays of n questions and the (n, 34) ``counts`` of their hands."""
    n = len(questions)
    live = np.zeros((n, N_KINDS), dtype=np.uint8)
    reds = np.zeros((n, 6), dtype=np.bool_)
    wall = np.zeros((n, TURNS), dtype=np.float64)
    winds = np.zeros((n, 2), dtype=np.uint8)
    meld_reds = np.zeros(n, dtype=np.uint8)
    shown: list[tuple[int, ...]] = []
    turns = np.arange(1, TURNS + 1)
    for i, question in enumerate(questions):
        dora = indicators(question, convention) if convention.points else question.indicators
        own = [tile for meld in question.melds for tile in meld.tiles]
        visible = [*question.seen, *dora, *(own if convention.subtract_melds else ())]
        left = _left(counts[i].tolist(), visible)
        live[i] = left
        unseen = sum(left)
        if convention.wall == "seen":
            # The next draw is one of the unseen tiles; each turn takes one more.
            wall[i] = np.maximum(unseen + question.turn - turns, 0)
        elif convention.wall == "returns":
            wall[i] = unseen
        else:
            wall[i] = (123 if convention.wall == "tomo" else unseen) - turns
        if convention.reds:
            gone = {tile.kind for tile in (*question.hand, *own, *question.seen, *dora) if tile.red}
            for suit, kind in enumerate(RED_KINDS):
                reds[i, suit] = any(tile.red and tile.kind == kind for tile in question.hand)
                reds[i, 3 + suit] = kind not in gone and left[kind] > 0
        winds[i] = question.round_wind, question.seat_wind
        meld_reds[i] = sum(tile.red for tile in own) if convention.reds else 0
        shown.append(tuple(int(tile.kind) for tile in dora))
    melds = melds_array([question.melds for question in questions])
    return WinHands(counts, live, reds, wall, melds, winds, meld_reds, tuple(shown))


def wins_as_it_is(question: WinQuestion) -> bool:
    """Whether a complete hand has a yaku, whichever of its tiles was the one drawn."""
    kinds = sorted({int(tile.kind) for tile in question.hand})
    hands = np.array([kind_counts(question.hand)] * len(kinds), np.uint8)
    found = score(
        hands,
        np.array(kinds),
        melds=melds_array([question.melds] * len(kinds)),
        round_wind=question.round_wind,
        seat_wind=question.seat_wind,
        tsumo=True,
        last_tile=question.turn >= question.last,
    )
    return bool(found.has_yaku.any())


def melds_array(hands: Sequence[Sequence[OwnMeld | Meld]]) -> Bytes:
    """``(n, 4, 2)`` the melds of n hands as the kernels take them."""
    out = no_melds(len(hands))
    for i, melds in enumerate(hands):
        for j, meld in enumerate(melds):
            out[i, j] = _MELD_TYPES[meld.kind], min(tile.kind for tile in meld.tiles)
    return out


def _left(held: Sequence[int], visible: Sequence[Tile]) -> list[int]:
    left = [4 - n for n in held]
    for tile in visible:
        left[tile.kind] -= 1
        if left[tile.kind] < 0:
            raise HaiyomiError(f"five copies of {tile}: the hand, the seen tiles, the indicators")
    return left

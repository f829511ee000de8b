"""The 19 statistics of Table 1 of Maekawa and Takeuchi, each a ratio of two sums over games.

Every statistic is a function of the sums of ``styles.game_sums`` and says in its one line what is
divided by what; ``VECTOR`` holds the 19 in the paper's order, ``RATES`` four more that the
paper does not use (a bot's figures are shown beside them). The paper names its statistics
without defining them: where it is silent, the line says what is meant here. A *turn* is the
player's own next discard, counted from 1; *points* are those at the hand's start; a *call* is
chi, pon or an open kan; *dora* counts red fives and concealed kans, by the indicators shown by
then; *in hand* is the concealed tiles, at a call those before it. Hands in which the player
was disconnected are left out of everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from haiyomi.arrays import Floats

TalliedGame: TypeAlias = tuple[str, tuple[str, ...], Sequence[Sequence[float]]]
"""A game's name, the players' names by seat, and their sums (4, len(SUMS))."""
HANCHAN = 2
"""``Ruleset.rounds`` of the games that count by default: an East-only game has no South round."""
EAST_ONLY = 1
"""``Ruleset.rounds`` of an East-only game."""

SUMS: Final = (
    "games", "hands", "absent_hands", "hidden_hands",
    "riichi", "first_riichi", "riichi_turn", "riichi_points", "riichi_dora",
    "riichi_games", "riichi_game_turn",
    "tenpai", "immediate", "tenpai_child", "immediate_child",
    "calls", "call_turn", "dealer_calls", "dealer_call_honba",
    "opened", "opened_points", "opened_honours", "opened_dora", "opened_shanten",
    "end_honours",
    "first_dealer_hands", "first_dealer_points", "north_hands", "north_points",
    "east_hands", "east_points", "south_hands", "south_points",
    "wins", "deal_ins",
)  # fmt: skip
"""The columns of a tally: what is summed over the hands of a player in a game."""
COLUMN: Final = {name: i for i, name in enumerate(SUMS)}
Ratio: TypeAlias = tuple[str, str]
"""Names of two sums: what is divided, and by what."""


def first_riichi_rate() -> Ratio:
    """Hands with a riichi declared before any other player's / hands."""
    return "first_riichi", "hands"


def call_turn() -> Ratio:
    """Turns of all calls / calls."""
    return "call_turn", "calls"


def riichi_turn() -> Ratio:
    """Turns of all riichi declarations / riichi declarations."""
    return "riichi_turn", "riichi"


def calls() -> Ratio:
    """Calls / hands."""
    return "calls", "hands"


def immediate_riichi_rate() -> Ratio:
    """Hands with riichi on the first discard that left the closed hand tenpai / such hands."""
    return "immediate", "tenpai"


def first_call_points() -> Ratio:
    """Points in hands with a call / hands with a call."""
    return "opened_points", "opened"


def immediate_riichi_rate_child() -> Ratio:
    """The immediate-riichi rate over the hands in which the player is not the dealer."""
    return "immediate_child", "tenpai_child"


def first_call_honours() -> Ratio:
    """Honours in hand before the hand's first call / hands with a call."""
    return "opened_honours", "opened"


def riichi_turn_by_game() -> Ratio:
    """Mean riichi turn of each game with a riichi, summed / games with a riichi."""
    return "riichi_game_turn", "riichi_games"


def end_honours() -> Ratio:
    """Honours in hand when the hand ends (a tile just drawn too, one won on not) / hands."""
    return "end_honours", "hands"


def riichi_points() -> Ratio:
    """Points in hands with an own riichi / riichi declarations."""
    return "riichi_points", "riichi"


def first_call_dora() -> Ratio:
    """Dora in hand before the hand's first call / hands with a call."""
    return "opened_dora", "opened"


def first_call_shanten() -> Ratio:
    """Shanten of the hand before its first call / hands with a call."""
    return "opened_shanten", "opened"


def riichi_dora() -> Ratio:
    """Dora in the hand that the riichi's discard leaves / riichi declarations."""
    return "riichi_dora", "riichi"


def first_dealer_points() -> Ratio:
    """Points over all hands of the games that the player began as dealer / those hands."""
    return "first_dealer_points", "first_dealer_hands"


def north_points() -> Ratio:
    """Points in hands in which the player sits North / those hands."""
    return "north_points", "north_hands"


def east_round_points() -> Ratio:
    """Points in hands of the East round / those hands."""
    return "east_points", "east_hands"


def south_round_points() -> Ratio:
    """Points in hands of the South round / those hands."""
    return "south_points", "south_hands"


def dealer_call_honba() -> Ratio:
    """Honba at the calls made as dealer / those calls."""
    return "dealer_call_honba", "dealer_calls"


def riichi_rate() -> Ratio:
    """Riichi declarations / hands."""
    return "riichi", "hands"


def call_rate() -> Ratio:
    """Hands with a call / hands."""
    return "opened", "hands"


def win_rate() -> Ratio:
    """Hands won / hands."""
    return "wins", "hands"


def deal_in_rate() -> Ratio:
    """Hands in which another won on the player's tile / hands."""
    return "deal_ins", "hands"


VECTOR: Final[tuple[Callable[[], Ratio], ...]] = (
    first_riichi_rate, call_turn, riichi_turn, calls, immediate_riichi_rate, first_call_points,
    immediate_riichi_rate_child, first_call_honours, riichi_turn_by_game, end_honours,
    riichi_points, first_call_dora, first_call_shanten, riichi_dora, first_dealer_points,
    north_points, east_round_points, south_round_points, dealer_call_honba,
)  # fmt: skip
"""The paper's 19, in the order of its Table 1 as read here."""
RATES: Final = (riichi_rate, call_rate, win_rate, deal_in_rate)
NAMES: Final = tuple(f.__name__ for f in VECTOR)
JAPANESE: Final = (
    "先制立直率", "平均副露巡目", "平均立直巡目", "平均副露回数", "即立直率", "初副露時平均持ち点",
    "子ども時即立直率", "初副露時平均字牌数", "立直巡平均", "終了時平均字牌数", "立直時平均持ち点",
    "初副露時平均ドラ数", "初副露時平均シャンテン数", "立直時平均ドラ数", "起家時平均持ち点",
    "北家時平均持ち点", "東場時平均持ち点", "南場時平均持ち点", "親副露時平均本場",
)  # fmt: skip
"""The paper's own names, in the order of ``VECTOR``."""


def _columns(functions: tuple[Callable[[], Ratio], ...]) -> tuple[list[int], list[int]]:
    ratios = [f() for f in functions]
    return [COLUMN[above] for above, _ in ratios], [COLUMN[below] for _, below in ratios]


def divide(sums: Floats, functions: tuple[Callable[[], Ratio], ...] = VECTOR) -> Floats:
    """(..., len(functions)) the statistics of some ``sums`` (..., len(SUMS)); nan for x / 0."""
    import numpy as np

    above, below = _columns(functions)
    top, bottom = sums[..., above], sums[..., below]
    out: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return out


def ratios(
    sums: Sequence[float], functions: tuple[Callable[[], Ratio], ...] = VECTOR
) -> list[tuple[float | None, float]]:
    """The statistics of one player's sums, None for x / 0, and how often each occurred."""
    columns = zip(*_columns(functions), strict=True)
    return [(sums[a] / sums[b] if sums[b] > 0 else None, sums[b]) for a, b in columns]


def occasions(sums: Floats, functions: tuple[Callable[[], Ratio], ...] = VECTOR) -> Floats:
    """(..., len(functions)) how many hands, calls, ... stand behind each statistic."""
    found: Floats = sums[..., _columns(functions)[1]]
    return found


def definition(function: Callable[[], Ratio]) -> str:
    """What a statistic divides by what: its docstring's line."""
    return (function.__doc__ or "").strip()

"""A Position from the tiles on the table; the order of discards follows from turns and calls.

Inside this module seats are winds (0 = East, the dealer); the Position's are relative.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from haiyomi.counted import counted
from haiyomi.errors import PositionError
from haiyomi.game.player_view import Meld, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.game.rounds import WINDS, round_name
from haiyomi.rules import DEPOSIT, WALL_DRAWS, Ruleset
from haiyomi.tiles import N_KINDS, RED_KINDS, Seat, Tile, code_name, kind_name


@dataclass(frozen=True, slots=True)
class River:
    """Discards without their order; ``called`` which are marked as called, the caller's wind
    in ``called_by`` if it is stated; ``declaring``: riichi declared, its tile not yet out.
    """

    tiles: tuple[RiverTile, ...]
    called: tuple[bool, ...]
    declaring: bool


@dataclass(frozen=True, slots=True)
class StatedPosition:
    """A position as it is stated. ``sticks`` None: one for each riichi. ``melds`` with their
    targets as winds and whether their order is stated. ``order``: the winds in the order of
    the discards, None if it follows from the turns.
    """

    rules: Ruleset
    kyoku: int
    honba: int
    sticks: int | None
    viewer: int
    indicators: tuple[Tile, ...]
    hand: tuple[Tile, ...]
    drawn: Tile | None
    rivers: tuple[River, ...]
    melds: tuple[tuple[tuple[Meld, bool], ...], ...]
    order: tuple[int, ...] | None


def build(parts: StatedPosition) -> Position:
    """The Position. Raises PositionError for one that cannot occur, naming the field."""
    to_act = _check_hand(parts)
    rivers = _callers(parts)
    rivers = _ordered(parts, rivers, to_act)
    melds = _meld_orders(parts, rivers)
    seen, reds = _seen(parts, rivers)
    players = [_player(parts, rivers, melds, wind) for wind in range(4)]
    dealer = -parts.viewer % 4
    views = []
    for r in range(4):
        view = players[(r + parts.viewer) % 4]
        river = tuple(
            replace(t, called_by=None if t.called_by is None else Seat((t.called_by + dealer) % 4))
            for t in view.river
        )
        own = tuple(
            replace(m, target=None if m.target is None else Seat((m.target + dealer) % 4))
            for m in view.melds
        )
        views.append(replace(view, river=river, melds=own))
    hand = parts.hand if parts.drawn is None else (*parts.hand, parts.drawn)
    accepted = sum(any(t.riichi for t in river) for river in rivers)
    own = views[0].melds
    return Position(
        Seat((parts.kyoku + parts.viewer) % 4),
        parts.rules,
        parts.kyoku,
        parts.honba,
        accepted if parts.sticks is None else parts.sticks,
        Seat(dealer),
        parts.indicators,
        tuple(sorted(hand)),
        parts.drawn,
        (views[0], views[1], views[2], views[3]),
        _draws_left(views),
        seen,
        reds,
        to_act,
        parts.drawn is not None
        and bool(own)
        and own[-1].kind in ("ankan", "daiminkan")
        and own[-1].order == sum(map(len, rivers)),
    )


def check_round(kyoku: int, rules: Ruleset) -> None:
    """Raise PositionError for a round that a game of these rules does not come to."""
    if kyoku >= 4 * (rules.rounds + 1):
        raise PositionError(f"a game of {rules.rounds} rounds has no {round_name(kyoku)}")


def _check_hand(parts: StatedPosition) -> bool:
    """Whether the viewer is to discard, by the number of its tiles."""
    if not 1 <= len(parts.indicators) <= 5:
        raise PositionError(
            f"indicators has {len(parts.indicators)} tiles: one to five dora indicators show"
        )
    kans = sum(len(meld.tiles) == 4 for melded in parts.melds for meld, _ in melded)
    if len(parts.indicators) > 1 + kans:
        raise PositionError(
            f"indicators has {len(parts.indicators)} tiles after {counted(kans, 'kan')}: a kan "
            "shows one more"
        )
    if kans > 4:
        raise PositionError(f"the players have {kans} kans: a hand has four at most")
    check_round(parts.kyoku, parts.rules)
    n = len(parts.hand) + (parts.drawn is not None)
    melds = len(parts.melds[parts.viewer])
    total = n + 3 * melds
    if total not in (13, 14):
        raise PositionError(
            f"hand has {n} concealed tiles, which with {counted(melds, 'meld')} counts {total}: "
            "expected 13, or 14 with the one to discard"
        )
    if parts.drawn is not None and total != 14:
        raise PositionError(
            f"hand has {counted(n - 1, 'concealed tile')} beside the drawn one, which with "
            f"{counted(melds, 'meld')} counts {total - 1}: expected 13 beside it"
        )
    for wind, melded in enumerate(parts.melds):
        is_open = any(meld.kind != "ankan" for meld, _ in melded)
        river = parts.rivers[wind]
        if is_open and (river.declaring or any(t.riichi for t in river.tiles)):
            raise PositionError(f"players.{WINDS[wind]} is in riichi with an open meld")
    return total == 14


def _callers(parts: StatedPosition) -> list[list[RiverTile]]:
    """The rivers with their callers: each called meld takes one discard of its target."""
    rivers = [list(river.tiles) for river in parts.rivers]
    marked = [list(river.called) for river in parts.rivers]
    taken: set[tuple[int, int]] = set()
    wanting: list[tuple[int, Meld]] = [
        (wind, meld)
        for wind, melded in enumerate(parts.melds)
        for meld, _ in melded
        if meld.target is not None
    ]

    def fits(wind: int, meld: Meld, level: int) -> list[int]:
        assert meld.target is not None
        found = []
        for i, tile in enumerate(rivers[meld.target]):
            if tile.tile != meld.called or (meld.target, i) in taken:
                continue
            stated = tile.called_by
            if (
                stated == wind
                if level == 0
                else stated is None and marked[meld.target][i] == (level == 1)
            ):
                found.append(i)
        return found

    # First the discards that name their caller, then those only marked as called, then the rest.
    for level in (0, 1, 2):
        for wind, meld in list(wanting):
            found = fits(wind, meld, level)
            same = [w for w, m in wanting if m.target == meld.target and m.called == meld.called]
            if not found:
                continue
            if level and (len(found) > 1 or len(same) > 1):
                raise PositionError(
                    f"players.{WINDS[meld.target or 0]}.river: say which {meld.called} "
                    f"{WINDS[wind]} called, as {meld.called}^{WINDS[wind]}"
                )
            assert meld.target is not None
            i = found[0]
            taken.add((meld.target, i))
            rivers[meld.target][i] = replace(rivers[meld.target][i], called_by=Seat(wind))
            wanting.remove((wind, meld))
    _check_calls(rivers, marked, wanting, taken)
    return rivers


def _check_calls(
    rivers: list[list[RiverTile]],
    marked: list[list[bool]],
    wanting: list[tuple[int, Meld]],
    taken: set[tuple[int, int]],
) -> None:
    """Raise PositionError for a meld that still wants its tile, and for a tile that is said to be
    called and that no meld has taken."""
    for wind, meld in wanting:
        assert meld.target is not None
        raise PositionError(
            f"players.{WINDS[wind]}.melds has a {meld.kind} of {meld.called} from "
            f"{WINDS[meld.target]}, whose river has no such tile: called tiles stay listed there"
        )
    for wind, river in enumerate(rivers):
        for i, tile in enumerate(river):
            if (marked[wind][i] or tile.called_by is not None) and (wind, i) not in taken:
                raise PositionError(
                    f"players.{WINDS[wind]}.river says that {tile.tile} was called, but nobody "
                    "has that meld"
                )


def _ordered(
    parts: StatedPosition, rivers: list[list[RiverTile]], to_act: bool
) -> list[list[RiverTile]]:
    """The rivers with the order of every discard and whether it faced a riichi."""
    done = [0, 0, 0, 0]
    total = sum(map(len, rivers))
    riichi: set[int] = set()
    turn, previous = 0, -1
    for order in range(total):
        if parts.order is not None:
            if order >= len(parts.order):
                raise PositionError(f"order names {len(parts.order)} of {total} discards")
            if parts.order[order] != turn:
                raise PositionError(
                    f"order names {WINDS[parts.order[order]]} for the {_nth(order + 1)} discard: "
                    f"by turns and calls it is {WINDS[turn]}'s"
                )
        if done[turn] == len(rivers[turn]):
            raise PositionError(
                f"players.{WINDS[turn]}.river has {done[turn]} tiles, yet by the turns another "
                f"discard of {WINDS[turn]} comes {'first' if previous < 0 else 'after'}"
                f"{'' if previous < 0 else ' the ' + _nth(done[previous]) + ' of '}"
                f"{'' if previous < 0 else WINDS[previous]}"
            )
        tile = rivers[turn][done[turn]]
        rivers[turn][done[turn]] = replace(tile, order=order, facing_riichi=bool(riichi - {turn}))
        if tile.riichi:
            riichi.add(turn)
        done[turn] += 1
        previous = turn
        turn = (turn + 1) % 4 if tile.called_by is None else tile.called_by
    if parts.order is not None and len(parts.order) != total:
        raise PositionError(f"order names {len(parts.order)} discards of {total}")
    after_call = parts.drawn is None and any(
        meld.target is not None for meld, _ in parts.melds[parts.viewer]
    )
    if to_act and turn != parts.viewer and not after_call:
        raise PositionError(
            f"by the rivers it is the turn of {WINDS[turn]}, not of the viewer "
            f"{WINDS[parts.viewer]}: a discard or the mark of a call is missing"
        )
    return rivers


def _nth(n: int) -> str:
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def _meld_orders(parts: StatedPosition, rivers: list[list[RiverTile]]) -> list[list[Meld]]:
    """The melds with how many discards came before each."""
    out: list[list[Meld]] = []
    for wind, melded in enumerate(parts.melds):
        own = []
        calls = {
            (target, tile.tile, tile.order)
            for target, river in enumerate(rivers)
            for tile in river
            if tile.called_by == wind
        }
        for meld, stated in melded:
            if meld.target is None:
                # By default a closed kan was made just before its owner's last discard.
                last = rivers[wind][-1].order if rivers[wind] else sum(map(len, rivers))
                now = sum(map(len, rivers)) if wind == parts.viewer else last
                own.append(meld if stated else replace(meld, order=now))
                continue
            found = min(c for c in calls if c[0] == meld.target and c[1] == meld.called)
            calls.discard(found)
            own.append(replace(meld, order=found[2] + 1))
        out.append(own)
    return out


def _seen(parts: StatedPosition, rivers: list[list[RiverTile]]) -> tuple[tuple[int, ...], int]:
    """How many of each kind the viewer sees, and which red fives."""
    shown = [*parts.indicators, *parts.hand]
    if parts.drawn is not None:
        shown.append(parts.drawn)
    for wind in range(4):
        shown.extend(t.tile for t in rivers[wind] if t.called_by is None)
        for meld, _ in parts.melds[wind]:
            shown.extend(meld.tiles)
    counts, reds = [0] * N_KINDS, 0
    for tile in shown:
        counts[tile.kind] += 1
        if counts[tile.kind] > 4:
            raise PositionError(
                f"a fifth {kind_name(tile.kind)} is seen in hand, rivers, melds and indicators"
            )
        if tile.red:
            bit = 1 << (tile.code - 34)
            if reds & bit or not parts.rules.red_fives:
                many = "two" if reds & bit else "a"
                raise PositionError(f"{many} red five {code_name(tile.code)} cannot be seen")
            reds |= bit
    for n, kind in enumerate(RED_KINDS):
        if parts.rules.red_fives and counts[kind] == 4 and not reds >> n & 1:
            raise PositionError(
                f"four plain {kind_name(kind)} are seen: one of the four is the red five"
            )
    return tuple(counts), reds


def _player(
    parts: StatedPosition, rivers: list[list[RiverTile]], melds: list[list[Meld]], wind: int
) -> PlayerView:
    """One player's view; what followed by itself, masks and ippatsu, computed."""
    river = rivers[wind]
    index = next((i for i, t in enumerate(river) if t.riichi), None)
    last = river[-1].order if river else -1
    declared = None if index is None else river[index].order
    river_mask = passed = since = 0
    for tile in river:
        river_mask |= 1 << tile.tile.kind
    for other in range(4):
        for tile in rivers[other] if other != wind else ():
            if tile.order > last:
                passed |= 1 << tile.tile.kind
            if declared is not None and tile.order > declared:
                since |= 1 << tile.tile.kind
    made = [meld.order for own in melds for meld in own]
    ippatsu = parts.rivers[wind].declaring or (
        declared is not None and last == declared and all(order <= declared for order in made)
    )
    if parts.rivers[wind].declaring:
        index = len(river)
    own_tiles = len(parts.hand) + (parts.drawn is not None)
    concealed = own_tiles if wind == parts.viewer else 13 - 3 * len(melds[wind])
    score = parts.rules.start_points - (0 if declared is None else DEPOSIT)
    return PlayerView(
        score,
        tuple(river),
        tuple(melds[wind]),
        concealed,
        index,
        ippatsu,
        river_mask,
        passed,
        since,
    )


def _draws_left(views: list[PlayerView]) -> int:
    """What the wall holds: each draw became a tile held, melded or discarded."""
    drawn = 0
    for view in views:
        melded = sum(len(m.tiles) - (m.target is not None) for m in view.melds)
        drawn += view.concealed + melded + len(view.river) - 13
    return WALL_DRAWS - drawn

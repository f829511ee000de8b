"""The decision that a text states: a position as JSON for the own turn, or mjai lines of a hand.

mjai lines show the hand as the seat saw it; the decision is that after the last line, in the own
turn or on another's tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.errors import HaiyomiError, PositionError
from haiyomi.events import ENDINGS, Deal, Event, OwnDeal, visible_to
from haiyomi.game.kuikae import swap_kinds
from haiyomi.game.position import Position
from haiyomi.game.position_rebuild import check_round
from haiyomi.logs.fields import is_mjai
from haiyomi.logs.mjai_read import Stream, message_events, messages
from haiyomi.logs.mjai_rules import stated_rules
from haiyomi.play.decision import Decision
from haiyomi.play.legal import discard_choices, riichi_kinds, turn_choices
from haiyomi.play.live_hand import LiveHand
from haiyomi.play.player import Choice
from haiyomi.play.seat_state import SeatState
from haiyomi.play.side import LiveMeld, Side, ids_of
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.tiles import Seat, Tile, TileId

_KANS = ("daiminkan", "kakan", "ankan")


def read_decision(text: str, seat: int | None = None, rules: Ruleset | None = None) -> Decision:
    """The decision of a text. ``seat`` (absolute) is who decides, needed where mjai lines show all
    four hands; ``rules`` are those of mjai lines whose ``start_game`` does not state others, by
    default Tenhou's.

    Raises PositionError where it is nobody's decision, HaiyomiError for a text that cannot be read.
    """
    if is_mjai(text):
        return _of_lines(text.splitlines(), seat, TENHOU if rules is None else rules)
    position = Position.from_json(text)
    if seat is not None:
        raise PositionError("a position is of one seat: a seat is chosen only where lines show all")
    if rules is not None:
        raise PositionError("a position has its own field rules: rules are chosen for mjai lines")
    return decision_at(position)


def decision_at(position: Position) -> Decision:
    """The decision of a position in the viewer's own turn. Raises PositionError in another's."""
    if not position.to_act:
        raise PositionError(
            "it is not the viewer's turn to discard: a decision on another's tile is given as mjai "
            "lines"
        )
    live, side = _table(position)
    own = position.players[0]
    choices: list[Choice]
    if own.riichi_index == len(own.river):
        choices = list(discard_choices(live, side, only=riichi_kinds(side)))
    elif position.drawn is None:
        called = [meld for meld in own.melds if meld.kind in ("chi", "pon")]
        if not called:
            raise PositionError(
                "drawn is missing: the viewer has not just called, so say which tile it drew"
            )
        last = max(called, key=lambda meld: meld.order)
        assert last.called is not None  # a chi or pon has a called tile
        consumed = [tile.kind for tile in last.tiles]
        consumed.remove(last.called.kind)
        choices = list(discard_choices(live, side, swap_kinds(last.called.kind, consumed)))
    else:
        choices = turn_choices(live, side, position.after_kan)
    if not choices:
        raise PositionError("the viewer has nothing to discard: in riichi a hand must be tenpai")
    return Decision(position, tuple(choices), None)


def _table(position: Position) -> tuple[LiveHand, Side]:
    """The table as the viewer knows it, and its own side."""
    taken: set[TileId] = set()

    def an_id(tile: Tile) -> TileId:
        found = next(i for i in ids_of(tile, position.rules.red_fives) if i not in taken)
        taken.add(found)
        return found

    own = position.players[0]
    concealed = list(position.hand)
    last = position.drawn or concealed[-1]  # after a call no tile is the drawn one
    concealed.remove(last)
    side = Side(position.seat, [an_id(tile) for tile in concealed])
    side.melds = [
        LiveMeld(meld.kind, meld.base, [an_id(tile) for tile in meld.tiles]) for meld in own.melds
    ]
    side.refresh()
    side.open = own.open_melds > 0
    side.riichi = int(own.riichi)
    side.ippatsu = own.ippatsu
    side.river_mask = own.river_mask
    side.discards = len(own.river)
    side.passed_wait = bool(side.waits & own.passed_mask)
    side.passed_wait_riichi = bool(side.waits & own.riichi_mask)
    side.take(an_id(last))
    if position.drawn is None:
        side.drawn = None
    scores = [position.players[(s - position.seat) % 4].score for s in range(4)]
    melds = [(r, meld) for r, player in enumerate(position.players) for meld in player.melds]
    return LiveHand(
        position.rules,
        position.kyoku,
        scores,
        draws_left=position.draws_left,
        no_calls=not melds,
        kans=[position.absolute(r) for r, meld in melds if meld.kind in _KANS],
    ), side


def _of_lines(lines: Sequence[str], seat: int | None, rules: Ruleset) -> Decision:
    """The decision after the last of some mjai lines."""
    if seat is not None and not 0 <= seat <= 3:
        raise HaiyomiError(f"no seat {seat}: expected 0 to 3")
    stated = list(_events(lines, rules))
    dealt = [event for _, event in stated if isinstance(event, Deal | OwnDeal)]
    if not dealt:
        raise PositionError("the mjai lines hold no start_kyoku")
    if seat is None and isinstance(dealt[-1], Deal):
        raise HaiyomiError("the lines show all four hands: choose the viewer with --seat 0 to 3")
    for own in (event.seat for event in dealt if isinstance(event, OwnDeal)):
        if seat not in (None, own):
            raise PositionError(f"the lines are what seat {own} sees, not what seat {seat} sees")
    viewer = Seat(seat) if seat is not None else dealt[-1].seat  # type: ignore[union-attr]
    state = SeatState(viewer, stated[0][0])
    for number, (game_rules, event) in enumerate(stated):
        if state.rules != game_rules:
            state = SeatState(viewer, game_rules)
        try:
            state.apply(visible_to(event, viewer))
        except PositionError as error:
            raise PositionError(f"mjai lines, event {number}: {error}") from None
    check_round(state.position().kyoku, state.rules)
    options = state.options()
    if options is None:
        if isinstance(stated[-1][1], ENDINGS):
            raise PositionError(
                "the mjai lines go on to the end of a hand: `haiyomi value` takes a decision of a "
                "record by --hand, --turn and --seat"
            )
        raise PositionError("after the last mjai line this seat has nothing to choose")
    return Decision.of_state(state, options)


def _events(lines: Sequence[str], rules: Ruleset) -> Iterator[tuple[Ruleset, Event]]:
    """The events of mjai lines, each with the rules of its game: ``rules``, but for what its
    ``start_game`` states. Raises RecordError."""
    name, stream, of_game = "mjai lines", Stream(), rules
    for number, message in messages(lines, name):
        if message["type"] == "start_game":
            stream, of_game = Stream(), stated_rules(message, rules)
        for event in message_events(stream, number, message, name, None):
            yield of_game, event

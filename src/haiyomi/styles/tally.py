"""The sums behind each player's statistics, from one game in one pass over its events.

Each seat's sums come from its own tiles and from what all may see, so a stream that hides the
other hands gives that one seat's.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from haiyomi.errors import IllegalError, RecordError
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Game,
    Hand,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    Start,
    Win,
)
from haiyomi.kernels.shanten import shanten
from haiyomi.styles.statistics import COLUMN, SUMS, Floats
from haiyomi.tiles import Tile, dora_of


def tally_game(game: Game) -> Floats:
    """(4, len(SUMS)): the sums of each absolute seat over the hands of one game.

    Hands in which a seat is disconnected are counted in ``absent_hands``, hands that the record
    hides in ``hidden_hands``; neither takes part in anything else. Raises IllegalError for a
    tile that cannot be there.
    """
    fold = _TallyFold()
    for number, hand in enumerate(game.hands):
        absent: set[int] = {seat for seat, _, _ in game.absent(number)}
        try:
            fold.play(hand, absent)
        except RecordError as error:
            error.hand = number
            raise
    return fold.finish()


class _Seat:
    """One seat's tiles and actions in the hand so far."""

    __slots__ = ("calls", "declaring", "discards", "held", "kans", "reds", "riichi")

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self.held = bytearray(34)
        self.reds = 0
        self.kans: list[tuple[Tile, ...]] = []
        self.discards = 0
        self.calls = 0
        self.declaring = False
        self.riichi = False
        for tile in tiles:
            self.add(tile)

    def add(self, tile: Tile) -> None:
        if self.held[tile.kind] == 4:
            raise IllegalError("a seat gets a fifth copy of a tile", value=tile)
        self.held[tile.kind] += 1
        self.reds += tile.red

    def take(self, tile: Tile) -> None:
        if not self.held[tile.kind]:
            raise IllegalError("a seat parts with a tile that it does not hold", value=tile)
        self.held[tile.kind] -= 1
        self.reds -= tile.red

    @property
    def honours(self) -> int:
        return sum(self.held[27:])

    def dora(self, kinds: list[int]) -> int:
        kans = sum((t.kind in kinds) * kinds.count(t.kind) + t.red for k in self.kans for t in k)
        return sum(self.held[k] for k in kinds) + self.reds + kans


class _TallyFold:
    """Folds hands into the sums; shanten is computed once, for all hands, at the end."""

    def __init__(self) -> None:
        self.sums = [[0.0] * len(SUMS) for _ in range(4)]
        self.rows: list[bytes] = []
        # (seat, number of the hand, declared, dealer) of a closed hand after a discard;
        # number -1 of a hand before its first call.
        self.shanten_queries: list[tuple[int, int, bool, bool]] = []
        self.played = 0

    def play(self, hand: Hand, absent: Set[int]) -> None:
        self.played += 1
        start = hand.start
        self.seats: dict[int, _Seat] = {}
        self.dora = [int(dora_of(start.indicator.kind))]
        self.declared = False
        self.start = start
        for event in hand.events:
            # Nine events in ten, and a class pattern takes several times as long.
            if isinstance(event, Discard):
                self._discard(event)
                continue
            if isinstance(event, Draw):
                if event.seat in self.seats:
                    self.seats[event.seat].add(event.tile)
                continue
            match event:
                case Deal():
                    for number, tiles in enumerate(event.hands):
                        self._begin(number, tiles, absent)
                case OwnDeal():
                    for number in range(4):
                        own = event.tiles if number == event.seat else None
                        self._begin(number, own, absent)
                case Riichi(seat):
                    self._riichi(seat)
                case Chi() | Pon() | Daiminkan():
                    self._call(event)
                case Ankan(seat, tiles):
                    if seat in self.seats:
                        for tile in tiles:
                            self.seats[seat].take(tile)
                        self.seats[seat].kans.append(tiles)
                case Kakan(seat, tile):
                    if seat in self.seats:
                        self.seats[seat].take(tile)
                case DoraReveal(indicator):
                    self.dora.append(int(dora_of(indicator.kind)))
                case _:
                    pass
        self._end(hand)

    def _add(self, seat: int, **values: float) -> None:
        sums = self.sums[seat]
        for name, value in values.items():
            sums[COLUMN[name]] += value

    def _begin(self, seat: int, tiles: tuple[Tile, ...] | None, absent: Set[int]) -> None:
        if tiles is None:
            self._add(seat, hidden_hands=1)
        elif seat in absent:
            self._add(seat, absent_hands=1)
        else:
            self.seats[seat] = _Seat(tiles)
            self._circumstances(seat, self.start)

    def _circumstances(self, seat: int, start: Start) -> None:
        points = start.scores[seat]
        self._add(seat, hands=1)
        if seat == 0:
            self._add(seat, first_dealer_hands=1, first_dealer_points=points)
        if (seat - start.dealer) % 4 == 3:
            self._add(seat, north_hands=1, north_points=points)
        if start.kyoku < 4:
            self._add(seat, east_hands=1, east_points=points)
        elif start.kyoku < 8:
            self._add(seat, south_hands=1, south_points=points)

    def _riichi(self, seat: int) -> None:
        first, self.declared = not self.declared, True
        if seat in self.seats:
            player = self.seats[seat]
            player.declaring = True
            self._add(
                seat,
                riichi=1,
                first_riichi=first,
                riichi_turn=player.discards + 1,
                riichi_points=self.start.scores[seat],
            )

    def _discard(self, event: Discard) -> None:
        seat = event.seat
        if seat not in self.seats:
            return
        player = self.seats[seat]
        player.take(event.tile)
        player.discards += 1
        if player.declaring:
            self._add(seat, riichi_dora=player.dora(self.dora))
        if not player.calls and not player.riichi:
            dealer = seat == self.start.dealer
            self.rows.append(bytes(player.held))
            self.shanten_queries.append((seat, self.played, player.declaring, dealer))
        player.riichi |= player.declaring
        player.declaring = False

    def _call(self, event: Chi | Pon | Daiminkan) -> None:
        seat = event.seat
        if seat not in self.seats:
            return
        player = self.seats[seat]
        if not player.calls:
            self._add(
                seat,
                opened=1,
                opened_points=self.start.scores[seat],
                opened_honours=player.honours,
                opened_dora=player.dora(self.dora),
            )
            self.rows.append(bytes(player.held))
            self.shanten_queries.append((seat, -1, False, False))
        player.calls += 1
        self._add(seat, calls=1, call_turn=player.discards + 1)
        if seat == self.start.dealer:
            self._add(seat, dealer_calls=1, dealer_call_honba=self.start.honba)
        for tile in event.consumed:
            player.take(tile)

    def _end(self, hand: Hand) -> None:
        wins = [e for e in hand.events[-3:] if isinstance(e, Win)]
        for seat, player in self.seats.items():
            self._add(
                seat,
                end_honours=player.honours,
                wins=any(w.seat == seat for w in wins),
                deal_ins=any(w.target == seat != w.seat for w in wins),
            )

    def finish(self) -> Floats:
        """The sums of all hands played."""
        if self.rows:
            steps = shanten(np.frombuffer(b"".join(self.rows), np.uint8).reshape(-1, 34)).tolist()
        else:
            steps = []
        reached: set[tuple[int, int]] = set()
        for (seat, number, declared, dealer), step in zip(self.shanten_queries, steps, strict=True):
            if number < 0:
                self._add(seat, opened_shanten=step)
            elif step == 0 and (seat, number) not in reached:
                reached.add((seat, number))
                self._add(seat, tenpai=1, immediate=declared)
                if not dealer:
                    self._add(seat, tenpai_child=1, immediate_child=declared)
        column = COLUMN["riichi"]
        for seat in range(4):
            riichi = self.sums[seat][column]
            if riichi:
                turn = self.sums[seat][COLUMN["riichi_turn"]] / riichi
                self._add(seat, riichi_games=1, riichi_game_turn=turn)
            self._add(seat, games=self.sums[seat][COLUMN["hands"]] > 0)
        return np.array(self.sums)

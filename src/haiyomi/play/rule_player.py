"""A small rule-based player: shanten and useful tiles, riichi, a few calls, and folding.

It decides from its ``SeatMemory`` alone. Discards keep the lowest *shanten* (tiles missing to
tenpai), then the most unseen useful tiles, then the more valuable tiles. It calls value
honours and, when they or all simples give a yaku, any tile that lowers the shanten. Facing
a riichi with a hand too far from tenpai it folds: *genbutsu* (tiles that player cannot win on)
first, then the tile that looks least dangerous.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from haiyomi.events import AbortiveDraw, Ankan, Chi, Daiminkan, Discard, Event, Kakan, Pon, Riichi
from haiyomi.kernels.shanten import shanten, useful
from haiyomi.play.player import Choice, Claim, Options, Pass
from haiyomi.play.rule_style import BALANCED, RuleStyle
from haiyomi.play.seat_memory import SeatMemory
from haiyomi.tiles import YAOCHU, Seat

_YAOCHU = frozenset(YAOCHU)
_YAOCHU_MASK = sum(1 << k for k in YAOCHU)
_SIMPLES_JUNK = 2
"""Terminals and honours that a hand calling for all simples may still hold."""
_ORPHANS = 11
"""With at least this many different terminals and honours the first hand is played on."""


class RulePlayer:
    """Plays one seat by simple rules; ``rng`` decides with the probabilities of ``style``."""

    def __init__(self, seat: Seat, rng: Generator, style: RuleStyle = BALANCED) -> None:
        self.seat = seat
        self.rng = rng
        self.style = style
        self.view = SeatMemory(seat)

    def observe(self, event: Event) -> None:
        self.view.observe(event)

    def act(self, options: Options) -> Choice:
        by_type: dict[type, list[Choice]] = {}
        for choice in options.choices:
            by_type.setdefault(type(choice), []).append(choice)
        if Claim in by_type:
            return by_type[Claim][0]
        if Pass in by_type:
            return self._answer(options)
        if AbortiveDraw in by_type and sum(self.view.counts[k] > 0 for k in YAOCHU) < _ORPHANS:
            return by_type[AbortiveDraw][0]
        return self._turn(options, Riichi in by_type)

    def _chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    # -- one's own turn -------------------------------------------------------------------

    def _turn(self, options: Options, may_riichi: bool) -> Choice:
        discards = [c for c in options.choices if isinstance(c, Discard)]
        kinds = sorted({d.tile.kind for d in discards})
        rows = np.array([self.view.counts] * len(kinds), dtype=np.uint8)
        rows[np.arange(len(kinds)), kinds] -= 1
        steps = shanten(rows).tolist()
        near = min(steps)
        folding = self._threatened() and near >= self.style.fold_shanten
        kan = self._own_kan(options, near, folding)
        if kan is not None:
            return kan
        if folding:
            return min(discards, key=self._danger)
        best = [k for k, s in zip(kinds, steps, strict=True) if s == near]
        useful_masks = useful(rows[[s == near for s in steps]]).tolist()
        simples = self._all_simples()
        tiles = {}
        for kind, mask in zip(best, useful_masks, strict=True):
            tiles[kind] = self._unseen(mask & ~_YAOCHU_MASK if simples else mask)
        if simples and any(k in _YAOCHU for k in kinds):
            tiles = {k: 0 for k in kinds if k in _YAOCHU}
        most = max(tiles.values())
        worth_it = may_riichi and near == 0 and most >= self.style.riichi_tiles
        if worth_it and self._chance(self.style.riichi):
            return Riichi(self.seat)
        choices = [d for d in discards if tiles.get(d.tile.kind) == most]
        return min(choices, key=lambda d: (self._keep_value(d), d.tile, d.tsumogiri))

    def _own_kan(self, options: Options, near: int, folding: bool) -> Choice | None:
        """A concealed or added kan that does not raise the shanten, if the style wants it."""
        kans = [c for c in options.choices if isinstance(c, Ankan | Kakan)]
        if not kans or folding or not self._chance(self.style.kan):
            return None
        for kan in kans:
            left = list(self.view.counts)
            left[kan.tiles[0].kind if isinstance(kan, Ankan) else kan.tile.kind] = 0
            if self._shanten(left) <= near:
                return kan
        return None

    def _keep_value(self, discard: Discard) -> float:
        """The value of keeping a tile, to break ties of tile efficiency."""
        view = self.view
        kind = discard.tile.kind
        worth = 3.0 * discard.tile.red + 3.0 * view.dora.count(kind)
        if kind >= 27:
            worth += 0.5 * (4 - view.seen[kind]) * (kind in view.value_kinds)
        else:
            worth += 1.0 + 0.2 * min(kind % 9, 8 - kind % 9)
        return worth

    def _unseen(self, mask: int) -> int:
        seen = self.view.seen
        total = 0
        while mask:
            low = mask & -mask
            total += 4 - seen[low.bit_length() - 1]
            mask ^= low
        return total

    def _shanten(self, counts: Sequence[int]) -> int:
        return int(shanten(np.array([counts], dtype=np.uint8))[0])

    # -- folding --------------------------------------------------------------------------

    def _threatened(self) -> bool:
        return any(r and s != self.seat for s, r in enumerate(self.view.riichi))

    def _danger(self, discard: Discard) -> tuple[float, float, int, bool]:
        kind = discard.tile.kind
        total = 0.0
        for seat in range(4):
            if seat != self.seat and self.view.riichi[seat]:
                total += _tile_danger(kind, self.view.safe[seat], self.view.seen)
        return total, self._keep_value(discard), discard.tile.code, discard.tsumogiri

    # -- others' tiles --------------------------------------------------------------------

    def _answer(self, options: Options) -> Choice:
        calls = [c for c in options.choices if isinstance(c, Pon | Chi | Daiminkan)]
        view = self.view
        now = self._shanten(view.counts)
        if not calls or (self._threatened() and now >= self.style.fold_shanten):
            return Pass(self.seat)
        best: tuple[int, int, Choice] | None = None
        for call in calls:
            if isinstance(call, Daiminkan):
                continue
            left = list(view.counts)
            for tile in call.consumed:
                left[tile.kind] -= 1
            after = self._shanten(left)
            if after >= now or not self._has_plan(call, left, after):
                continue
            reds = sum(t.red for t in call.consumed)
            if best is None or (after, -reds) < best[:2]:
                best = (after, -reds, call)
        if best is None:
            return self._open_kan(calls, now)
        value = isinstance(best[2], Pon) and best[2].tile.kind in view.value_kinds
        share = self.style.call_yakuhai if value else self.style.call_other
        return best[2] if self._chance(share) else Pass(self.seat)

    def _open_kan(self, calls: Sequence[Choice], now: int) -> Choice:
        """An open kan of an already open hand, if it does not raise the shanten."""
        for call in calls:
            if isinstance(call, Daiminkan) and not self.view.closed and self._value_melded():
                left = list(self.view.counts)
                left[call.tile.kind] = 0
                if self._shanten(left) <= now and self._chance(self.style.kan):
                    return call
        return Pass(self.seat)

    def _has_plan(self, call: Pon | Chi, left: Sequence[int], after: int) -> bool:
        """Whether the hand can get a yaku after a call: a value honour, or all simples."""
        view = self.view
        values = view.value_kinds
        if isinstance(call, Pon) and call.tile.kind in values:
            return True
        if after > self.style.call_shanten:
            return False
        if self._value_melded() or any(left[k] >= 3 for k in values):
            return True
        kinds = [call.tile.kind, *(t.kind for t in call.consumed)]
        return (
            not any(k in _YAOCHU for k in kinds)
            and self._simple_melds()
            and sum(left[k] for k in YAOCHU) <= _SIMPLES_JUNK
        )

    def _value_melded(self) -> bool:
        return any(m[0] == m[1] and m[0] in self.view.value_kinds for m in self.view.melds)

    def _simple_melds(self) -> bool:
        return not any(k in _YAOCHU for m in self.view.melds for k in m)

    def _all_simples(self) -> bool:
        """Whether an open hand needs all simples for its yaku."""
        view = self.view
        return (
            not view.closed
            and not self._value_melded()
            and self._simple_melds()
            and not any(view.counts[k] >= 3 for k in view.value_kinds)
        )


def _tile_danger(kind: int, safe: int, seen: Sequence[int]) -> float:
    """A rough percentage that a riichi waits on a kind; 0 for genbutsu.

    *Suji*: a tile three away from one they cannot win on is safe from that two-sided wait.
    """
    if safe >> kind & 1:
        return 0.0
    if kind >= 27:
        return (6.0, 6.0, 3.0, 1.0, 0.1)[seen[kind]]
    rank = kind % 9
    open_ends = 0
    if rank >= 3 and not safe >> (kind - 3) & 1:
        open_ends += 1
    if rank <= 5 and not safe >> (kind + 3) & 1:
        open_ends += 1
    return 1.5 + 0.4 * min(rank, 8 - rank) + 4.5 * open_ends

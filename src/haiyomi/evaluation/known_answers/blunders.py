"""Known blunders: options of a decision that are wrong beyond dispute, by rules without a network.

``found`` names them for each rule of ``BLUNDERS``. Each rule leaves out what could excuse the
choice: a threat where the hand gives up speed, a flush or seven pairs where a set is broken, the
last round where places count for more than points. So a rule finds few of the blunders that
it is named after, and what it finds is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from haiyomi.arrays import Bytes
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.tile_efficiency import tile_efficiency
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.corrections.tenpai_worth import wins_without_riichi
from haiyomi.outcomes.option import Option
from haiyomi.tiles import Tile, kind_counts

HONOURS: Final = 27
DRAGONS: Final = 31
FAR: Final = 2
"""Shanten from which a hand is far."""
EARLY: Final = 9
"""Own discards before which it is early."""
GOOD_WAIT: Final = 5
"""Unseen tiles that a good wait has at least."""
MANGAN_DORA: Final = 3
"""Dora and red fives with which riichi is worth a mangan, or nearly."""
_FLUSH: Final = 9
_PAIRS: Final = 4


@dataclass(frozen=True)
class Moment:
    """A decision as the rules see it: the seat's ``position``, its ``options``, and the ``offered``
    tile of another seat, None in the own turn."""

    position: Position
    options: tuple[Option, ...]
    offered: Tile | None

    def acts(self, act: str) -> list[Option]:
        """The options of one act."""
        return [option for option in self.options if option.act == act]

    @cached_property
    def counts(self) -> list[int]:
        """(34,) of the concealed hand."""
        return kind_counts(self.position.hand)

    @cached_property
    def efficiency(self) -> Bytes:
        """(34, 4) what each discard leaves (``kernels.tile_efficiency``)."""
        unseen = np.array([self.position.unseen], np.uint8)
        left: Bytes = tile_efficiency(np.array([self.counts], np.uint8), unseen)[0]
        return left

    def left(self, option: Option) -> int:
        """The shanten after a discard."""
        return int(self.efficiency[option.tiles[0].kind, 0])

    @cached_property
    def shanten(self) -> int:
        """After the best discard; on another's tile of the hand as it is."""
        if self.offered is None:
            return int(self.efficiency[:, 0].min())
        return int(shanten(np.array([self.counts], np.uint8))[0])

    @property
    def closed(self) -> bool:
        """Whether the own hand is closed."""
        return self.position.players[0].open_melds == 0

    @property
    def declared(self) -> list[int]:
        """The relative seats of the opponents in riichi."""
        return [r for r in (1, 2, 3) if self.position.players[r].riichi]

    @property
    def quiet(self) -> bool:
        """Whether no opponent is in riichi or has two open melds."""
        melded = max(player.open_melds for player in self.position.players[1:])
        return not self.declared and melded < 2

    @property
    def early(self) -> bool:
        """Whether it is early in the hand."""
        return len(self.position.players[0].river) < EARLY

    @property
    def last_round(self) -> bool:
        """Whether the game may end with this hand."""
        return self.position.kyoku >= 4 * self.position.rules.rounds - 1

    def safe(self, kind: int) -> bool:
        """Whether no opponent in riichi can win on a kind."""
        return all(self.position.players[r].furiten_mask >> kind & 1 for r in self.declared)

    def live(self, kind: int) -> bool:
        """Whether a number tile is safe from some opponent in riichi in no way: neither itself nor
        a tile three away from it was discarded."""
        near = [kind + step for step in (-3, 0, 3) if (kind + step) // 9 == kind // 9]
        passed = [self.position.players[r].furiten_mask for r in self.declared]
        return any(not any(mask >> k & 1 for k in near) for mask in passed)

    def bonus(self, tiles: Sequence[Tile]) -> int:
        """The dora and red fives among some tiles."""
        dora = self.position.dora
        return sum(dora[tile.kind] + tile.red for tile in tiles)

    def in_set(self, kind: int) -> bool:
        """Whether a kind belongs to a complete set of the concealed hand."""
        counts = self.counts
        if counts[kind] >= 3:
            return True
        lows = [kind - step for step in (0, 1, 2) if 0 <= kind % 9 - step <= 6]
        return kind < HONOURS and any(min(counts[low : low + 3]) > 0 for low in lows)

    @property
    def special(self) -> bool:
        """Whether the hand may become a flush or seven pairs."""
        suits = [sum(self.counts[first : first + 9]) for first in (0, 9, 18)]
        pairs = sum(count >= 2 for count in self.counts)
        melded = sum(len(meld.tiles) for meld in self.position.players[0].melds)
        return max(suits) + sum(self.counts[HONOURS:]) + melded >= _FLUSH or pairs >= _PAIRS

    def of_value(self, kind: int) -> bool:
        """Whether a triplet of a kind is a yaku of the seat."""
        position = self.position
        return kind >= DRAGONS or kind in (position.round_wind, position.seat_wind(0))


def _dangerous_tile(at: Moment) -> list[Option]:
    """A live middle tile or dora against riichi, far from tenpai, with a safe tile in hand."""
    discards = at.acts("discard")
    if not at.declared or at.shanten < FAR or at.position.players[0].riichi:
        return []
    if not any(at.safe(option.tiles[0].kind) for option in discards):
        return []
    out = []
    for option in discards:
        (tile,) = option.tiles
        rest = [each for each in at.position.hand if each != tile]
        risky = 3 <= tile.kind % 9 <= 5 or at.position.dora[tile.kind] > 0
        if tile.kind < HONOURS and risky and at.live(tile.kind) and at.bonus(rest) <= 1:
            out.append(option)
    return out


def _set_broken(at: Moment) -> list[Option]:
    """A complete set broken one step from tenpai, with no threat."""
    if at.offered is not None or at.shanten != 1 or not at.quiet or at.special:
        return []
    return _from_sets(at)


def _tenpai_dropped(at: Moment) -> list[Option]:
    """Early tenpai with a good wait, dropped from a complete set with no threat."""
    if not at.acts("riichi") or not (at.early and at.quiet and _waits_well(at)):
        return []
    return [] if at.special else _from_sets(at)


def _tenpai_folded(at: Moment) -> list[Option]:
    """Tenpai with a good wait and the dora of a mangan, dropped against one riichi early on."""
    good = at.early and len(at.declared) == 1 and at.bonus(at.position.hand) >= MANGAN_DORA
    if not (at.acts("riichi") and good and _waits_well(at)):
        return []
    return [option for option in at.acts("discard") if at.left(option) > 0]


def _silent(at: Moment) -> list[Option]:
    """Early closed tenpai with a good wait and no yaku that is not declared."""
    if not (at.early and at.quiet) or at.last_round:
        return []
    out = []
    for option in at.acts("riichi"):
        (tile,) = option.tiles
        wide = at.efficiency[tile.kind, 1] >= GOOD_WAIT
        if wide and not _furiten(at, tile) and not wins_without_riichi(at.position, tile):
            out.append(Option("discard", (tile,)))
    return [option for option in out if option in at.options]


def _win_declined(at: Moment) -> list[Option]:
    """A win that is not claimed, before the last round."""
    if at.last_round:
        return []
    if at.acts("ron"):
        return at.acts("pass")
    drawn = at.position.drawn
    if not at.acts("tsumo") or drawn is None:
        return []
    return [option for option in at.acts("discard") if option.tiles == (drawn,)]


def _call_without_yaku(at: Moment) -> list[Option]:
    """A closed hand next to tenpai opened by a call after which no yaku is near."""
    if at.offered is None or not at.closed or at.shanten > 1 or not at.quiet or at.last_round:
        return []
    return [
        option
        for act in ("chi", "pon")
        for option in at.acts(act)
        if not _yaku_near(at, (at.offered, *option.tiles))
    ]


def _open_kan(at: Moment) -> list[Option]:
    """A closed hand near tenpai opened by a kan that is no yaku."""
    if at.offered is None or not at.closed or at.shanten > FAR or at.of_value(at.offered.kind):
        return []
    kans = at.acts("daiminkan")
    return [option for option in kans if not _yaku_near(at, (at.offered, *option.tiles))]


def _from_sets(at: Moment) -> list[Option]:
    """The discards from complete sets that leave more shanten."""
    return [
        option
        for option in at.acts("discard")
        if at.left(option) > at.shanten and at.in_set(option.tiles[0].kind)
    ]


def _waits_well(at: Moment) -> bool:
    """Whether some riichi has a good wait that is not furiten."""
    return any(
        at.efficiency[option.tiles[0].kind, 1] >= GOOD_WAIT and not _furiten(at, option.tiles[0])
        for option in at.acts("riichi")
    )


def _furiten(at: Moment, tile: Tile) -> bool:
    """Whether the hand that a discard leaves waits on a tile that it may not win on by ron."""
    held = np.array([at.counts], np.uint8)
    held[0, tile.kind] -= 1
    passed = at.position.players[0].furiten_mask | 1 << tile.kind
    return bool(int(waits(held)[0]) & passed)


def _yaku_near(at: Moment, meld: tuple[Tile, ...]) -> bool:
    """Whether a hand opened with a meld may have a yaku: its value tiles, all simples, a flush, all
    triplets, terminals everywhere, a straight or three suits alike."""
    counts = list(at.counts)
    for tile in meld[1:]:
        counts[tile.kind] -= 1
    for tile in meld:
        counts[tile.kind] += 1
    kinds = [kind for kind in range(34) for _ in range(counts[kind])]
    if any(counts[kind] >= 2 and at.of_value(kind) for kind in range(HONOURS, 34)):
        return True
    outside = [kind for kind in kinds if kind >= HONOURS or kind % 9 in (0, 8)]
    middle = sum(kind < HONOURS and 3 <= kind % 9 <= 5 for kind in kinds)
    simples = not any(t.kind >= HONOURS or t.kind % 9 in (0, 8) for t in meld)
    if (simples and len(outside) <= 3) or (not simples and middle <= 2):
        return True
    suits = [counts[first : first + 9] for first in (0, 9, 18)]
    if max(map(sum, suits)) + sum(counts[HONOURS:]) >= _FLUSH:
        return True
    if sum(count >= 2 for count in counts) >= _PAIRS:
        return True
    straight = max(sum(count > 0 for count in suit) for suit in suits)
    alike = max(sum(suit[low + i] > 0 for suit in suits for i in range(3)) for low in range(7))
    return straight >= 7 or alike >= 7


Rule: TypeAlias = Callable[[Moment], list[Option]]
BLUNDERS: Final[dict[str, Rule]] = {
    "dangerous tile far from tenpai": _dangerous_tile,
    "complete set broken": _set_broken,
    "good tenpai dropped": _tenpai_dropped,
    "mangan tenpai folded": _tenpai_folded,
    "no riichi without a yaku": _silent,
    "win declined": _win_declined,
    "call without a yaku": _call_without_yaku,
    "open kan": _open_kan,
}
"""The options of a decision that are blunders by each rule."""


def found(moment: Moment) -> dict[str, list[Option]]:
    """The blunders of a decision, by rule; those without one are left out."""
    each = {name: rule(moment) for name, rule in BLUNDERS.items()}
    return {name: options for name, options in each.items() if options}

"""Why a tile is dangerous, or safe: the waits that its risk is made of, each with its share.

The hands that could win on the tile are drawn exactly from the posterior, given that they win
on it; each is read as the wait that the tile completes. Shares are of the opponent's risk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from haiyomi.dealin.answer import ZeroReason
from haiyomi.dealin.posterior_model import PosteriorModel
from haiyomi.dealin.tenpai_reading import Reading
from haiyomi.dealin.waits import N_WAITS, WAITS, WaitShape
from haiyomi.game.position import Position
from haiyomi.kernels.scoring import MeldType, no_melds, score
from haiyomi.kernels.tenpai_hands import wait_forms
from haiyomi.tiles import Kind, Seat, Tile

DRAWS = 600
"""Hands drawn; a share's standard error is at most 2%."""


@dataclass(frozen=True, slots=True)
class WaitShare:
    """A wait and its share of the risk. ``wins``: the kinds it waits on; of a shanpon both
    pairs, the tile's own first. ``held``: the kinds of the part that the tile completes.
    ``shape`` ``orphans``: thirteen orphans."""

    shape: WaitShape | str
    wins: tuple[Kind, ...]
    held: tuple[Kind, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Why:
    """One opponent's risk of a tile explained: ``waits`` by share, likeliest first, together
    one; or ``reason`` why there is none."""

    opponent: Seat
    tenpai: float
    probability: float
    waits: tuple[WaitShare, ...]
    reason: ZeroReason | None


def explain(
    model: PosteriorModel, position: Position, tile: Tile, draws: int = DRAWS
) -> tuple[Why, Why, Why]:
    """Why the tile carries the risk it does, against relative seats 1, 2 and 3."""
    found = model.opponents(position)
    kind = int(tile.kind)
    out = []
    for i in range(3):
        reason = found.reasons[i][kind]
        p = float(found.ron[i, kind])
        shares: tuple[WaitShare, ...] = ()
        if reason is None:
            shares = wait_shares(found.readings.rows[i], kind, draws)
        out.append(Why(Seat(i + 1), float(found.tenpai[i]), p, shares, reason))
    return out[0], out[1], out[2]


def wait_shares(reading: Reading, kind: int, draws: int = DRAWS) -> tuple[WaitShare, ...]:
    """The waits that win on a kind, by share."""
    given = reading.given
    hands = reading.posterior.sample(draws, 11, kind, given.furiten)
    # Who has all four of a kind that the viewer lacks can be dealt none.
    hands = hands[hands[:, kind] + _in_melds(given.melds, kind) < 4]
    if len(hands) == 0:
        return ()
    hands = hands[_wins(hands, reading, kind)]
    forms = wait_forms(hands, kind)
    count: Counter[tuple[str, tuple[Kind, ...], tuple[Kind, ...]]] = Counter()
    # Many hands share their waits: each set of waits is named once.
    for held, n in Counter(map(bytes, np.packbits(forms, axis=1))).items():
        count[_named(held, kind)] += n
    return tuple(WaitShare(*name, n / len(hands)) for name, n in count.most_common())


def _wins(hands: NDArray[np.uint8], reading: Reading, kind: int) -> NDArray[np.bool_]:
    given = reading.given
    if given.certain_yaku:
        return np.ones(len(hands), bool)
    won = hands.copy()
    won[:, kind] += 1
    melds = no_melds(len(hands))
    for j, meld in enumerate(given.melds):
        melds[:, j] = meld
    found = score(
        won, kind, melds=melds, round_wind=given.round_wind, seat_wind=given.seat_wind,
        rules=given.rules,
    )  # fmt: skip
    return found.has_yaku if found.has_yaku.any() else np.ones(len(hands), bool)


def _in_melds(melds: Iterable[Sequence[int]], kind: int) -> int:
    """How many tiles of a kind some melds hold, rows of (``MeldType``, kind - the lowest of a
    chi)."""
    copies = 0
    for shape, first in melds:
        if shape == MeldType.CHI:
            copies += first <= kind <= first + 2
        elif first == kind:
            copies += 3 if shape == MeldType.PON else 4
    return copies


@lru_cache(maxsize=4096)
def _named(row: bytes, kind: int) -> tuple[str, tuple[Kind, ...], tuple[Kind, ...]]:
    """The first of a hand's readings by two-sided, edge or closed, shanpon, single; ``row``: the
    bits of its waits."""
    bits = np.unpackbits(np.frombuffer(row, np.uint8), count=N_WAITS)
    held = [WAITS[m] for m in np.flatnonzero(bits)]
    for wait in held:
        if wait.shape == "shanpon":
            other = [w.wins[0] for w in held if w.shape == "shanpon" and kind not in w.wins]
            return "shanpon", (Kind(kind), *other[:1]), (Kind(kind), Kind(kind))
        if kind in wait.wins:
            return wait.shape, wait.wins, wait.held
    return "orphans", (Kind(kind),), ()


def sentence(why: Why) -> str:
    """The explanation in words: ``58%: 4-7p two-sided; 17%: shanpon with E; ...``."""
    from haiyomi.tiles import kind_name

    if why.reason is not None:
        return REASONS[why.reason]
    shown = [w for w in why.waits[:6] if w.share >= 0.02]
    parts = []
    for wait in shown:
        names = [kind_name(k) for k in wait.wins]
        held = [kind_name(k) for k in wait.held]
        if wait.shape == "shanpon":
            said = f"shanpon with {names[1]}" if len(names) > 1 else "shanpon"
        elif wait.shape == "two-sided":
            said = f"{names[0][0]}-{names[1]} two-sided"
        elif wait.shape == "single":
            said = "single wait"
        elif wait.shape == "orphans":
            said = "thirteen orphans"
        else:
            closed = wait.held[1] - wait.held[0] == 2
            said = f"{held[0][0]}{held[1]} {'closed' if closed else 'edge'} wait"
        parts.append(f"{wait.share:.0%}: {said}")
    rest = 1.0 - sum(w.share for w in shown)
    if why.waits and rest >= 0.005:
        parts.append(f"{rest:.0%}: other waits")
    return "; ".join(parts) if parts else "no wait that its weights know of"


REASONS: dict[ZeroReason, str] = {
    "river": "safe: it is in this player's own discards (genbutsu, furiten)",
    "passed-riichi": "safe: this player let it pass after riichi (furiten)",
    "passed-turn": "safe: this player let it pass since the last own discard (furiten)",
    "no-hand": "safe: no hand that the unseen tiles and the melds allow waits on it",
}
"""Why a risk is nil, in words."""

"""What players of each style would discard in one position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from haiyomi.events import Discard, Kakan
from haiyomi.game.position import Position
from haiyomi.game.sights import NONE
from haiyomi.play.legal import RIICHI_DRAWS
from haiyomi.play.player import Choice, Options
from haiyomi.play.settle import DEPOSIT
from haiyomi.styles.decisions import RIICHI, Decisions, decision_of
from haiyomi.styles.policy import POOLED, Policy, shipped_policy
from haiyomi.styles.policy_network import STYLE, Floats
from haiyomi.tiles import Kind, Tile


@dataclass(frozen=True, slots=True)
class StyleShares:
    """One style: ``shares`` (tile kind, probability), likeliest first, of the discards; they sum
    to one. ``riichi``: P(declares it now), None where it may not."""

    style: str
    shares: tuple[tuple[Kind, float], ...]
    riichi: float | None


def discard_shares(
    position: Position, tiles: Sequence[Tile] | None = None, policy: Policy | None = None
) -> tuple[StyleShares, ...]:
    """The pooled policy first, then each class of players; empty where there is no choice.

    ``tiles`` that may be discarded, by default all that the position has. Raises ModelError
    where the shipped policy cannot be loaded.
    """
    tiles = position.discards if tiles is None else tuple(tiles)
    if len({tile.kind for tile in tiles}) < 2 or len(position.hand) % 3 != 2:
        return ()
    policy = policy or shipped_policy()
    names = (POOLED, *policy.styles)
    row = own_turn(position, tiles)
    vectors = np.zeros((len(names), STYLE), np.float32)
    for i, name in enumerate(names):
        vectors[i] = policy.style(name)
    found = policy.logits(np.repeat(row, len(names)), vectors)
    may_riichi = bool(row["legal"][0] >> RIICHI & 1)
    kinds = sorted({tile.kind for tile in tiles})
    out = []
    for i, name in enumerate(names):
        p = _softmax(found.discards[i, kinds])
        order = np.argsort(-p, kind="stable")
        riichi = float(1 / (1 + np.exp(-found.acts[i, RIICHI]))) if may_riichi else None
        out.append(StyleShares(name, tuple((kinds[j], float(p[j])) for j in order), riichi))
    return tuple(out)


def own_turn(position: Position, tiles: Sequence[Tile]) -> Decisions:
    """The record of a decision at the viewer's own turn, of shape (1,), from the position alone:
    the discards, riichi and kans that the rules allow; a win and nine terminals are not asked."""
    seat, me = position.seat, position.players[0]
    choices: list[Choice] = [Discard(seat, tile, tile == position.drawn) for tile in tiles]
    if position.drawn is not None and position.draws_left > 0:
        held = {tile.kind for tile in position.hand}
        choices += [
            Kakan(seat, Tile(m.tiles[0].kind))
            for m in me.melds
            if m.kind == "pon" and m.tiles[0].kind in held
        ]
    row = decision_of(position, Options(seat, tuple(choices)))
    if position.drawn is not None and position.draws_left > 0:
        row["kans"] |= np.uint64(sum(1 << k for k in range(34) if row["hand"][0, k] == 4))
    steps = row["outlook"][0, :, 0]
    may_riichi = (
        position.drawn is not None
        and not me.riichi
        and me.open_melds == 0
        and me.score >= DEPOSIT
        and position.draws_left >= RIICHI_DRAWS
        and int(steps[steps != NONE].min(initial=NONE)) == 0
    )
    if may_riichi:
        row["legal"] |= 1 << RIICHI
    return row


def _softmax(x: Floats) -> Floats:
    e = np.exp(x.astype(np.float64) - x.max())
    out: Floats = e / e.sum()
    return out

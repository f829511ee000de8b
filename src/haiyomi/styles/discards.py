"""What players of each style would discard in one position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haiyomi.events import Discard, Kakan
from haiyomi.game.decision_record import RIICHI, Decisions
from haiyomi.game.position import Position
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.player import Choice
from haiyomi.play.riichi_rule import RIICHI_DRAWS
from haiyomi.play.settle import DEPOSIT
from haiyomi.styles.policy import POOLED, Policy, shipped_policy
from haiyomi.styles.policy_network import Floats
from haiyomi.tiles import Kind, Tile


@dataclass(frozen=True, slots=True)
class StyleShares:
    """One style: ``shares`` (tile kind, probability), likeliest first, of the discards; they sum
    to one. ``riichi``: P(declares it now), None where it may not."""

    style: str
    shares: tuple[tuple[Kind, float], ...]
    riichi: float | None


def discard_shares_of(
    queries: Sequence[tuple[Position, Sequence[Tile]]], policy: Policy | None = None
) -> list[tuple[StyleShares, ...]]:
    """Of each position, with the tiles that may be discarded: the pooled policy first, then each
    class of players; empty where there is no choice. Raises ModelError where the shipped policy
    cannot be loaded."""
    out: list[tuple[StyleShares, ...]] = [()] * len(queries)
    free = [
        i
        for i, (position, tiles) in enumerate(queries)
        if len(position.hand) % 3 == 2 and len({tile.kind for tile in tiles}) > 1
    ]
    if not free:
        return out
    policy = policy or shipped_policy()
    names = (POOLED, *policy.styles)
    rows = own_turns([queries[i] for i in free])
    vectors = np.array([policy.style(name) for name in names])
    found = policy.logits_of_styles(rows, vectors)
    riichi = 1 / (1 + np.exp(-found.acts[:, :, RIICHI]))
    may_riichi = (rows["legal"] >> RIICHI & 1).tolist()
    for n, i in enumerate(free):
        kinds = sorted({tile.kind for tile in queries[i][1]})
        p = _softmax(found.discards[n][:, kinds])
        order = np.argsort(-p, axis=1, kind="stable").tolist()
        out[i] = tuple(
            StyleShares(name, tuple([(kinds[j], share[j]) for j in places]), declares)
            for name, share, places, declares in zip(
                names,
                p.tolist(),
                order,
                riichi[n].tolist() if may_riichi[n] else [None] * len(names),
                strict=True,
            )
        )
    return out


_BITS = np.uint64(1) << np.arange(34, dtype=np.uint64)


def own_turns(queries: Sequence[tuple[Position, Sequence[Tile]]]) -> Decisions:
    """(n,) records of decisions at the viewer's own turn, from the position and the tiles that may
    be discarded: the legal discards, riichi and kans; a win and nine terminals are left out."""
    rows = unpack_decisions(b"".join(_packed(*each) for each in queries))
    four = ((rows["hand"] == 4) * _BITS).sum(axis=1, dtype=np.uint64)
    tenpai = (rows["efficiency"][:, :, 0] == 0).any(axis=1)
    for i, (position, _) in enumerate(queries):
        if position.drawn is None or position.draws_left == 0:
            continue
        rows["kans"][i] |= four[i]
        me = position.players[0]
        may_riichi = (
            not me.riichi
            and me.open_melds == 0
            and me.score >= DEPOSIT
            and position.draws_left >= RIICHI_DRAWS
        )
        if may_riichi and tenpai[i]:
            rows["legal"][i] |= 1 << RIICHI
    return rows


def _packed(position: Position, tiles: Sequence[Tile]) -> bytes:
    seat, me = position.seat, position.players[0]
    choices: list[Choice] = [Discard(seat, tile, tile == position.drawn) for tile in tiles]
    if position.drawn is not None and position.draws_left > 0:
        held = {tile.kind for tile in position.hand}
        choices += [
            Kakan(seat, Tile(m.tiles[0].kind))
            for m in me.melds
            if m.kind == "pon" and m.tiles[0].kind in held
        ]
    return pack_decision(Decision(position, tuple(choices), None))


def _softmax(x: Floats) -> NDArray[np.float64]:
    """Over the last axis."""
    e = np.exp(x.astype(np.float64) - x.max(axis=-1, keepdims=True))
    out: NDArray[np.float64] = e / e.sum(axis=-1, keepdims=True)
    return out

"""The policy's choices for a batch of decision records, as actions.

The choices are made in the order of ``Imitator``: in the own turn a win, nine terminals, a kan,
riichi, then a discard; on another's tile one of the claims or to pass.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.decision_record import (
    CHI_LOW,
    NINE,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    Decisions,
)
from haiyomi.game.observation import NONE
from haiyomi.play import actions as act
from haiyomi.styles.policy import Policy
from haiyomi.styles.policy_network import Singles
from haiyomi.tiles import N_KINDS, RED_KINDS

Actions = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_CLAIMS: Final = tuple(range(CHI_LOW, RON + 1))
_KINDS: Final = np.arange(N_KINDS, dtype=np.uint64)


class Draws(Protocol):
    """What gives random numbers in [0, 1), such as a numpy Generator."""

    def random(self, size: tuple[int, ...], /) -> NDArray[np.float64]: ...


def policy_actions(
    policy: Policy,
    records: Decisions,
    legal: _Bools,
    style: Singles | None = None,
    temperature: float = 0.0,
    rng: Draws | None = None,
) -> Actions:
    """(m,) one legal action for each of m decisions.

    ``legal`` (m, N_ACTIONS); ``style`` (STYLE,) or (m, STYLE), by default the pooled policy.
    ``temperature`` 0 takes what is likeliest; above 0 ``rng`` draws, five numbers a row. Between a
    red five and a plain one, calls show the red one and discards keep it.
    """
    m = len(records)
    if m == 0:
        return np.zeros(0, np.int64)
    if temperature > 0 and rng is None:
        raise ValueError("a temperature above 0 needs a random generator")
    logits = policy.logits(records, style)
    uniforms = np.zeros((m, 5)) if rng is None else rng.random((m, 5))
    chosen = np.full(m, -1, np.int64)
    own = records["from"] == NONE

    def take(rows: _Bools, scores: Singles, column: int, actions: Actions) -> None:
        """Take an action in the rows that may and whose logit is accepted against 0."""
        both = np.stack([np.zeros(m, np.float32), scores], axis=1)
        accepted = _drawn(both, temperature, uniforms[:, column]) == 1
        here = rows & own & (chosen < 0) & accepted
        chosen[here] = actions[here]

    acts = records["legal"]
    take(acts >> TSUMO & 1 == 1, logits.acts[:, TSUMO], 0, np.full(m, act.TSUMO))
    take(acts >> NINE & 1 == 1, logits.acts[:, NINE], 1, np.full(m, act.NINE_TERMINALS))
    kans = np.where(_bits(records["kans"]), logits.kans, -np.inf)
    best = kans.argmax(axis=1)
    kan = kans[np.arange(m), best].astype(np.float32)
    take(records["kans"] > 0, np.where(np.isfinite(kan), kan, 0).astype(np.float32), 2,
         act.KAN + best)  # fmt: skip
    take(acts >> RIICHI & 1 == 1, logits.acts[:, RIICHI], 3, np.full(m, act.RIICHI))
    discards = np.where(_bits(records["discards"]), logits.discards, -np.inf)
    kinds = np.zeros(m, np.int64)
    kinds[own] = _drawn(discards[own].astype(np.float32), temperature, uniforms[own, 4])
    rest = own & (chosen < 0)
    chosen[rest] = _first_legal(_DISCARDS[kinds[rest]], legal[rest])
    claims = np.flatnonzero(~own)
    chosen[claims] = _answers(
        records[claims], logits.acts[claims], legal[claims], temperature, uniforms[claims, 0]
    )
    return chosen


def _answers(
    records: Decisions,
    scores: Singles,
    legal: _Bools,
    temperature: float,
    uniforms: NDArray[np.float64],
) -> Actions:
    """(m,) the claims on other seats' tiles; ``scores`` (m, 9) are the logits of acts."""
    open_to = (records["legal"][:, None] >> np.array(_CLAIMS)) & 1 == 1
    columns = np.zeros((len(records), 1 + len(_CLAIMS)), np.float32)
    columns[:, 1:] = np.where(open_to, scores[:, list(_CLAIMS)], -np.inf)
    taken = _drawn(columns, temperature, uniforms)
    return _first_legal(_ANSWERS[taken, records["offered"].astype(np.int64)], legal)


def _bits(masks: NDArray[np.uint64]) -> _Bools:
    """(m, 34) the kinds in masks of bits."""
    out: _Bools = (masks[:, None] >> _KINDS & np.uint64(1)).astype(np.bool_)
    return out


def _drawn(scores: Singles, temperature: float, uniforms: NDArray[np.float64]) -> Actions:
    """(m,) the column of the greatest score, or drawn by softmax; -inf is never drawn."""
    if temperature <= 0:
        return np.asarray(scores.argmax(axis=1), np.int64)
    top = scores.max(axis=1, keepdims=True)
    shares = np.exp((scores - top).astype(np.float64) / temperature)
    ends = np.cumsum(shares, axis=1)
    found: Actions = (ends <= (uniforms * ends[:, -1])[:, None]).sum(axis=1)
    return found


def _first_legal(candidates: Actions, legal: _Bools) -> Actions:
    """(m,) the first legal one of each row's candidates; -1 stands for none."""
    open_to = legal[np.arange(len(candidates))[:, None], candidates] & (candidates >= 0)
    first: Actions = candidates[np.arange(len(candidates)), open_to.argmax(axis=1)]
    return first


def _red_code(kind: int) -> int | None:
    return N_KINDS + kind // 9 if kind in RED_KINDS else None


def _discard_candidates() -> Actions:
    """(34, 4) of each kind: plain before red, of equal tiles the one just drawn."""
    table = np.full((N_KINDS, 4), -1, np.int64)
    for kind in range(N_KINDS):
        red = _red_code(kind)
        codes = (kind,) if red is None else (kind, red)
        both = [base + code for code in codes for base in (act.TSUMOGIRI, act.DISCARD)]
        table[kind, : len(both)] = both
    return table


def _answer_candidates() -> Actions:
    """(1 + claims, 34, 4) of passing and each claim of each kind: with a red five first."""
    table = np.full((1 + len(_CLAIMS), N_KINDS, 4), -1, np.int64)
    table[0, :, 0] = act.PASS
    table[1 + RON - CHI_LOW, :, 0] = act.RON
    for kind in range(N_KINDS):
        red = _red_code(kind)
        pons = [act.PON + kind] if red is None else [act.PON + red, act.PON + kind]
        table[1 + PON - CHI_LOW, kind, : len(pons)] = pons
        table[1 + OPEN_KAN - CHI_LOW, kind, 0] = act.KAN + kind
        for i, (low, high) in enumerate(((1, 2), (-1, 1), (-2, -1))):
            pairs = [
                (a.red + b.red, act.CHI + n)
                for n, (a, b) in enumerate(act.CHI_PAIRS)
                if (a.kind, b.kind) == (kind + low, kind + high)
            ]
            names = [n for _, n in sorted(pairs, key=lambda pair: -pair[0])]
            table[1 + i, kind, : len(names)] = names
    return table


_DISCARDS: Final = _discard_candidates()
_ANSWERS: Final = _answer_candidates()

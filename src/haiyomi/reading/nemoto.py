"""The CRF of Nemoto, Komiya and Kotani: hands as labels of a sequence of 34 kinds.

Each kind is a place in a sequence (suits m, p, s, then the honours) with two numbers: how
many copies lie in the opponent's river, and how many are visible elsewhere on the table. Its
label is how many the opponent holds. The linear-chain CRF (1)-(2) knows neither how many
tiles a hand has nor how many are left: it is the published baseline.

Counts are 0-4; 5 stands for a place beyond the sequence's ends. *Dummies* separate kinds that
cannot form sets together: two between suits and two between every two honours, none at the ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Floats, Ints, Ints32
from haiyomi.errors import ModelError
from haiyomi.game.observation import CALLED, NONE, RIVER, Observations
from haiyomi.game.position import Position
from haiyomi.reading.decode import roulette
from haiyomi.reading.model import OpponentsKnown
from haiyomi.reading.opponent_class import opponents_of, totals_of
from haiyomi.seeds import generator
from haiyomi.storage.model_file import read_model

NAME: Final = "nemoto"
VERSION: Final = 1
LARGEST_WEIGHT: Final = 50.0
"""No weight is larger (those of the shipped models stay below 3): exponentials stay finite."""
NEVER: Final = -10_000.0
"""The weight of transitions from and to a label that no training sequence has; none is less."""
DUMMIES: Final = ("none", "0", "d")
"""No dummies; dummies labelled 0 as if none were held; dummies with a label of their own."""
LABELS: Final = 5
DUMMY: Final = 34
BEYOND: Final = 5

TEMPLATES: Final[tuple[tuple[str, tuple[tuple[str, int], ...]], ...]] = (
    ("1 kind", (("kind", 0),)),
    ("2 river", (("river", 0),)),
    ("3 two rivers", (("river", -1), ("river", 0))),
    ("3 two rivers", (("river", 0), ("river", 1))),
    ("4 visible", (("visible", 0),)),
    ("5 two visible", (("visible", -1), ("visible", 0))),
    ("5 two visible", (("visible", 0), ("visible", 1))),
    ("6 three rivers", (("river", -2), ("river", -1), ("river", 0))),
    ("6 three rivers", (("river", -1), ("river", 0), ("river", 1))),
    ("6 three rivers", (("river", 0), ("river", 1), ("river", 2))),
    ("7 three visible", (("visible", -2), ("visible", -1), ("visible", 0))),
    ("7 three visible", (("visible", -1), ("visible", 0), ("visible", 1))),
    ("7 three visible", (("visible", 0), ("visible", 1), ("visible", 2))),
    ("8 kind and river", (("kind", 0), ("river", 0))),
    *(
        ("9 kind, river and visible", (("kind", 0), ("river", 0), ("visible", d)))
        for d in (-2, -1, 0, 1, 2)
    ),
)
"""The nine feature templates of section 3.2, each with its windows."""


def _sizes() -> list[int]:
    return [
        int(np.prod([35 if column == "kind" else 6 for column, _ in parts]))
        for _, parts in TEMPLATES
    ]


STARTS: Final = np.concatenate([[0], np.cumsum(_sizes())])
N_STRINGS: Final = int(STARTS[-1])
"""How many feature strings the templates can make."""


def sequence_kinds(dummies: str) -> Ints:
    """The kind at each place of the sequence, DUMMY at dummies."""
    if dummies == "none":
        return np.arange(34)
    out: list[int] = []
    for kind in range(34):
        if kind in (9, 18) or kind >= 27:
            out += [DUMMY, DUMMY]
        out.append(kind)
    return np.array(out)


def columns_of(observations: Observations, opponent: NDArray[Any]) -> tuple[Ints, Ints]:
    """(n, 34) copies in the opponent's river, and visible elsewhere on the table.

    Elsewhere: the other rivers, all melds, the indicators; no hand, the viewer's included. A
    tile called out of the opponent's river counts as of that river, one called out of another
    as of the meld: each tile once.
    """
    n = len(observations)
    everyone = observations["players"]
    shown = np.zeros((n, 34), np.int64)
    river = np.zeros((n, 34), np.int64)
    slot = np.arange(RIVER)
    rows = np.arange(n)[:, None]
    for s in range(4):
        player = everyone[:, s]
        there = slot < player["n"][:, None]
        lying = there & ((player["flags"] & CALLED) == 0)
        shown += _count(rows, player["kind"], lying)
        of_opponent = (opponent == s)[:, None]
        river += _count(rows, player["kind"], there & of_opponent)
        for j in range(4):
            meld = player["melds"][:, j]
            kind, base = meld[:, 0], meld[:, 1]
            for offset in range(3):
                chi = np.flatnonzero(kind == 0)
                shown[chi, base[chi].astype(np.int64) + offset] += 1
            for number, types in ((3, (1,)), (4, (2, 3, 4))):
                same = np.flatnonzero(np.isin(kind, types))
                shown[same, base[same].astype(np.int64)] += number
    shown += _count(rows, observations["indicators"], observations["indicators"] != NONE)
    return river, shown - river


def _count(rows: Ints, kinds: Bytes, mask: Bools) -> Ints:
    n = len(rows)
    cell = (34 * rows + kinds.astype(np.int64))[mask]
    # minlength suffices, because no masked slot holds NONE.
    return np.bincount(cell, minlength=34 * n).reshape(n, 34)


def strings_of(river: Ints, visible: Ints, dummies: str) -> Ints32:
    """(n, places, windows) index 0 to N_STRINGS - 1 of every feature string.

    A dummy's kind is DUMMY; its two counts are 0, for the paper names no others.
    """
    kinds = sequence_kinds(dummies)
    real = kinds < DUMMY
    n, length = len(river), len(kinds)
    value: dict[str, Ints] = {"kind": np.broadcast_to(kinds, (n, length))}
    for name, counts in (("river", river), ("visible", visible)):
        value[name] = np.zeros((n, length), np.int64)
        value[name][:, real] = counts
    out = np.empty((n, length, len(TEMPLATES)), np.int32)
    for j, (_, parts) in enumerate(TEMPLATES):
        index = np.zeros((n, length), np.int64)
        for column, offset in parts:
            base = 35 if column == "kind" else 6
            shifted = np.full((n, length), BEYOND)
            low, high = max(0, -offset), length - max(0, offset)
            shifted[:, low:high] = value[column][:, low + offset : high + offset]
            index = index * base + shifted
        out[:, :, j] = STARTS[j] + index
    return out


@dataclass(frozen=True, slots=True, eq=False)
class NemotoModel:
    """A fitted CRF: ``state`` (N_STRINGS, labels) and ``transition`` (labels, labels) weights;
    labels 0-4, and a sixth, d, where dummies carry it."""

    dummies: str
    state: Floats
    transition: Floats
    manifest: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{NAME}-{self.dummies}"

    @property
    def samples_tenpai(self) -> bool:
        """The paper's roulette knows no tenpai."""
        return False

    def answers(
        self, positions: Sequence[Position], asked: Sequence[OpponentsKnown] = ()
    ) -> NemotoAnswers:
        """See ``reading.model.HandModel``; the CRF takes nothing from other models."""
        observations, opponent = opponents_of(positions)
        return NemotoAnswers(
            self.marginals(observations, opponent), totals_of(observations, opponent)
        )

    @classmethod
    def load(cls, path: Path) -> NemotoModel:
        """Read a model file. Raises ModelError."""
        payload, manifest = read_model(path, NAME, VERSION)
        try:
            dummies = str(payload["dummies"])
            labels = LABELS + (dummies == "d")
            state = np.zeros((N_STRINGS, labels))
            index = np.array(payload["strings"], dtype=np.int64)
            if len(index) and not (index.min() >= 0 and index.max() < N_STRINGS):
                raise ModelError(f"{path.name}: a feature string is out of range")
            state[index] = np.array(payload["state"], dtype=np.float64).reshape(-1, labels)
            transition = np.array(payload["transition"], dtype=np.float64)
        except (KeyError, ValueError, TypeError) as error:
            raise ModelError(f"{path.name}: a table is missing or damaged ({error})") from None
        if dummies not in DUMMIES or transition.shape != (labels, labels):
            raise ModelError(f"{path.name}: the tables' shapes do not fit")
        for table in (state, transition):
            if not (table.min() >= NEVER and table.max() <= LARGEST_WEIGHT):
                limits = f"{NEVER:g} to {LARGEST_WEIGHT:g}"
                raise ModelError(f"{path.name}: a weight outside of {limits}, or no number")
        return cls(dummies, state, transition, manifest)

    def scores(self, river: Ints, visible: Ints) -> Floats:
        """(n, places, labels): w . phi of (1), the part of single places."""
        strings = strings_of(river, visible, self.dummies)
        out = self.state[strings[:, :, 0]]
        for j in range(1, strings.shape[2]):
            out = out + self.state[strings[:, :, j]]
        return out

    def label_marginals(self, river: Ints, visible: Ints) -> Floats:
        """(n, 34, 5): the marginal probability of each real label, by (1)-(2) summed over all
        sequences; with labels d the rest of a place's probability is left out."""
        score = self.scores(river, visible)
        n, length, labels = score.shape
        step = np.exp(self.transition)
        local = np.exp(score - score.max(axis=2, keepdims=True))
        ahead = np.empty((n, length, labels))
        behind = np.ones((n, length, labels))
        ahead[:, 0] = local[:, 0] / local[:, 0].sum(axis=1, keepdims=True)
        for i in range(1, length):
            now = (ahead[:, i - 1] @ step) * local[:, i]
            ahead[:, i] = now / now.sum(axis=1, keepdims=True)
        for i in range(length - 2, -1, -1):
            now = (behind[:, i + 1] * local[:, i + 1]) @ step.T
            behind[:, i] = now / now.sum(axis=1, keepdims=True)
        both = ahead * behind
        both /= both.sum(axis=2, keepdims=True)
        real = sequence_kinds(self.dummies) < DUMMY
        out: Floats = both[:, real, :LABELS]
        return out

    def best_labels(self, river: Ints, visible: Ints) -> Bytes:
        """(n, 34) labels of the likeliest sequence (Viterbi); a label d at a kind counts 0."""
        score = self.scores(river, visible)
        n, length, labels = score.shape
        back = np.empty((n, length, labels), np.int8)
        best = score[:, 0]
        for i in range(1, length):
            through = best[:, :, None] + self.transition
            back[:, i] = through.argmax(axis=1)
            best = through.max(axis=1) + score[:, i]
        out = np.empty((n, length), np.int64)
        out[:, -1] = best.argmax(axis=1)
        for i in range(length - 1, 0, -1):
            out[:, i - 1] = back[np.arange(n), i, out[:, i]]
        out = out[:, sequence_kinds(self.dummies) < DUMMY]
        return np.where(out < LABELS, out, 0).astype(np.uint8)

    def marginals(self, observations: Observations, opponent: NDArray[Any]) -> Floats:
        """(n, 34, 5) marginals of the real labels, made to sum to one."""
        out = self.label_marginals(*columns_of(observations, opponent))
        full: Floats = out / out.sum(axis=2, keepdims=True)
        return full


@dataclass(frozen=True, slots=True, eq=False)
class NemotoAnswers:
    """The CRF's answers for n opponents: its marginals (section 4.4), which know neither the number
    of tiles nor what is left, and hands by the paper's roulette over them. ``totals`` (n,)."""

    marginals: Floats
    totals: Bytes

    def likeliest(self) -> None:
        """None: the labels of the most probable sequence are no whole hand (section 4.2)."""

    def draw(self, rows: slice, samples: int, seed: int) -> list[Bytes]:
        """Hands of each row by the roulette."""
        marginals, totals = self.marginals[rows], self.totals[rows]
        n = len(totals)
        rng = generator(seed)
        hands = roulette(np.repeat(marginals, samples, axis=0), np.repeat(totals, samples), rng)
        return list(hands.reshape(n, samples, 34))


def shipped_file(dummies: str) -> Path:
    """The model file that comes with haiyomi, by its dummies."""
    return Path(__file__).with_name(f"nemoto_{dummies}.json")


@cache
def shipped(dummies: str = "d") -> NemotoModel:
    """The CRF that comes with haiyomi, one of DUMMIES. Raises ModelError."""
    if dummies not in DUMMIES:
        raise ModelError(f"no dummies {dummies!r}: choose from {', '.join(DUMMIES)}")
    return NemotoModel.load(shipped_file(dummies))

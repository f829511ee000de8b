"""The six tasks: what is predicted for each question, and which figures a prediction earns.

A *question* is an unforced discard that was drawn by a hash: one row of the decision data set. It
is named by ``game``, ``hand`` and ``discards`` (the discards of all seats in the hand before it). A
prediction gives each question one value or list of each task that it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.corpus.splits import Split
from haiyomi.evaluation.metrics import (
    CLIP,
    Estimate,
    binary_score,
    count_bits,
    mean_estimate,
    ratio_estimate,
)
from haiyomi.game.decision_labels import ENDINGS
from haiyomi.seeds import generator
from haiyomi.training.decision_files import Batch, DecisionFiles

Figures = dict[str, Estimate]
SEED: Final = 27
KEYS: Final = ("game", "hand", "discards")
SHARE: Final = 0.1
"""The share of the unforced discards that are questions."""
_WINS: Final = tuple(ENDINGS.index(name) for name in ("wins by own draw", "wins by ron"))
_COLUMNS: Final = (
    *KEYS, "concealed", "legal_discards", "riichi", "melds", "choice_discard", "tenpai", "ron",
    "hands", "ending", "places",
)  # fmt: skip
_ANKAN, _NO_MELD, _NO_PLACE = 4, 255, 255


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """n questions: ``columns`` of the decision data set, and ``code`` (n,) integers by game."""

    columns: Batch
    code: Ints

    def __len__(self) -> int:
        return len(self.code)

    @property
    def keys(self) -> list[tuple[str, int, int]]:
        """(n,) game, hand and discards."""
        return list(zip(*(self.columns[name].tolist() for name in KEYS), strict=True))

    @property
    def games(self) -> int:
        """The number of games that they are from."""
        return int(self.code.max(initial=-1)) + 1


def questions_of(decisions: Path, split: Split, more: Sequence[str] = ()) -> Questions:
    """The questions of a split with the columns that the tasks need, and ``more``. Raises
    DatasetError."""
    files = DecisionFiles(decisions, split, tuple(dict.fromkeys((*_COLUMNS, *more))))
    parts = [files.read(number) for number in range(len(files.files))]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in files.columns}
    _, code = np.unique(columns["game"], return_inverse=True)
    return Questions(columns, code.astype(np.int64))


@dataclass(frozen=True, slots=True)
class Task:
    """``answer`` says what a prediction of shape ``shape`` holds; () is one number. ``sums`` is
    the length of the last parts of it that must each sum to one, 0 for probabilities by
    themselves. ``figures`` of predictions (n, *shape) have the ``metrics`` that exist for the
    questions; the first is the one to compare by."""

    name: str
    shape: tuple[int, ...]
    sums: int
    answer: str
    metrics: tuple[str, ...]
    figures: Callable[[Questions, Floats], Figures]

    @property
    def width(self) -> int:
        """Numbers of one prediction."""
        return int(np.prod(self.shape, dtype=np.int64))


def _binary(p: Floats, label: Bools, code: Ints) -> Figures:
    score = binary_score(p, label, code, generator(SEED))
    if score is None:
        return {}
    return {"skill": score.skill, "auc": score.auc, "log loss": score.log_loss}


def _mean(values: Floats, code: Ints) -> Estimate:
    return mean_estimate(values, code, generator(SEED))


def _tenpai(asked: Questions, p: Floats) -> Figures:
    rows, seats = np.nonzero(asked.columns["riichi"][:, 1:] < 0)
    label = asked.columns["tenpai"][rows, seats]
    return _binary(p[rows, seats], label, asked.code[rows])


def _deal_in(asked: Questions, p: Floats) -> Figures:
    held = np.repeat(asked.columns["concealed"][:, None] > 0, 3, axis=1)
    held &= threat_of(asked)[:, None, None]
    rows, seats, kinds = np.nonzero(held)
    label = bits_of(asked.columns["ron"])[rows, seats, kinds]
    return _binary(p[rows, seats, kinds], label, asked.code[rows])


def bits_of(masks: NDArray[np.uint64]) -> Bools:
    """(..., 34) whether each kind is in the masks (...)."""
    out: Bools = masks[..., None] >> np.arange(34, dtype=np.uint64) & np.uint64(1) != 0
    return out


def threat_of(asked: Questions) -> Bools:
    """(n,) whether an opponent is in riichi or has an open meld."""
    kinds = asked.columns["melds"].reshape(len(asked), 4, 4, 6)[:, 1:, :, 0]
    is_open = ((kinds != _NO_MELD) & (kinds != _ANKAN)).any(axis=(1, 2))
    out: Bools = is_open | (asked.columns["riichi"][:, 1:] >= 0).any(axis=1)
    return out


def _counts(asked: Questions, p: Floats) -> Figures:
    n = len(asked)
    true = asked.columns["hands"].reshape(3 * n, 34)
    bits = count_bits(p.reshape(3 * n, 34, 5), true)
    code = np.repeat(asked.code, 3)
    share = np.bincount(true.reshape(-1), minlength=5) / true.size
    constant = float(-(share * np.log2(np.maximum(share, CLIP))).sum())
    ratio = ratio_estimate(bits, np.full(3 * n, constant), code, generator(SEED))
    return {"skill": ratio.complement(), "bits": _mean(bits, code)}


def _discard(asked: Questions, p: Floats) -> Figures:
    choice = asked.columns["choice_discard"].astype(np.int64)
    known = np.flatnonzero(choice < 34)
    legal = bits_of(asked.columns["legal_discards"][known])
    allowed = np.where(legal, p[known], 0.0)
    mine = np.take_along_axis(allowed, choice[known, None], axis=1)[:, 0]
    # Of equal kinds half are before: a constant is not right by its order.
    above = (allowed > mine[:, None]).sum(axis=1)
    level = ((allowed == mine[:, None]) & legal).sum(axis=1)
    total = allowed.sum(axis=1)
    share = np.divide(mine, total, out=np.zeros(len(known)), where=total > 0)
    code = asked.code[known]

    def among(first: int) -> Estimate:
        return _mean(np.clip((first - above) / level, 0, 1), code)

    loss = _mean(-np.log(np.maximum(share, CLIP)), code)
    return {"top 1": among(1), "top 3": among(3), "log loss": loss}


def wins_of(asked: Questions) -> Bools:
    """(n,) whether the seat wins the hand."""
    out: Bools = np.isin(asked.columns["ending"], _WINS)
    return out


def _win(asked: Questions, p: Floats) -> Figures:
    return _binary(p, wins_of(asked), asked.code)


def _placement(asked: Questions, p: Floats) -> Figures:
    place = asked.columns["places"][:, 0].astype(np.int64)
    known = np.flatnonzero(place != _NO_PLACE)
    chosen = p[known, place[known]]
    loss = -np.log(np.maximum(chosen, CLIP))
    code = asked.code[known]
    # The mean over seats has each place a quarter of the time.
    ratio = ratio_estimate(loss, np.full(len(known), np.log(4)), code, generator(SEED))
    return {"skill": ratio.complement(), "log loss": _mean(loss, code)}


_BINARY: Final = ("skill", "auc", "log loss")
TASKS: Final = (
    Task("tenpai", (3,), 0, "P(tenpai) of the relative seats 1, 2, 3", _BINARY, _tenpai),
    Task(
        "deal-in", (3, 34), 0,
        "P(the relative seat 1, 2, 3 could win by ron on a kind now)", _BINARY, _deal_in,
    ),
    Task(
        "counts", (3, 34, 5), 5,
        "P(the relative seat 1, 2, 3 holds 0, 1, 2, 3, 4 concealed tiles of a kind)",
        ("skill", "bits"), _counts,
    ),
    Task(
        "discard", (34,), 34, "P(the seat discards a kind)", ("top 1", "top 3", "log loss"),
        _discard,
    ),
    Task("win", (), 0, "P(the seat wins the hand)", _BINARY, _win),
    Task(
        "placement", (4,), 4, "P(the seat ends the game first, second, third, fourth)",
        ("skill", "log loss"), _placement,
    ),
)  # fmt: skip
"""All tasks, in the order of tables."""
BY_NAME: Final = {task.name: task for task in TASKS}

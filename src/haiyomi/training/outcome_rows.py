"""Rows for the forecast of outcomes: decisions of records, and how the hand then ended.

A fixed share of all decisions is drawn by a hash of the place of each, so that the chance to be
drawn depends neither on how the hand ended nor on how long it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.events import Discard, Game, Riichi, Win
from haiyomi.game.decision_record import Decisions
from haiyomi.outcomes.ending import outcome_of
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress

LABEL = np.dtype(
    [
        ("game", "<u4"),  # index among the games
        ("ending", "u1"),  # of outcomes.Ending
        ("at_once", "u1"),  # 1: another wins on the tile that is discarded at this decision
        ("change", "<i4"),  # of the own score, from the decision to the end of the hand
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeRows:
    """n decisions: ``decisions`` (n,) of DECISION, ``labels`` (n,) of LABEL."""

    decisions: Decisions
    labels: NDArray[np.void]

    def __len__(self) -> int:
        return len(self.labels)


def is_drawn(seed: int, game: str, place: tuple[int, int, int], share: float) -> bool:
    """Whether a decision is among the ``share`` that is drawn; ``place``: hand, event, seat."""
    text = "/".join(map(str, (seed, game, *place)))
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    return word < share * 2**64


def outcome_rows(
    sources: Sequence[Path],
    share: float,
    seed: int,
    games: int | None = None,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> tuple[OutcomeRows, list[Skipped]]:
    """A share of the decisions of some records (at most ``games`` of each source), and what was
    left out. Raises DatasetError where a source cannot be read."""
    corpus = Corpus(list(sources)).distinct()
    chosen = corpus if games is None else corpus.first(games)
    of_piece = partial(_of_piece, share=share, seed=seed)
    packed: list[bytes] = []
    labels: list[NDArray[np.void]] = []
    skipped = list(corpus.skipped)
    for made, left_out in chosen.map_pieces(of_piece, 8, jobs, progress):
        for number, (rows, label) in enumerate(made, len(packed)):
            packed.append(rows)
            label["game"] = number
            labels.append(label)
        skipped += left_out
    return OutcomeRows(
        unpack_decisions(b"".join(packed)),
        np.concatenate([np.zeros(0, LABEL), *labels]),
    ), skipped


def _of_piece(
    piece: Corpus, share: float, seed: int
) -> tuple[list[tuple[bytes, NDArray[np.void]]], tuple[Skipped, ...]]:
    return rows_of(piece, partial(_of_game, share=share, seed=seed))


def _of_game(name: str, game: Game, share: float, seed: int) -> tuple[bytes, NDArray[np.void]]:
    """The joined DECISION bytes and the labels of the drawn decisions of one game."""
    outcomes = [outcome_of(hand, game.header.rules) for hand in game]
    packed: list[bytes] = []
    labels: list[tuple[int, int, int, int]] = []
    for decision in decisions(game):
        place = decision.hand, decision.event, int(decision.seat)
        if decision.absent or isinstance(decision.history[-1], Riichi):
            continue  # the discard of a riichi belongs to the choice before
        if not is_drawn(seed, name, place, share):
            continue
        packed.append(pack_decision(decision))
        ending = outcomes[decision.hand].seen_by(decision.seat)
        labels.append((0, ending, _at_once(decision), decision.gain))
    return b"".join(packed), np.array(labels, LABEL)


def _at_once(decision: RecordedDecision) -> bool:
    """Whether another wins on the tile that the seat discards at a decision of its own turn."""
    after = [event for event in decision.followed if not isinstance(event, Riichi)]
    return (
        decision.offer is None
        and len(after) > 1
        and isinstance(after[0], Discard)
        and isinstance(after[1], Win)
    )
